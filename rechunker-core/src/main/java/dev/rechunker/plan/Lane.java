package dev.rechunker.plan;

import dev.rechunker.memory.Workspace;
import java.util.Optional;

/**
 * The memory of one thread: a buffer, and the memory of native codecs. While the thread reads, the first part of the
 * buffer holds the decoded data, and the rest is scratch. While it encodes, the whole buffer is scratch.
 *
 * @param readBytes the bytes for data that were read and decoded
 * @param readScratch the scratch for decoding, in bytes
 * @param writeScratch the scratch for padding and encoding, in bytes
 * @param nativeBytes the bytes outside of any buffer
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

    /**
     * {@return the lane of a stage that copies encoded units; empty if units must be decoded, or exceed every buffer}
     */
    static Optional<Lane> encoded(Problem problem) {
        return problem.encoded()
                .map(Problem.Encoded::memory)
                .filter(writer -> writer.scratchBytes() <= Workspace.MAX_BUFFER)
                .map(writer ->
                        new Lane(0, 0, writer.scratchBytes(), problem.reader().nativeBytes() + writer.nativeBytes()));
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
    static Lane split(Problem problem, Resources resources, int lanes) {
        return new Lane(
                problem.reader().chunkBytes(),
                problem.reader().scratchBytes(),
                PackedPieces.of(resources, lanes)
                        .map(PackedPieces::encodeScratch)
                        .orElse(0L),
                spillNative(problem, resources));
    }

    /** {@return the lane of a stage from one spill to the next} */
    static Lane regroup(Problem problem, Resources resources, int lanes) {
        Optional<PackedPieces> packed = PackedPieces.of(resources, lanes);
        return new Lane(
                packed.map(PackedPieces::mostBytes).orElse(0L),
                readBackScratch(problem, resources, packed),
                packed.map(PackedPieces::encodeScratch).orElse(0L),
                spillNative(problem, resources));
    }

    /** {@return the lane of a stage from spill to target} */
    static Lane merge(Problem problem, Resources resources, int lanes) {
        Optional<PackedPieces> packed = PackedPieces.of(resources, lanes);
        return new Lane(
                packed.map(PackedPieces::mostBytes).orElse(0L),
                readBackScratch(problem, resources, packed),
                problem.writer().scratchBytes() + problem.padBytes(),
                spillNative(problem, resources));
    }

    private static long readBackScratch(Problem problem, Resources resources, Optional<PackedPieces> packed) {
        long remote = resources
                .remoteSpill()
                .map(spill -> spill.scratchBytes(problem.itemSize()))
                .orElse(0L);
        return packed.map(PackedPieces::decodeScratch).orElse(remote);
    }

    /** {@return the memory of native codecs and connections, the same in all stages, which share a workspace} */
    private static long spillNative(Problem problem, Resources resources) {
        return Math.max(problem.reader().nativeBytes(), problem.writer().nativeBytes())
                + resources.remoteSpill().map(RemoteSpill::requestBytes).orElse(0L)
                + resources.compression().map(SpillCompression::nativeBytes).orElse(0L);
    }

    /** {@return this lane with another number of bytes for data that were read} */
    Lane withReadBytes(long bytes) {
        return new Lane(bytes, readScratch, writeScratch, nativeBytes);
    }

    /** {@return the size of the buffer in bytes} */
    long bufferBytes() {
        return Math.max(readBytes + readScratch, writeScratch);
    }

    /** {@return all memory of the lane, in bytes} */
    long bytes() {
        return bufferBytes() + nativeBytes;
    }
}
