package dev.rechunker.io.n5api;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.ReadOnlyStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A store with one array, at its root: a dataset of an {@code N5Reader}, which stays open. */
final class N5Source extends ReadOnlyStore {
    private final N5Location location;
    private final boolean alwaysByN5;

    N5Source(N5Location location) throws IOException {
        this(location, false);
    }

    /**
     * Creates a source.
     *
     * @param alwaysByN5 whether n5 reads chunks even if this library could read them itself
     */
    N5Source(N5Location location, boolean alwaysByN5) throws IOException {
        this.location = location;
        this.alwaysByN5 = alwaysByN5;
        openReader("").close();
    }

    @Override
    public String name() {
        return location.toString();
    }

    @Override
    public Capabilities capabilities() {
        return Capabilities.ofOneArray().withRemote(location.isRemote());
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty()) {
            return Optional.empty();
        }
        try (ArrayReader reader = openReader(path)) {
            return Optional.of(new ArrayNode(reader.spec()));
        }
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        return List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        ChunkStore.requirePath(path);
        if (!path.isEmpty()) {
            throw new StoreException(
                    "there is no array at " + at(path) + "; the only array is at the root of " + name());
        }
        BlockReader live = BlockReader.open(location);
        Optional<ArrayReader> own = alwaysByN5 ? Optional.empty() : ownReader(live.spec());
        return own.orElse(live);
    }

    /** {@return a reader of this library; empty unless it sees the same array as n5} */
    private Optional<ArrayReader> ownReader(ArraySpec live) throws IOException {
        Optional<ChunkStore> store = location.openOwnStore();
        if (store.isEmpty()) {
            return Optional.empty();
        }
        try {
            ArrayReader reader = store.get().openReader(location.path());
            if (isSame(reader.spec(), live)) {
                return Optional.of(reader);
            }
            reader.close();
            return Optional.empty();
        } catch (StoreException e) {
            return Optional.empty(); // n5 may support a feature that this library does not
        }
    }

    /** {@return whether two specs describe the same array; never in F order, because n5 reverses the axes of some} */
    private static boolean isSame(ArraySpec own, ArraySpec live) {
        return own.chunks().equals(live.chunks())
                && own.shards().equals(live.shards())
                && own.dataType().equals(live.dataType())
                && own.codecs().stream().noneMatch(codec -> codec.name().equals("transpose"));
    }

    @Override
    public String identity() {
        return location.identity();
    }

    @Override
    public List<DataPlace> places(String path) throws IOException {
        return location.dataPlaces();
    }

    /** Does nothing, because the caller closes the reader. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name();
    }
}
