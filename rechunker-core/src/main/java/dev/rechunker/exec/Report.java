package dev.rechunker.exec;

import dev.rechunker.picture.RunPicture;
import dev.rechunker.picture.RunPicture.Fact;
import dev.rechunker.picture.RunPicture.Unit;
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
 * @param sourceChunkReads reads of chunks of the source, missing ones included; of parts of chunks, what chunks they
 *     make
 * @param unitsWritten write units written to the target; of units larger than memory, the parts that make them
 * @param unitsEmpty write units, or such parts, not written because they hold nothing but the fill value
 * @param tasks tasks run
 * @param tasksDoneBefore tasks not run because an earlier run, which this one goes on with, has done them
 * @param retries operations tried again because they failed in a way that may pass
 * @param corrupt source chunks that could not be decoded and have the fill value instead, one sentence each, at most
 *     1000; then a sentence that says how many reads of others failed
 * @param losses what the target does not keep of the source, one sentence each; known before the run
 * @param maxMem the bound
 * @param samples what had been done at some times, from the start to the end; at most 512, evenly spread
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
        long tasksDoneBefore,
        long retries,
        List<String> corrupt,
        List<String> losses,
        long maxMem,
        List<Sample> samples,
        long elementsVerified,
        List<ArrayChecksum> checksums) {
    /** Takes copies of the lists. */
    public Report {
        corrupt = List.copyOf(corrupt);
        losses = List.copyOf(losses);
        samples = List.copyOf(samples);
        checksums = List.copyOf(checksums);
    }

    /** {@return the run as a page of HTML: throughput and memory over time, and the figures} */
    public String toHtml() {
        return picture().html();
    }

    /** {@return the picture of the run} */
    public RunPicture picture() {
        List<RunPicture.Moment> moments = samples.stream()
                .map(sample -> new RunPicture.Moment(
                        sample.elapsed().toNanos() / 1e9,
                        sample.stage(),
                        sample.bytesRead(),
                        sample.bytesWritten(),
                        sample.memoryHeld()))
                .toList();
        List<Fact> facts = List.of(
                new Fact("time", elapsed.toNanos() / 1e9, Unit.SECONDS),
                new Fact("memory measured", measuredMemory, Unit.BYTES),
                new Fact("memory projected", projectedMemory, Unit.BYTES),
                new Fact("memory allowed", maxMem, Unit.BYTES),
                new Fact("read, uncompressed", bytesRead, Unit.BYTES),
                new Fact("read, as stored", storedBytesRead, Unit.BYTES),
                new Fact("written, uncompressed", bytesWritten, Unit.BYTES),
                new Fact("written, as stored", storedBytesWritten, Unit.BYTES),
                new Fact("temporary files, at most at once", spillPeakBytes, Unit.BYTES),
                new Fact("reads of source chunks", sourceChunkReads, Unit.COUNT),
                new Fact("write units written", unitsWritten, Unit.COUNT),
                new Fact("write units left out, with nothing but the fill value", unitsEmpty, Unit.COUNT),
                new Fact("tasks", tasks, Unit.COUNT),
                new Fact("tasks that an earlier run had done", tasksDoneBefore, Unit.COUNT),
                new Fact("operations tried again", retries, Unit.COUNT));
        return RunPicture.of(moments, facts, maxMem, projectedMemory, losses);
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
                tasksDoneBefore,
                retries,
                corrupt,
                losses,
                maxMem,
                samples,
                verified,
                found);
    }
}
