package dev.rechunker.io.tree;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeySpill;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.bytes.LocalKeys;
import dev.rechunker.store.Capabilities;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.Durable;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.Resumable;
import dev.rechunker.store.RunValues;
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

/** A store of arrays and groups in a key store: the part that is the same for all formats. */
public abstract class TreeStore implements ChunkStore, FormatRules, Updatable, Resumable, Joinable, Durable {
    /** The name of the temporary data of processes that write a node together; no format has such keys. */
    private static final String SPILL = ".rechunker-spill";

    /** The name of the note next to an existing array into which a run is writing. */
    private static final String HOLD = ".rechunker-hold";

    private final KeyStore keys;

    /** Creates a store of the nodes in a key store, which is closed with it. */
    protected TreeStore(KeyStore keys) {
        this.keys = keys;
    }

    @Override
    public final String name() {
        return keys.name();
    }

    @Override
    public final List<DataPlace> places(String path) throws IOException {
        ChunkStore.requirePath(path);
        return keys.places(path);
    }

    @Override
    public final Capabilities capabilities() {
        Capabilities readable = Capabilities.ofHierarchy()
                .withConcurrentArrays(hasConcurrentArrays())
                .withRemote(keys.isRemote());
        return keys.isWritable()
                ? readable.withWritable(true).withConcurrentWriters(true).withAtomicPublish(true)
                : readable;
    }

    /** {@return whether several threads may create different arrays at once} */
    protected boolean hasConcurrentArrays() {
        return false;
    }

    /**
     * {@return whether a list of the keys shows nothing below a path} A directory is not listed for that: it answers
     * the question for each node quickly, may contain links, and refuses some names.
     */
    @Override
    public boolean isVacant(String path) throws IOException {
        ChunkStore.requirePath(path);
        return keys.local().isEmpty() && keys.isListable() && keys.list(path).isEmpty();
    }

    /** Refuses a group that a link below it leads to: its descendants would have no end. */
    protected final void requireNoLinkCycle(String path) throws IOException {
        DataPlace place = keys.place(path);
        if (place.equals(keys.place("").below(path))) {
            return; // no link is in the path
        }
        for (String above : NodePaths.ancestors(path)) {
            if (keys.place(above).equals(place)) {
                throw new StoreException(NodePaths.inStore(keys.name(), path) + " leads back to a group above it");
            }
        }
    }

    /** {@return whether the format uses this name directly below a node for the node itself} */
    protected abstract boolean isOwnName(String name);

    @Override
    public final void requireName(String path) throws StoreException {
        Keys.checkPrefix(name(), path);
        if (!path.isEmpty() && !Keys.allParts(path, name -> !isOwnName(name))) {
            throw new StoreException(NodePaths.inStore(keys.name(), path)
                    + " cannot be the path of a node: the format uses this name for a document of a group");
        }
    }

    @Override
    public final Optional<Path> localDirectory() {
        return keys.localDirectory();
    }

    /** {@return this store if runs can keep their files or values in it} */
    @Override
    public final Optional<Resumable> resumable() {
        boolean keepsRuns = keys.local().isPresent() || keys.runValues("").isPresent();
        return keys.isWritable() && keepsRuns ? Optional.of(this) : Optional.empty();
    }

    /**
     * Refuses to resume an array in a store in which runs cannot keep what they need for that.
     *
     * @throws UnsupportedOperationException if the store cannot do that
     */
    protected final void requireResumable() {
        if (resumable().isEmpty()) {
            throw new UnsupportedOperationException(name() + " cannot resume an array that was begun");
        }
    }

    @Override
    public final Optional<RunValues> runValues(String path) throws IOException {
        ChunkStore.requirePath(path);
        return keys.runValues(path);
    }

    /** {@return this store if it can be written to} */
    @Override
    public final Optional<Joinable> joinable() {
        return keys.isWritable() ? Optional.of(this) : Optional.empty();
    }

    /** {@return this store if it can be written to} */
    @Override
    public final Optional<Updatable> updatable() {
        return keys.isWritable() ? Optional.of(this) : Optional.empty();
    }

    /** {@return this store if it is a directory that can be written to} */
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
        return local("resume an unfinished array").workDirectory(path);
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
            throw new StoreException(NodePaths.inStore(keys.name(), path)
                    + " is being changed by another run, or one was killed while it"
                    + " did so; wait until that run has ended, or remove \"" + key + "\"");
        }
        return () -> keys.delete(key);
    }

    @Override
    public final void makeDurable() {
        requireWritable();
        local("promise that written values survive a power failure").makeDurable();
    }

    /**
     * {@return what only a store in a directory can do}
     *
     * @param what what it is needed for, for the message
     * @throws UnsupportedOperationException if the store is not in a directory
     */
    protected final LocalKeys local(String what) {
        return keys.local().orElseThrow(() -> new UnsupportedOperationException(name() + " cannot " + what));
    }

    /**
     * {@return a publication that first deletes uncommitted units of earlier or other writers, of which none runs any
     * more}
     */
    protected final UnitWriter.Publication afterCleanup(String path, UnitWriter.Publication publication) {
        return () -> {
            keys.deleteUncommitted(path);
            publication.publish();
        };
    }

    /** Deletes uncommitted write units below a node whose run is certain to have ended. */
    protected final void deleteAbandoned(String path) throws IOException {
        keys.deleteAbandoned(path);
    }

    /**
     * Refuses to write to a store that can only be read.
     *
     * @throws UnsupportedOperationException if the store can only be read
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
