package dev.rechunker.io.tiledb;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.tree.AssembledStore;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A new directory of TileDB. It is written beside as a {@link TileDbTree}, which gets its name when it is complete. */
final class TileDbTarget extends AssembledStore {
    private final AssembledKeys keys;
    private final TileDbTree tree;

    TileDbTarget(AssembledKeys keys, TileDbTree tree) {
        super(keys, tree);
        this.keys = keys;
        this.tree = tree;
    }

    @Override
    protected ChunkStore open() throws IOException {
        return TileDb.open(keys.file());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<ChunkStore> finished = hasBegun() ? Optional.empty() : finished();
        return finished.isPresent() ? finished.get().node(path) : hasBegun() ? tree.node(path) : Optional.empty();
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<ChunkStore> finished = hasBegun() ? Optional.empty() : finished();
        return finished.isPresent() ? finished.get().children(path) : hasBegun() ? tree.children(path) : List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (hasBegun()) {
            return tree.openReader(path);
        }
        return finished()
                .orElseThrow(() -> new StoreException(name() + " does not exist"))
                .openReader(path);
    }

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        TileDb.requireLibrary();
        super.requireFree(path, resolved, overwrite);
    }

    @Override
    protected void assemble() throws IOException {
        keys.assemble((values, directory) -> tree.complete(directory));
    }

    @Override
    public String toString() {
        return "TileDB " + name();
    }
}
