package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * How regions are read from members of one kind: whole chunks straight into their place where they lie there as the
 * member delivers them, else chunk by chunk by way of the scratch; in the byte order and with the fill value that the
 * joined array needs. Members of the same spec and traits share one. Immutable.
 */
final class MemberRead {
    private final ArraySpec spec;
    private final ReadTraits traits;
    private final int itemSize;
    private final int swapWord;
    private final byte[] fill;
    private final boolean sameFill;
    private final long pieceBytes;

    /**
     * Prepares reading.
     *
     * @param spec the member's spec, without what reading does not need
     * @param traits the member's traits
     * @param joined the spec of the joined array, for its byte order and fill value
     * @param regions the largest regions that will be read, as a grid over the member
     */
    MemberRead(ArraySpec spec, ReadTraits traits, ArraySpec joined, ChunkGrid regions) {
        this.spec = spec;
        this.traits = traits;
        this.itemSize = spec.dataType().itemSize();
        this.swapWord = spec.byteOrder().equals(joined.byteOrder())
                ? 1
                : spec.dataType().wordSize();
        this.fill = spec.fillValue().swapped(swapWord).element(itemSize);
        this.sameFill = Arrays.equals(fill, joined.fillValue().element(itemSize));
        this.pieceBytes = spec.shape().isEmpty() ? 0 : pieceBytes(regions);
    }

    /** {@return whether any part of a chunk can be read from such a member} */
    static boolean readsBytes(ReadTraits traits) {
        return traits.granularity() == ReadTraits.Granularity.BYTES && !traits.paddedEdges();
    }

    ArraySpec spec() {
        return spec;
    }

    ReadTraits traits() {
        return traits;
    }

    /** {@return the scratch that a read takes} */
    long scratchBytes() {
        return Math.addExact(pieceBytes, traits.scratchBytes());
    }

    /** {@return the buffer that the largest piece takes; 0 if all are read straight to their place} */
    private long pieceBytes(ChunkGrid regions) {
        boolean direct = true;
        for (int axis = 0; axis < regions.rank(); axis++) {
            Partition chunks = spec.chunks().axis(axis);
            direct &= Cuts.refines(regions.axis(axis), chunks)
                    && (readsBytes(traits) || regions.axis(axis).count() == chunks.count())
                    && !(traits.paddedEdges() && chunks.length() % chunks.step() != 0);
        }
        if (direct) {
            return 0;
        }
        Shape largest = traits.paddedEdges()
                ? spec.chunks().chunkShape()
                : spec.chunks().largestChunk();
        Shape piece = readsBytes(traits) ? largest.combine(regions.largestChunk(), Math::min) : largest;
        return Math.multiplyExact(piece.elements(), (long) itemSize);
    }

    /**
     * Reads a region of a member.
     *
     * @param target receives it, from position to limit, dense, in the byte order of the joined array
     * @return false if nothing of it was ever written, and that reads as the fill value of the joined array
     */
    boolean read(ArrayReader reader, Region region, ByteBuffer target, Scratch scratch) throws IOException {
        Region touched = spec.chunks().chunksTouching(region);
        ByteBuffer dense = target.slice();
        long[] strides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
        if (touched.elements() == 1 && isDeliveredAsItIs(region, touched)) {
            boolean found = reader.read(region, dense.duplicate(), scratch);
            if (found && swapWord > 1) {
                copy(dense, 0, strides, dense, 0, strides, region.shape());
            } else if (!found && !sameFill) {
                StridedCopy.fill(dense, 0, strides, region.shape().toArray(), fill);
            }
            return found || !sameFill;
        }
        boolean any = false;
        Odometer chunks = new Odometer(touched);
        while (chunks.next()) {
            any |= readPiece(reader, spec.chunks().region(chunks.index()), region, dense, strides, scratch);
        }
        return any || !sameFill;
    }

    private boolean isDeliveredAsItIs(Region region, Region chunkIndex) {
        Region chunk = spec.chunks().region(chunkIndex.origin());
        return readsBytes(traits)
                || (chunk.equals(region)
                        && !(traits.paddedEdges()
                                && !chunk.shape().equals(spec.chunks().chunkShape())));
    }

    /** {@return whether anything was ever written into the chunk} */
    private boolean readPiece(
            ArrayReader reader, Region chunk, Region region, ByteBuffer dense, long[] strides, Scratch scratch)
            throws IOException {
        Region part = chunk.intersect(region).orElseThrow();
        Region read = readsBytes(traits) ? part : chunk;
        Shape layout = traits.paddedEdges() ? spec.chunks().chunkShape() : read.shape();
        int mark = scratch.mark();
        try {
            ByteBuffer piece = scratch.take(layout.elements() * itemSize);
            boolean found = reader.read(read, piece.duplicate(), scratch);
            long at = offset(part, region, strides);
            if (found) {
                long[] from = StridedCopy.denseStrides(layout.toArray(), itemSize);
                copy(piece, offset(part, read, from), from, dense, at, strides, part.shape());
            } else {
                StridedCopy.fill(dense, at, strides, part.shape().toArray(), fill);
            }
            return found;
        } finally {
            scratch.release(mark);
        }
    }

    private void copy(
            ByteBuffer source, long from, long[] sourceStrides, ByteBuffer target, long to, long[] strides, Shape box) {
        StridedCopy.copy(source, from, sourceStrides, target, to, strides, box.toArray(), itemSize, swapWord);
    }

    private static long offset(Region part, Region box, long[] strides) {
        long offset = 0;
        for (int axis = 0; axis < strides.length; axis++) {
            offset += (part.start(axis) - box.start(axis)) * strides[axis];
        }
        return offset;
    }
}
