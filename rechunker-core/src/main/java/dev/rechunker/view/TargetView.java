package dev.rechunker.view;

import com.google.common.io.Closer;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.memory.Workspace;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.Joinable;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.Resumable;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A view of a store in which windows of existing arrays are written as if they were new arrays. Each window is
 * {@linkplain #insert inserted} first; write units at its edge are clipped to it.
 *
 * <p>A write unit that is partly outside its window is read, merged and written back by the call that writes the part,
 * so every unit still has one writer. Arrays that grow do so in {@link #finish}, all together, and keep their old shape
 * until then. Groups are not changed. The view is not thread-safe, but its readers and writers are.
 */
public final class TargetView extends ForwardingStore {
    private final boolean keepEmpty;
    private final Map<String, Insertion> insertions = new LinkedHashMap<>();
    private final Deque<MergingWriter> complete = new ArrayDeque<>();

    /**
     * Creates a view of a store, without windows.
     *
     * @param keepEmpty whether write units that have only the fill value are written; they are removed otherwise
     */
    public TargetView(ChunkStore store, boolean keepEmpty) {
        super(store);
        this.keepEmpty = keepEmpty;
    }

    /**
     * Adds a window that will be written. Writes nothing.
     *
     * @param path the path of the existing array
     * @return the traits of a writer of the window
     * @throws StoreException if the store cannot write the window
     */
    public WriteTraits insert(String path, Insertion insertion) throws IOException {
        insertions.put(path, insertion);
        try (MergingWriter writer = open(path, insertion)) {
            if (writer.traits().scratchBytes() > Workspace.MAX_BUFFER) {
                throw new StoreException("write units of " + at(path) + " are too large to be merged: a thread would"
                        + " need " + ByteSize.of(writer.traits().scratchBytes()) + ", but a buffer has at most "
                        + ByteSize.of(Workspace.MAX_BUFFER));
            }
            return writer.traits();
        }
    }

    /** {@return empty: writes into existing arrays are not resumed but repeated} */
    @Override
    public Optional<Resumable> resumable() {
        return Optional.empty();
    }

    /** {@return empty: one process writes into existing arrays} */
    @Override
    public Optional<Joinable> joinable() {
        return Optional.empty();
    }

    /** {@return the directory with which a run locks the target, if the store has one} */
    public Optional<Path> lockDirectory(String path) throws IOException {
        Optional<Resumable> resumable = delegate().resumable();
        return resumable.isEmpty() || resumable.get().runValues(path).isPresent()
                ? Optional.empty()
                : Optional.of(resumable.get().workDirectory(path));
    }

    /**
     * Locks all arrays that will be written against other runs, if the store does that without a directory.
     *
     * @return an object whose {@code close} abandons unfinished writes and releases the locks
     */
    public Closeable hold() throws IOException {
        Closer holds = Closer.create();
        try {
            for (String path : insertions.keySet()) {
                holds.register(super.hold(path));
            }
            holds.register(this::abandon);
            return holds;
        } catch (IOException e) {
            holds.close();
            throw e;
        }
    }

    private Insertion insertion(String path) throws StoreException {
        Insertion insertion = insertions.get(path);
        if (insertion == null) {
            throw new StoreException("no window was inserted into " + at(path));
        }
        return insertion;
    }

    private MergingWriter open(String path, Insertion insertion) throws IOException {
        ArrayReader reader = delegate().openReader(path);
        try {
            if (!reader.spec().equals(insertion.before())) {
                throw new StoreException(at(path) + " has changed since the plan was made: it was " + insertion.before()
                        + ", and is now " + reader.spec() + "; make a new plan");
            }
            ArrayWriter writer = super.update(path, insertion.after());
            try {
                return new MergingWriter(reader, writer, insertion, keepEmpty);
            } catch (IOException | RuntimeException e) {
                writer.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** {@return the traits of a reader of the window at a path, or empty if they are not known before it is written} */
    public Optional<ReadTraits> windowTraits(String path) throws StoreException {
        Insertion insertion = insertion(path);
        return delegate()
                .readTraits(insertion.after())
                .map(traits -> RegionReader.traits(insertion.after(), traits, insertion.window()));
    }

    /** {@return a reader of the window at a path; to be called after {@link #finish}} */
    @Override
    public ArrayReader openReader(String path) throws IOException {
        return RegionView.reader(delegate().openReader(path), insertion(path).window());
    }

    /** {@return empty: elements of existing arrays have the size of those that are written} */
    @Override
    public Optional<VariableLength> variableLength() {
        return Optional.empty();
    }

    /** Does nothing, as a window is written into an existing array. */
    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) {}

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        MergingWriter writer = open(path, insertion(path));
        return new Writer(writer) {
            private boolean committed;

            @Override
            public void commit() {
                committed = true;
                complete.add(writer);
            }

            @Override
            public void close() throws IOException {
                if (!committed) {
                    writer.close();
                }
            }
        };
    }

    /** Does nothing, as groups are not changed. */
    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) {}

    /** Makes arrays grow and visible. After a failure, another call continues with the array that failed. */
    @Override
    public void finish(boolean consolidate) throws IOException {
        for (MergingWriter next = complete.peek(); next != null; next = complete.peek()) {
            next.commit();
            complete.remove();
            next.close();
        }
        delegate().finish(false);
    }

    private void abandon() throws IOException {
        Closer writers = Closer.create();
        complete.forEach(writers::register);
        complete.clear();
        writers.close();
    }

    /** Does nothing, as the store stays open. */
    @Override
    public void close() {}
}
