package dev.rechunker.io.tree;

import dev.rechunker.array.NodePaths;
import dev.rechunker.io.bytes.KeySpill;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.bytes.LocalKeys;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.Durable;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.Places;
import dev.rechunker.store.Resumable;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.Updatable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A store of arrays and groups in a key store: what does not depend on the format. */
public abstract class TreeStore implements ChunkStore, FormatRules, Updatable, Resumable, Joinable, Durable {
    /** What the temporary copy of processes that write a node together is called; no format has keys like that. */
    private static final String SPILL = ".rechunker-spill";

    /** The note beside an array that a run is writing into. */
    private static final String HOLD = ".rechunker-hold";

    private final KeyStore keys;

    /** Creates it over what is, or will be, in a key store, which it closes. */
    protected TreeStore(KeyStore keys) {
        this.keys = keys;
    }

    @Override
    public final String name() {
        return keys.name();
    }

    @Override
    public final List<String> places(String path) throws IOException {
        ChunkStore.requirePath(path);
        return List.of(keys.place(path));
    }

    @Override
    public final Capabilities capabilities() {
        Capabilities local = keys.isWritable()
                ? Capabilities.ofHierarchy()
                        .withWritable(true)
                        .withConcurrentWriters(true)
                        .withAtomicPublish(true)
                : Capabilities.ofHierarchy();
        return local.withRemote(keys.isRemote());
    }

    /** Refuses a group to which a link leads that is above it: what is below would have no end. */
    protected final void requireNoWayBack(String path) throws IOException {
        String place = keys.place(path);
        if (place.equals(Places.of(keys.place(""), path))) {
            return; // there is no link on the way
        }
        for (String above : NodePaths.ancestors(path)) {
            if (keys.place(above).equals(place)) {
                throw new StoreException(NodePaths.inStore(keys.name(), path) + " leads back to a group above it");
            }
        }
    }

    /** {@return whether the format keeps something of a node under this name directly below it} */
    protected abstract boolean isOwnName(String name);

    @Override
    public final void requireName(String path) throws StoreException {
        Keys.checkPrefix(name(), path);
        if (!path.isEmpty() && !Keys.allParts(path, name -> !isOwnName(name))) {
            throw new StoreException(NodePaths.inStore(keys.name(), path)
                    + " cannot be the name of a node: a group keeps a document of its own there");
        }
    }

    @Override
    public final Optional<Path> localDirectory() {
        return keys.localDirectory();
    }

    /** {@return this, if runs can keep their files where the keys are} */
    @Override
    public final Optional<Resumable> resumable() {
        return keys.isWritable() ? keys.local().map(local -> this) : Optional.empty();
    }

    /** {@return this, if it can be written to} */
    @Override
    public final Optional<Joinable> joinable() {
        return keys.isWritable() ? Optional.of(this) : Optional.empty();
    }

    /** {@return this, if it can be written to} */
    @Override
    public final Optional<Updatable> updatable() {
        return keys.isWritable() ? Optional.of(this) : Optional.empty();
    }

    /** {@return this, if it is in a file system that can be written to} */
    @Override
    public final Optional<Durable> durable() {
        return keys.isWritable() ? keys.local().map(local -> this) : Optional.empty();
    }

    @Override
    public final FormatRules rules() {
        return this;
    }

    @Override
    public final Path workDirectory(String path) throws IOException {
        ChunkStore.requirePath(path);
        return local("resume an array that was begun").workDirectory(path);
    }

    @Override
    public final Optional<SpillStore> spillStore(String path) throws IOException {
        ChunkStore.requirePath(path);
        return keys.isRemote() && keys.isWritable() && keys.partBytes() > 0
                ? Optional.of(KeySpill.below(keys, NodePaths.below(path, SPILL)))
                : Optional.empty();
    }

    @Override
    public final Closeable hold(String path) throws IOException {
        if (keys.local().isPresent()) {
            return () -> {};
        }
        String key = NodePaths.below(path, HOLD);
        byte[] run = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
        if (!keys.putNew(key, ByteBuffer.wrap(run))) {
            throw new StoreException(
                    NodePaths.inStore(keys.name(), path) + " is being written into by another run, or one was killed"
                            + " while it did; wait until it has ended, or remove \"" + key + "\"");
        }
        return () -> keys.delete(key);
    }

    @Override
    public final void makeDurable() {
        requireWritable();
        local("promise that writes survive a loss of power").makeDurable();
    }

    /** {@return the keys as a directory, or refuses what only a directory can do} */
    protected final LocalKeys local(String what) {
        return keys.local().orElseThrow(() -> new UnsupportedOperationException(name() + " cannot " + what));
    }

    /**
     * {@return a publication that first removes what earlier or other writers have left of units; there are none any
     * more}
     */
    protected final UnitWriter.Publication last(String path, UnitWriter.Publication publication) {
        return () -> {
            keys.sweepAll(path);
            publication.publish();
        };
    }

    /** Removes what a run that was certainly killed has left of write units that it was writing below a node. */
    protected final void sweep(String path) throws IOException {
        keys.sweep(path);
    }

    /**
     * Refuses to write to what can only be read.
     *
     * @throws UnsupportedOperationException if it can
     */
    protected final void requireWritable() {
        if (!keys.isWritable()) {
            throw new UnsupportedOperationException(name() + " can only be read");
        }
    }

    @Override
    public final void close() throws IOException {
        keys.close();
    }
}
