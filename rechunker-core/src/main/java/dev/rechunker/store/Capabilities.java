package dev.rechunker.store;

/**
 * What a store can do; what it declares, the contract kit tests, the absent ones included.
 *
 * @param writable whether arrays can be created
 * @param hierarchical whether it holds groups and arrays at paths; else one array, at the root
 * @param concurrentWriters whether write units may be written by several threads at once
 * @param atomicPublish whether a reader never sees part of a write unit, even after a crash
 * @param updatable whether units of arrays that exist can be written again, and axes be made longer
 * @param remote whether a request takes long, however few bytes it moves, so that many have to be under way at once: an
 *     object store
 */
public record Capabilities(
        boolean writable,
        boolean hierarchical,
        boolean concurrentWriters,
        boolean atomicPublish,
        boolean updatable,
        boolean remote) {
    /** Of a store that can only be read. */
    public static final Capabilities READ_ONLY = new Capabilities(false, true, false, false, false);

    /** Of a store of one array that can only be read. */
    public static final Capabilities READ_ONLY_ARRAY = new Capabilities(false, false, false, false, false);

    /** Of a store on this machine. */
    public Capabilities(
            boolean writable,
            boolean hierarchical,
            boolean concurrentWriters,
            boolean atomicPublish,
            boolean updatable) {
        this(writable, hierarchical, concurrentWriters, atomicPublish, updatable, false);
    }

    /** {@return the same of a store that is remote, or is not} */
    public Capabilities withRemote(boolean isRemote) {
        return new Capabilities(writable, hierarchical, concurrentWriters, atomicPublish, updatable, isRemote);
    }
}
