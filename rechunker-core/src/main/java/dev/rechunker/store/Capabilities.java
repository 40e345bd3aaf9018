package dev.rechunker.store;

/**
 * What a store can do; what it declares, the contract kit tests, the absent ones included.
 *
 * @param writable whether arrays can be created
 * @param hierarchical whether it holds groups and arrays at paths; else one array, at the root
 * @param concurrentWriters whether write units may be written by several threads at once
 * @param atomicPublish whether a reader never sees part of a write unit, even after a crash
 */
public record Capabilities(boolean writable, boolean hierarchical, boolean concurrentWriters, boolean atomicPublish) {
    /** Of a store that can only be read. */
    public static final Capabilities READ_ONLY = new Capabilities(false, true, false, false);

    /** Of a store of one array that can only be read. */
    public static final Capabilities READ_ONLY_ARRAY = new Capabilities(false, false, false, false);
}
