package dev.rechunker.plan;

import java.util.Optional;

/**
 * The memory of one thread: a buffer, whose first part takes what was read and whose rest is scratch, and what native
 * codecs hold. While a thread encodes, the whole buffer is scratch.
 *
 * @param readBytes for what was read and decoded
 * @param readScratch for decoding
 * @param writeScratch for padding and encoding
 * @param nativeBytes outside of any buffer
 */
record Lane(long readBytes, long readScratch, long writeScratch, long nativeBytes) {
    /** {@return the lane of a stage from source to target} */
    static Lane direct(Problem problem) {
        return new Lane(
                problem.reader().chunkBytes(),
                problem.reader().scratchBytes(),
                problem.writer().scratchBytes() + problem.padBytes(),
                problem.reader().nativeBytes() + problem.writer().nativeBytes());
    }

    /** {@return the lane of a stage from source to target, part by part} */
    static Lane parts(Problem problem, Problem.Parts parts) {
        return new Lane(
                problem.reader().chunkBytes(),
                problem.reader().scratchBytes(),
                parts.writer().scratchBytes(),
                problem.reader().nativeBytes() + parts.writer().nativeBytes());
    }

    /** {@return the lane of a stage from source to spill} */
    static Lane split(Problem problem, Optional<RemoteSpill> remote) {
        return new Lane(
                problem.reader().chunkBytes(), problem.reader().scratchBytes(), 0, spillNative(problem, remote));
    }

    /** {@return the lane of a stage from one spill in files to the next} */
    static Lane regroup(Problem problem) {
        return new Lane(0, 0, 0, spillNative(problem, Optional.empty()));
    }

    /** {@return the lane of a stage from spill to target} */
    static Lane merge(Problem problem, Optional<RemoteSpill> remote) {
        return new Lane(
                0,
                remote.map(spill -> spill.scratchBytes(problem.itemSize())).orElse(0L),
                problem.writer().scratchBytes() + problem.padBytes(),
                spillNative(problem, remote));
    }

    /** {@return what is left to native codecs and connections in all stages, which have one workspace} */
    private static long spillNative(Problem problem, Optional<RemoteSpill> remote) {
        return Math.max(problem.reader().nativeBytes(), problem.writer().nativeBytes())
                + remote.map(RemoteSpill::requestBytes).orElse(0L);
    }

    /** {@return the lane with another room for what was read} */
    Lane reading(long bytes) {
        return new Lane(bytes, readScratch, writeScratch, nativeBytes);
    }

    /** {@return the size of the buffer} */
    long bufferBytes() {
        return Math.max(readBytes + readScratch, writeScratch);
    }

    /** {@return everything a lane holds} */
    long bytes() {
        return bufferBytes() + nativeBytes;
    }
}
