package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The writing of one file.
 *
 * <p>The places of elements depend on all arrays and attributes. Arrays that were announced are written to their
 * places. Others are written to a file of their own, and copied when the file is finished.
 */
final class ClassicSession implements Closeable {
    private final String store;
    private final Path path;
    private final boolean replace;
    private final PartFile file;
    private final @Nullable FileLayout announced;
    private final Map<String, ArraySpec> expected;
    private final Map<String, Written> arrays = new LinkedHashMap<>();
    private @Nullable PartFile aside;
    private GroupSpec group = GroupSpec.EMPTY;
    private boolean finished;

    /**
     * An array.
     *
     * @param file the file that has the elements
     * @param isCommitted whether they are complete
     */
    record Written(ArraySpec spec, PartFile file, VariablePlace placement, boolean isCommitted) {}

    /**
     * Starts a file.
     *
     * @param replace whether the file may exist; it is replaced when this one is finished
     * @param announced where the arrays will be that are expected; null if that is not known
     * @param expected the arrays that were announced, by name
     */
    ClassicSession(
            String store, Path path, boolean replace, @Nullable FileLayout announced, Map<String, ArraySpec> expected)
            throws IOException {
        this.store = store;
        this.path = path;
        this.replace = replace;
        this.announced = announced;
        this.expected = expected;
        this.file = PartFile.begin(path, 0);
    }

    synchronized boolean isFinished() {
        return finished;
    }

    /** {@return a committed array; empty if there is none} */
    synchronized Optional<ArraySpec> find(String name) {
        return committed(name).map(Written::spec);
    }

    private Optional<Written> committed(String name) {
        return Optional.ofNullable(arrays.get(name)).filter(Written::isCommitted);
    }

    synchronized GroupSpec group() {
        return group;
    }

    synchronized void setGroup(GroupSpec spec) {
        group = spec;
    }

    /** {@return the names of committed arrays} */
    synchronized List<String> names() {
        return arrays.keySet().stream()
                .filter(name -> committed(name).isPresent())
                .toList();
    }

    /** Refuses a name that an array has that may not be replaced. */
    synchronized void requireFree(String where, String name, boolean overwrite) throws StoreException {
        if (!overwrite && find(name).isPresent()) {
            throw new StoreException(where + " exists already; allow overwriting, or write elsewhere");
        }
    }

    /** {@return a writer of a new array; an array that it replaces is removed at once} */
    synchronized ArrayWriter create(String where, String name, ArraySpec spec) throws IOException {
        boolean isNew = arrays.remove(name) == null;
        Written array = isNew && announced != null && Objects.equals(expected.get(name), spec)
                ? new Written(
                        spec,
                        file,
                        Objects.requireNonNull(announced.header().placements().get(name)),
                        false)
                : aside(spec);
        arrays.put(name, array);
        return new ClassicWriter(where, array, () -> commit(name, array));
    }

    private Written aside(ArraySpec spec) throws IOException {
        if (aside == null) {
            aside = PartFile.begin(path.resolveSibling(path.getFileName() + ".arrays"), 0);
        }
        long bytes = spec.bytes();
        return new Written(spec, aside, VariablePlace.whole(aside.allocate(bytes), bytes), false);
    }

    private synchronized void commit(String name, Written array) throws StoreException {
        if (!Objects.equals(arrays.get(name), array)) {
            throw new StoreException(store + "/" + name + " was replaced while it was written");
        }
        arrays.put(name, new Written(array.spec, array.file, array.placement, true));
    }

    synchronized ArrayReader openReader(String where, String name) throws StoreException {
        Written array = committed(name).orElseThrow(() -> new StoreException(where + " does not exist"));
        return new WrittenReader(where, array);
    }

    /** Writes all that is missing, the header last, and publishes the file. Does nothing if that is done. */
    synchronized void finish() throws IOException {
        if (finished) {
            return;
        }
        Map<String, ArraySpec> specs = new LinkedHashMap<>();
        for (String name : inOrder()) {
            specs.put(name, find(name).orElseThrow());
        }
        FileLayout layout = FileLayout.of(store, group, specs);
        if (announced != null
                && !announced.header().placements().equals(layout.header().placements())) {
            for (String name : names()) {
                moveAside(name);
            }
            file.clear();
        }
        for (String name : names()) {
            Written array = committed(name).orElseThrow();
            if (array.file != file) {
                Written moved = new Written(
                        array.spec,
                        file,
                        Objects.requireNonNull(layout.header().placements().get(name)),
                        true);
                copy(array, moved);
                arrays.put(name, moved);
            }
        }
        file.setSize(layout.size());
        file.write(0, layout.bytes().duplicate());
        file.publish(replace);
        finished = true;
        closeAside();
    }

    /** {@return the names of committed arrays, those that were announced in the order in which they were} */
    private List<String> inOrder() {
        Map<String, Boolean> names = new LinkedHashMap<>();
        expected.keySet().stream().filter(names()::contains).forEach(name -> names.put(name, true));
        names().forEach(name -> names.put(name, true));
        return List.copyOf(names.keySet());
    }

    private void moveAside(String name) throws IOException {
        Written array = committed(name).orElseThrow();
        if (array.file == file) {
            Written moved = aside(array.spec);
            copy(array, moved);
            arrays.put(name, new Written(moved.spec, moved.file, moved.placement, true));
        }
    }

    private static void copy(Written from, Written to) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate(Transfers.PIECE);
        long bytes = from.spec.bytes();
        for (long done = 0; done < bytes; ) {
            piece.clear().limit((int) Math.min(piece.capacity(), bytes - done));
            from.placement.read(from.file::read, done, piece, null);
            done += piece.flip().remaining();
            to.placement.write(to.file, done - piece.remaining(), piece);
        }
    }

    private void closeAside() throws IOException {
        if (aside != null) {
            aside.close();
            aside = null;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            closeAside();
        } finally {
            file.close();
        }
    }
}
