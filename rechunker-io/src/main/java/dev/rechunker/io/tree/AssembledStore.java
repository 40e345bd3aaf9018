package dev.rechunker.io.tree;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.Updatable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store of a new file, which is written as a directory, of which {@link #finish} makes the file. The file is replaced
 * as a whole or not at all.
 */
public abstract class AssembledStore extends ForwardingStore {
    private final AssembledKeys keys;
    private @Nullable ChunkStore finished;

    /**
     * Creates it.
     *
     * @param values the store that writes the directory
     */
    protected AssembledStore(AssembledKeys keys, ChunkStore values) {
        super(values);
        this.keys = keys;
    }

    /** {@return a store that reads the finished file} */
    protected abstract ChunkStore open() throws IOException;

    /** Makes the file, as far as another process has not done so. */
    protected abstract void assemble() throws IOException;

    /** Refuses an array that cannot be created beside those that were written. */
    protected void requireFreeWhenBegun(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        delegate().requireFree(path, resolved, overwrite);
    }

    /** {@return a reader of the finished file; empty if there is none} */
    protected final synchronized Optional<ChunkStore> finished() throws IOException {
        if (finished == null && keys.exists()) {
            finished = open();
        }
        return Optional.ofNullable(finished);
    }

    /** {@return whether arrays are being written, or the file is being made} */
    protected final boolean hasBegun() throws IOException {
        AssembledKeys.State state = keys.state();
        return state == AssembledKeys.State.WRITING || state == AssembledKeys.State.PACKING;
    }

    /** {@return the refusal to add to a file that exists} */
    protected final StoreException alreadyExists() {
        return keys.alreadyExists();
    }

    /** {@return empty: a file that exists is not changed} */
    @Override
    public Optional<Updatable> updatable() {
        return Optional.empty();
    }

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        if (hasBegun()) {
            requireFreeWhenBegun(path, resolved, overwrite);
        } else {
            requireReplaceable(path, overwrite);
        }
    }

    /** Refuses a file that exists, unless it may be replaced, and is not what this store has just finished. */
    private void requireReplaceable(String path, boolean overwrite) throws IOException {
        boolean wasFinishedHere = keys.state() == AssembledKeys.State.PUBLISHED;
        if (keys.exists() && !(overwrite && (!wasFinishedHere || node(path).isPresent()))) {
            throw alreadyExists();
        }
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        begin(path, overwrite);
        return super.create(path, spec, overwrite);
    }

    private synchronized void begin(String path, boolean overwrite) throws IOException {
        if (!hasBegun()) {
            requireReplaceable(path, overwrite);
            closeFinished();
        }
        keys.begin();
    }

    @Override
    public ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        continueIncomplete();
        return super.resume(path, spec);
    }

    @Override
    public ArrayWriter join(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        continueIncomplete();
        return super.join(path, spec);
    }

    private void continueIncomplete() throws IOException {
        keys.resume();
        if (keys.state() == AssembledKeys.State.PUBLISHED) {
            throw new StoreException(name() + " is complete");
        }
    }

    /** Writes a group, unless an earlier process has written all of them before it was killed. */
    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        AssembledKeys.State state = keys.state();
        if (state == AssembledKeys.State.NEW) {
            begin(path, overwrite);
        }
        if (state == AssembledKeys.State.NEW || state == AssembledKeys.State.WRITING) {
            super.writeGroup(path, group, overwrite);
        }
    }

    @Override
    public void noteCommitted(String path) throws IOException {
        keys.resume();
        if (keys.state() == AssembledKeys.State.WRITING) {
            super.noteCommitted(path);
        }
    }

    @Override
    public final void finish(boolean consolidate) throws IOException {
        if (keys.state() == AssembledKeys.State.WRITING) {
            super.finish(consolidate);
        }
        if (hasBegun()) {
            assemble();
        }
    }

    private void closeFinished() throws IOException {
        if (finished != null) {
            finished.close();
            finished = null;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closeFinished();
        super.close();
    }
}
