package dev.rechunker.exec;

import dev.rechunker.verify.ArrayChecksum;
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
 * @param losses what the target does not keep of the source, one sentence each; known before the run
 * @param elementsVerified elements that were read again from source and target, and are the same
 * @param checksums of the arrays that were written, if they were asked for
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
        List<String> losses,
        long elementsVerified,
        List<ArrayChecksum> checksums) {
    /** Takes copies of the lists. */
    public Report {
        losses = List.copyOf(losses);
        checksums = List.copyOf(checksums);
    }

    /** {@return this report, and what was found once everything was written} */
    public Report checked(long verified, List<ArrayChecksum> found) {
        return new Report(
                elapsed,
                projectedMemory,
                measuredMemory,
                bytesRead,
                bytesWritten,
                storedBytesRead,
                storedBytesWritten,
                spillPeakBytes,
                sourceChunkReads,
                unitsWritten,
                unitsEmpty,
                tasks,
                losses,
                verified,
                found);
    }
}
