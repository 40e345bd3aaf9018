package dev.rechunker.plan;

/**
 * What carrying out a strategy takes.
 *
 * @param bytesRead uncompressed bytes read: of the source, as often as they are read, and of the spill's files
 * @param bytesWritten uncompressed bytes written: to the spill's files and to the target
 * @param spillBytes bytes written to the spill's files in all
 * @param spillPeakBytes the most bytes of them that exist at once
 * @param sourceReadsPerChunk how often a source chunk is visited, on average
 * @param operations pieces that pass from what is read at once to what is written at once: the tasks of a strategy with
 *     one stage, the pieces of a spill, and the windows of what of it stays in memory
 * @param requests reads and writes of storage
 * @param seconds the time by the cost model, of all workers together
 */
public record Cost(
        double bytesRead,
        double bytesWritten,
        long spillBytes,
        long spillPeakBytes,
        double sourceReadsPerChunk,
        double operations,
        double requests,
        double seconds) {
    /** {@return the same in another time} */
    Cost withSeconds(double otherSeconds) {
        return new Cost(
                bytesRead,
                bytesWritten,
                spillBytes,
                spillPeakBytes,
                sourceReadsPerChunk,
                operations,
                requests,
                otherSeconds);
    }
}
