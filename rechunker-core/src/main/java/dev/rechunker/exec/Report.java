package dev.rechunker.exec;

import java.time.Duration;
import java.util.List;

/**
 * What a run did.
 *
 * @param elapsed how long it took
 * @param projectedMemory the most bytes that the plan said would be held
 * @param measuredMemory the most bytes that were held
 * @param bytesRead uncompressed bytes read, from source and spill
 * @param bytesWritten uncompressed bytes written, to spill and target
 * @param storedBytesRead bytes read from source and spill as they are stored
 * @param storedBytesWritten bytes written to spill and target as they are stored
 * @param spillPeakBytes the most bytes of spill that existed at once
 * @param sourceChunkReads reads of chunks of the source, missing ones included
 * @param unitsWritten write units written to the target
 * @param unitsEmpty write units not written because they hold nothing but the fill value
 * @param tasks tasks run
 * @param tasksDoneBefore tasks not run because an earlier run, which this one goes on with, has done them
 * @param retries operations tried again because they failed in a way that may pass
 * @param corrupt source chunks that could not be decoded and have the fill value instead, one sentence each, at most
 *     1000; then a sentence that says how many reads of others failed
 * @param losses what the target does not keep of the source, one sentence each; known before the run
 */
public record Report(
        Duration elapsed,
        long projectedMemory,
        long measuredMemory,
        long bytesRead,
        long bytesWritten,
        long storedBytesRead,
        long storedBytesWritten,
        long spillPeakBytes,
        long sourceChunkReads,
        long unitsWritten,
        long unitsEmpty,
        long tasks,
        long tasksDoneBefore,
        long retries,
        List<String> corrupt,
        List<String> losses) {
    /** Takes copies of the lists. */
    public Report {
        corrupt = List.copyOf(corrupt);
        losses = List.copyOf(losses);
    }
}
