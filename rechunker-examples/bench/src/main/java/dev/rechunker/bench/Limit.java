package dev.rechunker.bench;

import java.util.OptionalDouble;

/**
 * The least time that any tool could take on this machine with a number of threads: the time to read and decode every
 * source chunk once, to encode and write every write unit once, and to write and read the spill of the plan once.
 *
 * <p>It is measured through the page cache, in a process that has done the same before.
 *
 * @param decodeSeconds the seconds to read and decode; for tiny chunks, to open and read as many files; if chunks stay
 *     the same, to copy the files of the source
 * @param encodeSeconds the seconds to encode and write; for tiny write units, to create as many files
 * @param spillSeconds the seconds to write and read the spill, sequentially
 * @param fileCopySeconds the seconds to copy the files of the source unchanged; not part of the limit
 * @param readsPerSecond the number of files opened and read per second, if chunks are tiny
 * @param createsPerSecond the number of files created and written per second, if write units are tiny
 */
public record Limit(
        double decodeSeconds,
        double encodeSeconds,
        double spillSeconds,
        double fileCopySeconds,
        OptionalDouble readsPerSecond,
        OptionalDouble createsPerSecond) {
    /** {@return the limit in seconds} */
    public double seconds() {
        return decodeSeconds + encodeSeconds + spillSeconds;
    }
}
