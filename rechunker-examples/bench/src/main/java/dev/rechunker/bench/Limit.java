package dev.rechunker.bench;

import java.util.OptionalDouble;

/**
 * What no tool can go below on this machine with so many threads, without moving an element: every source chunk read
 * and decoded once, every write unit encoded and written once, and what the plan spills written and read back once.
 *
 * <p>Measured in a process that has done the same before, through the page cache, as a workload does its work.
 *
 * @param decodeSeconds of reading and decoding; where chunks are tiny, of opening and reading as many files
 * @param encodeSeconds of encoding and writing; where units are tiny, of creating as many files
 * @param spillSeconds of the spill, sequentially
 * @param fileCopySeconds of copying the stored files of the source as they are; not part of the limit
 * @param readsPerSecond files opened and read in a second, where chunks are tiny
 * @param createsPerSecond files created and written in a second, where units are tiny
 */
public record Limit(
        double decodeSeconds,
        double encodeSeconds,
        double spillSeconds,
        double fileCopySeconds,
        OptionalDouble readsPerSecond,
        OptionalDouble createsPerSecond) {
    /** {@return the limit} */
    public double seconds() {
        return decodeSeconds + encodeSeconds + spillSeconds;
    }
}
