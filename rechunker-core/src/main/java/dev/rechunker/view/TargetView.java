package dev.rechunker.view;

import com.google.common.io.Closer;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.memory.Workspace;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
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
import org.jspecify.annotations.Nullable;

/**
 * A store of arrays that exist, seen as if the parts that are written now were new arrays: each {@linkplain #insert
 * inserted} window is created, with its write units cut where the window cuts them.
 *
 * <p>Units of which the window is only a part are read, merged and written back by the call that writes the part, so
 * every unit still has one writer. Arrays that become longer do so all at once, in {@link #finish}; nothing of that is
 * seen before. Groups stay as they are. Not thread-safe, but for its readers and writers.
 */
public final class TargetView extends ForwardingStore {
    private final boolean keepEmpty;
    private final Map<String, Insertion> insertions = new LinkedHashMap<>();
    private final Deque<MergingWriter> complete = new ArrayDeque<>();

    /**
     * Creates the view of a store, without anything to write.
     *
     * @param keepEmpty whether units that hold nothing but the fill value are written; else they are removed
     */
    public TargetView(ChunkStore store, boolean keepEmpty) {
        super(store);
        this.keepEmpty = keepEmpty;
    }

    /**
     * Adds a window that will be written. Writes nothing.
     *
     * @return how a writer of it will write
     * @throws StoreException if the store cannot write it
     */
    public WriteTraits insert(String path, Insertion insertion) throws IOException {
        insertions.put(path, insertion);
        try (MergingWriter writer = open(path, insertion)) {
            if (writer.traits().scratchBytes() > Workspace.MAX_BUFFER) {
                throw new StoreException("write units of " + at(path) + " cannot be merged: that takes "
                        + writer.traits().scratchBytes() + " bytes for each thread, and one buffer holds "
                        + Workspace.MAX_BUFFER);
            }
            return writer.traits();
        }
    }

    /** {@return empty: what is written into arrays that exist is not gone on with, but done again} */
    @Override
    public Optional<Path> workDirectory(String path) {
        return Optional.empty();
    }

    /** {@return the directory by which a run keeps others from the target, if it has one} */
    public Optional<Path> lockDirectory(String path) throws IOException {
        return delegate().workDirectory(path);
    }

    /**
     * Keeps other runs from writing into any of the arrays, where no directory does that.
     *
     * @return gives up what was begun and not finished, and lets others write
     */
    public Closeable hold() throws IOException {
        Closer holds = Closer.create();
        try {
            for (String path : insertions.keySet()) {
                holds.register(delegate().hold(path));
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
            throw new StoreException("nothing is to be written at " + at(path));
        }
        return insertion;
    }

    private MergingWriter open(String path, Insertion insertion) throws IOException {
        ArrayReader reader = delegate().openReader(path);
        try {
            if (!reader.spec().equals(insertion.before())) {
                throw new StoreException(at(path) + " is not what it was when the plan was made: " + insertion.before()
                        + ", now " + reader.spec() + "; plan again");
            }
            ArrayWriter writer = delegate().update(path, insertion.after());
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

    /** {@return how a window will be read back, if that is known before it is written} */
    public Optional<ReadTraits> windowTraits(String path) throws StoreException {
        Insertion insertion = insertion(path);
        return delegate()
                .readTraits(insertion.after())
                .map(traits -> RegionReader.traits(insertion.after(), traits, insertion.window()));
    }

    /** {@return a reader of the window, once it is written and the array is as long as it will be} */
    @Override
    public ArrayReader openReader(String path) throws IOException {
        return RegionView.reader(delegate().openReader(path), insertion(path).window());
    }

    /** Refuses nothing: a window has its place in an array that exists. */
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

    /** Does nothing: groups stay as they are. */
    @Override
    public void writeGroup(String path, Map<String, ? extends @Nullable Object> attributes) {}

    @Override
    public void writeGroup(String path, Map<String, ? extends @Nullable Object> attributes, boolean overwrite) {}

    /** Makes arrays as long as they will be; what fails at one goes on with it when it is called again. */
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

    /** Does nothing: the store stays open. */
    @Override
    public void close() {}
}
