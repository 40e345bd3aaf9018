package dev.rechunker.view;

/**
 * What looking at the values of a source may take before a copy is planned.
 *
 * @param bytes the memory for data
 * @param threads the number of threads
 */
public record ScanLimits(long bytes, int threads) {
    /** The limits if no job says how much there is. */
    public static ScanLimits usual() {
        return new ScanLimits(64 << 20, Runtime.getRuntime().availableProcessors());
    }
}
