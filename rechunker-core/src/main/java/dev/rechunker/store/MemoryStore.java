package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ReadTraits.Granularity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A store in the heap of this JVM, for unit tests and for data that is in memory anyway.
 *
 * <p>It holds a hierarchy of groups and arrays in any grid, with or without shards. Elements are not encoded: each
 * write unit that was written is one {@code byte[]}, so a unit has less than 2^31 bytes, and the codecs of a spec are a
 * description only. The memory limit of a copy does not cover the data in the store. {@link #close()} does nothing: the
 * data exist as long as the store is reachable.
 *
 * <pre>{@code
 * MemoryStore source = MemoryStore.of(new int[][] {{1, 2}, {3, 4}}, 1, 2);
 * MemoryStore target = new MemoryStore();
 * // ... copy ...
 * int[][] copied = (int[][]) target.array("");
 * }</pre>
 */
public final class MemoryStore implements ChunkStore, Updatable {
    private static final Capabilities CAPABILITIES = Capabilities.ofHierarchy()
            .withWritable(true)
            .withConcurrentWriters(true)
            .withConcurrentArrays(true)
            .withAtomicPublish(true);

    private final String name;
    private final String identity = "memory:" + UUID.randomUUID();
    private final MemoryArray.Behavior behavior;
    /** The nodes by path, including every parent of a node; guarded by itself. */
    private final TreeMap<String, Entry> entries = new TreeMap<>();

    /** Creates an empty store whose readers read any part of a chunk, without padding. */
    public MemoryStore() {
        this(builder());
    }

    private MemoryStore(Builder builder) {
        name = builder.name;
        behavior = new MemoryArray.Behavior(
                builder.name,
                builder.granularity,
                builder.blockBytes,
                builder.paddedEdges,
                builder.encoded,
                builder.parts);
    }

    /** {@return a builder of an empty store} */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * {@return a store that holds one array, at its root}
     *
     * @param elements all its elements, dense, in C order and the byte order of the spec
     * @throws IllegalArgumentException if their number of bytes differs from the spec, or this store cannot hold it
     */
    public static MemoryStore of(ArraySpec spec, byte[] elements) {
        return new MemoryStore().put("", spec, elements);
    }

    /**
     * {@return a store that holds one array, at its root: {@code MemoryStore.of(new int[4][30][40], 4, 10, 10)}}
     *
     * @param values an array of {@code boolean}, {@code byte}, {@code short}, {@code int}, {@code long}, {@code float}
     *     or {@code double}, or of arrays of them, all of one length on each level. They are copied; integers are
     *     signed
     * @param chunks the extents of chunks; none for one chunk
     * @throws IllegalArgumentException if the values are not such an array, saying why; or if the chunks do not have
     *     the same number of axes
     */
    public static MemoryStore of(Object values, long... chunks) {
        ArraySpec spec = NestedArrays.spec(values, chunks);
        return of(spec, NestedArrays.elements(values, spec));
    }

    /**
     * Creates an array with all its elements.
     *
     * @param elements dense, in C order and the byte order of the spec
     * @return this store
     * @throws IllegalArgumentException if their number of bytes differs from the spec, if this store cannot hold it, or
     *     if there is a node at the path
     */
    public MemoryStore put(String path, ArraySpec spec, byte[] elements) {
        if (elements.length != spec.bytes()) {
            throw new IllegalArgumentException(
                    elements.length + " bytes of elements for " + spec + ", which has " + spec.bytes());
        }
        try (MemoryWriter writer = writer(path, spec, false)) {
            writer.array().scatter(elements);
            writer.commit();
        } catch (StoreException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return this;
    }

    /**
     * {@return all elements of an array, dense, in C order and the byte order of its spec; the fill value where nothing
     * was written}
     *
     * @throws IllegalArgumentException if there is no array at the path
     * @throws ArithmeticException if the elements do not fit into a {@code byte[]}
     */
    public byte[] elements(String path) {
        return entry(path)
                .flatMap(entry -> Optional.ofNullable(entry.array))
                .orElseThrow(() -> new IllegalArgumentException("there is no array at " + at(path)))
                .gather();
    }

    /**
     * {@return all elements of an array as nested Java arrays: {@code (int[][][]) store.array("")}; unsigned integers
     * as signed integers with the same bits}
     *
     * @throws IllegalArgumentException if there is no array at the path, or no Java array has elements of its type
     */
    public Object array(String path) {
        byte[] elements = elements(path);
        return NestedArrays.nested(
                entry(path)
                        .flatMap(entry -> Optional.ofNullable(entry.array))
                        .orElseThrow()
                        .spec(),
                elements);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Optional<Node> node(String path) {
        return entry(path).map(Entry::node);
    }

    @Override
    public List<String> children(String path) {
        ChunkStore.requirePath(path);
        String prefix = path.isEmpty() ? "" : path + "/";
        List<String> names = new ArrayList<>();
        synchronized (entries) {
            String below = entries.higherKey(prefix);
            while (below != null && below.startsWith(prefix)) {
                int slash = below.indexOf('/', prefix.length());
                if (slash < 0) {
                    names.add(below.substring(prefix.length()));
                    below = entries.higherKey(below);
                } else {
                    below = entries.ceilingKey(below.substring(0, slash) + (char) ('/' + 1)); // after what is in it
                }
            }
        }
        return names;
    }

    @Override
    public ArrayReader openReader(String path) throws StoreException {
        MemoryArray array = entry(path).map(entry -> entry.array).orElse(null);
        if (array == null) {
            throw new StoreException("there is no array at " + at(path));
        }
        return new MemoryReader(array);
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        MemoryArray.requireHeld(wanted, behavior);
        return wanted;
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        return new MemoryArray(name(), resolve(resolved), behavior).writeTraits();
    }

    @Override
    public boolean isVacant(String path) {
        ChunkStore.requirePath(path);
        String prefix = path.isEmpty() ? "" : path + "/";
        synchronized (entries) {
            String below = entries.ceilingKey(prefix);
            return !entries.containsKey(path) && (below == null || !below.startsWith(prefix));
        }
    }

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws StoreException {
        ChunkStore.requirePath(path);
        synchronized (entries) {
            requireFree(path, overwrite);
        }
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws StoreException {
        return writer(path, spec, overwrite);
    }

    private MemoryWriter writer(String path, ArraySpec spec, boolean overwrite) throws StoreException {
        ChunkStore.requirePath(path);
        MemoryArray array = new MemoryArray(at(path).toString(), resolve(spec), behavior);
        synchronized (entries) {
            requireFree(path, overwrite);
            entries.remove(path);
        }
        return new MemoryWriter(array, false, () -> publish(path, array));
    }

    @Override
    public Optional<Updatable> updatable() {
        return Optional.of(this);
    }

    /** {@return a writer of a copy, which replaces the existing array when it is committed} */
    @Override
    public ArrayWriter update(String path, ArraySpec spec) throws StoreException {
        MemoryArray old = entry(path).map(entry -> entry.array).orElse(null);
        if (old == null) {
            throw new StoreException("there is no array at " + at(path));
        }
        old.spec().requireGrowth(spec);
        MemoryArray grown = old.grown(resolve(spec));
        return new MemoryWriter(grown, true, () -> replace(path, old, grown));
    }

    private void replace(String path, MemoryArray old, MemoryArray grown) throws StoreException {
        synchronized (entries) {
            Entry there = entries.get(path);
            if (there == null || there.array != old) {
                throw new StoreException("the array at " + at(path) + " was replaced while it was written");
            }
            entries.put(path, new Entry(grown, GroupSpec.EMPTY));
        }
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        return Optional.of(new MemoryArray(name(), resolved, behavior).readTraits());
    }

    private void publish(String path, MemoryArray array) throws StoreException {
        synchronized (entries) {
            requireFree(path, false);
            addParents(path);
            entries.put(path, new Entry(array, GroupSpec.EMPTY));
        }
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws StoreException {
        ChunkStore.requirePath(path);
        synchronized (entries) {
            Entry there = entries.get(path);
            if (there != null && there.array != null) {
                throw new StoreException("there is an array at " + at(path) + ", so it cannot become a group");
            }
            requireGroupsAbove(path);
            addParents(path);
            entries.put(path, new Entry(null, group));
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    /** Does nothing: the data stay. */
    @Override
    public void close() {}

    /** {@return the name} */
    @Override
    public String toString() {
        return name;
    }

    private Optional<Entry> entry(String path) {
        ChunkStore.requirePath(path);
        synchronized (entries) {
            return Optional.ofNullable(entries.get(path));
        }
    }

    private void requireFree(String path, boolean overwrite) throws StoreException {
        Entry there = entries.get(path);
        if (there != null && (there.array == null || !overwrite)) {
            throw new StoreException(
                    "there is " + (there.array == null ? "a group" : "an array") + " at " + at(path) + " already");
        }
        requireGroupsAbove(path);
    }

    private void requireGroupsAbove(String path) throws StoreException {
        for (String parent : NodePaths.ancestors(path)) {
            Entry there = entries.get(parent);
            if (there != null && there.array != null) {
                throw new StoreException(
                        "there is an array at " + at(parent) + ", so nothing can be below it: " + at(path));
            }
        }
    }

    private void addParents(String path) {
        for (String parent : NodePaths.ancestors(path)) {
            entries.putIfAbsent(parent, new Entry(null, GroupSpec.EMPTY));
        }
    }

    /** A node: an array, or a group. */
    private record Entry(@Nullable MemoryArray array, GroupSpec group) {
        Node node() {
            return array != null ? new ArrayNode(array.spec()) : new GroupNode(group, false);
        }
    }

    /** A builder of a {@link MemoryStore} that behaves like a store of some format. */
    public static final class Builder {
        private String name = "memory";
        private Granularity granularity = Granularity.BYTES;
        private long blockBytes;
        private boolean paddedEdges;
        private boolean encoded = true;
        private boolean parts;

        private Builder() {}

        /** Sets the name in messages; by default {@code memory}. */
        public Builder name(String value) {
            name = value;
            return this;
        }

        /** Sets what readers can read; by default {@link Granularity#BYTES}. */
        public Builder granularity(Granularity value) {
            granularity = value;
            return this;
        }

        /** Sets {@link ReadTraits#blockBytes}, which is only used with {@link Granularity#STREAM}; by default 0. */
        public Builder blockBytes(long value) {
            blockBytes = value;
            return this;
        }

        /**
         * Sets whether chunks and write units at the array's ends are exchanged in their nominal shape; by default they
         * are not. Readers with {@link Granularity#BYTES} never pad, nor do those of an array with an irregular grid.
         * Padding consists of bytes that cannot be mistaken for data.
         */
        public Builder paddedEdges(boolean value) {
            paddedEdges = value;
            return this;
        }

        /** Sets whether units can be copied without decoding, as {@link ArrayReader#encoded}; by default they can. */
        public Builder encodedCopies(boolean value) {
            encoded = value;
            return this;
        }

        /**
         * Sets whether write units can be assembled from parts; by default they cannot. The parts of a shard are its
         * chunks; the parts of other units in a regular grid are the slices on the first axis of more than one element.
         */
        public Builder parts(boolean value) {
            parts = value;
            return this;
        }

        /** {@return the empty store} */
        public MemoryStore build() {
            return new MemoryStore(this);
        }
    }
}
