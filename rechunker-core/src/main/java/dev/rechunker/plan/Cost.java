package dev.rechunker.plan;

/**
 * The cost of a strategy.
 *
 * @param bytesRead uncompressed bytes read: those of the source as often as they are read, and those of the spill
 * @param bytesWritten uncompressed bytes written, to the spill and to the target
 * @param storedRead the same as they are stored, by {@link Problem#stored}; what storage is asked for
 * @param storedWritten the same as they are stored
 * @param spillBytes all bytes that are written to the spill
 * @param spillPeakBytes the most bytes of the spill that exist at the same time
 * @param sourceReadsPerChunk how often a source chunk is visited, on average
 * @param operations the number of pieces that pass from one read region to one written region: the tasks of a strategy
 *     with one stage; of a spill its pieces, and the windows of the part that stays in memory
 * @param requests the number of reads and writes of storage
 * @param seconds the time by the cost model until all workers have finished
 */
public record Cost(
        double bytesRead,
        double bytesWritten,
        double storedRead,
        double storedWritten,
        long spillBytes,
        long spillPeakBytes,
        double sourceReadsPerChunk,
        double operations,
        double requests,
        double seconds) {
    /** {@return the same cost with another time} */
    Cost withSeconds(double otherSeconds) {
        return new Cost(
                bytesRead,
                bytesWritten,
                storedRead,
                storedWritten,
                spillBytes,
                spillPeakBytes,
                sourceReadsPerChunk,
                operations,
                requests,
                otherSeconds);
    }
}
