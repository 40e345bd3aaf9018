package dev.rechunker.store;

/**
 * What a store can do beyond what every store does: immutable, and built by name.
 *
 * <pre>{@code
 * Capabilities.ofHierarchy().withWritable(true).withConcurrentWriters(true).withAtomicPublish(true)
 * }</pre>
 *
 * <p>The contract kit tests what a store declares, and that it refuses what it does not declare. Abilities that come
 * with methods of their own are not here but optional interfaces of {@link ChunkStore}.
 */
public final class Capabilities {
    private static final int HIERARCHICAL = 1;
    private static final int WRITABLE = 2;
    private static final int CONCURRENT_WRITERS = 4;
    private static final int ATOMIC_PUBLISH = 8;
    private static final int REMOTE = 16;
    private static final int NAMED_ARRAYS = 32;
    private static final int CONCURRENT_ARRAYS = 64;

    private final int flags;

    private Capabilities(int flags) {
        this.flags = flags;
    }

    /** {@return the capabilities of a local store of one array, at its root, that can only be read} */
    public static Capabilities ofOneArray() {
        return new Capabilities(0);
    }

    /** {@return the capabilities of a local store of groups and arrays at paths that can only be read} */
    public static Capabilities ofHierarchy() {
        return new Capabilities(HIERARCHICAL);
    }

    /** {@return whether it holds groups and arrays at paths; otherwise one array, at the root} */
    public boolean hierarchical() {
        return has(HIERARCHICAL);
    }

    /** {@return whether arrays can be created} */
    public boolean writable() {
        return has(WRITABLE);
    }

    /** {@return the same, writable or not} */
    public Capabilities withWritable(boolean value) {
        return with(WRITABLE, value);
    }

    /** {@return whether several threads may write different write units at once} */
    public boolean concurrentWriters() {
        return has(CONCURRENT_WRITERS);
    }

    /** {@return the same, with concurrent writers or without} */
    public Capabilities withConcurrentWriters(boolean value) {
        return with(CONCURRENT_WRITERS, value);
    }

    /**
     * {@return whether several threads may open different arrays at once, to read them, or to create, write and commit
     * them}
     */
    public boolean concurrentArrays() {
        return has(CONCURRENT_ARRAYS);
    }

    /** {@return the same, with concurrent arrays or without} */
    public Capabilities withConcurrentArrays(boolean value) {
        return with(CONCURRENT_ARRAYS, value);
    }

    /** {@return whether a reader never sees a part of a write unit, even after a crash} */
    public boolean atomicPublish() {
        return has(ATOMIC_PUBLISH);
    }

    /** {@return the same, with units published whole or not} */
    public Capabilities withAtomicPublish(boolean value) {
        return with(ATOMIC_PUBLISH, value);
    }

    /**
     * {@return whether a request takes long, however few bytes it moves, so that many must be in progress at once: an
     * object store}
     */
    public boolean remote() {
        return has(REMOTE);
    }

    /** {@return the same, remote or local} */
    public Capabilities withRemote(boolean value) {
        return with(REMOTE, value);
    }

    /**
     * {@return whether the root is always a group, so that an array has a name: a copy of one array to the root has the
     * name that the array has in its source}
     */
    public boolean namedArrays() {
        return has(NAMED_ARRAYS);
    }

    /** {@return the same, with a root that is always a group, or not} */
    public Capabilities withNamedArrays(boolean value) {
        return with(NAMED_ARRAYS, value);
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    private Capabilities with(int flag, boolean value) {
        return new Capabilities(value ? flags | flag : flags & ~flag);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Capabilities same && same.flags == flags;
    }

    @Override
    public int hashCode() {
        return flags;
    }

    /** {@return what a store with these capabilities is: {@code local hierarchy, writable, concurrent writers}} */
    @Override
    public String toString() {
        return (remote() ? "remote " : "local ")
                + (hierarchical() ? "hierarchy" : "array")
                + (namedArrays() ? " of named arrays" : "")
                + (writable() ? ", writable" : ", read-only")
                + (concurrentWriters() ? ", concurrent writers" : "")
                + (concurrentArrays() ? ", concurrent arrays" : "")
                + (atomicPublish() ? ", atomic publish" : "");
    }
}
