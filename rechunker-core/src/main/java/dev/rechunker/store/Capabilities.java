package dev.rechunker.store;

/**
 * What a store can do; what it declares, the contract kit tests, the absent ones included.
 *
 * @param writable whether arrays can be created
 * @param hierarchical whether it holds groups and arrays at paths; else one array, at the root
 * @param concurrentWriters whether write units may be written by several threads at once
 * @param atomicPublish whether a reader never sees part of a write unit, even after a crash
 * @param updatable whether units of arrays that exist can be written again, and axes be made longer
 */
public record Capabilities(
        boolean writable, boolean hierarchical, boolean concurrentWriters, boolean atomicPublish, boolean updatable) {
    /** Of a store that can only be read. */
    public static final Capabilities READ_ONLY = new Capabilities(false, true, false, false, false);
}
