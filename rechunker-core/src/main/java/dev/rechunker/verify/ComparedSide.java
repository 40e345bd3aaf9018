package dev.rechunker.verify;

import com.google.common.primitives.Doubles;
import com.google.common.primitives.Longs;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import java.util.Optional;

/**
 * One of the two arrays of a comparison: how the parts of its chunks that are in a window are read, and at what cost.
 *
 * <p>Chunks that can only be decoded whole are read whole. Of other chunks, only what a window needs is read, in pieces
 * that fit a thread's buffer: parts of chunks of which any bytes can be read, and stretches of chunks that consist of
 * blocks.
 */
final class ComparedSide {
    /** The size of the largest piece that is read by one call, in bytes. */
    private static final long PART_BYTES = 1 << 20;

    /**
     * The size of the largest stretch that is read by one call, in blocks, if that is more than {@link #PART_BYTES}.
     */
    private static final long PART_BLOCKS = 8;

    /**
     * The cost of a call of the reader, in bytes that could be read in the same time; often a file is opened for it.
     */
    private static final double READ_BYTES = 32768;

    /** The cost of each contiguous run of bytes in a file, in bytes that could be read in the same time. */
    private static final double RUN_BYTES = 4096;

    private final ArraySpec spec;
    private final ReadTraits traits;
    private final ChunkGrid chunks;
    private final int itemSize;
    private final Kind kind;
    private final Shape decoded;

    ComparedSide(ArraySpec spec, ReadTraits traits) {
        this.spec = spec;
        this.traits = traits;
        this.chunks = spec.chunks();
        this.itemSize = spec.dataType().itemSize();
        this.kind = traits.granularity() == ReadTraits.Granularity.BYTES
                ? Kind.PARTS
                : traits.blockBytes() > 0 && chunks.isRegular() && chunks.rank() > 0 ? Kind.STRETCHES : Kind.CHUNKS;
        this.decoded = traits.paddedEdges() ? chunks.chunkShape() : chunks.largestChunk();
    }

    /** What one call of the reader reads. */
    private enum Kind {
        CHUNKS,
        STRETCHES,
        PARTS
    }

    ArraySpec spec() {
        return spec;
    }

    /**
     * Checks that a reader has the spec and traits of this side.
     *
     * @throws IllegalArgumentException if it does not
     */
    void requireSame(ArrayReader reader) {
        if (!reader.spec().equals(spec) || !reader.traits().equals(traits)) {
            throw new IllegalArgumentException("the comparison was planned for " + spec + " with " + traits
                    + ", but the array is " + reader.spec() + " with " + reader.traits());
        }
    }

    /** {@return the size of the buffer of a thread, in bytes} */
    long bufferBytes() {
        long chunk = Math.multiplyExact(decoded.elements(), (long) itemSize);
        return kind == Kind.CHUNKS
                ? chunk
                : Math.min(chunk, Math.max(itemSize, Math.max(PART_BYTES, PART_BLOCKS * traits.blockBytes())));
    }

    long scratchBytes() {
        return traits.scratchBytes();
    }

    long nativeBytes() {
        return traits.nativeBytes();
    }

    long heldBytes() {
        return traits.heldBytes();
    }

    /** {@return the mean extent on an axis of the pieces into which the cuts of chunks and windows divide it} */
    double pieceExtent(int axis, Partition windows) {
        return (double) windows.length() / chunks.axis(axis).pieces(windows);
    }

    /**
     * {@return the cost of reading the whole array in windows, in bytes that could be read in the same time}
     *
     * @param pieces the {@linkplain #pieceExtent mean extent} of pieces on each axis
     */
    double cost(double[] pieces) {
        double count = 1;
        for (int axis = 0; axis < pieces.length; axis++) {
            count *= spec.shape().extent(axis) / pieces[axis];
        }
        return count
                * switch (kind) {
                    case CHUNKS -> (double) spec.bytes() / chunks.count() + READ_BYTES;
                    case STRETCHES -> stretchCost(stretchAxis(pieces), pieces);
                    case PARTS -> partCost(pieces);
                };
    }

    /** {@return the cost of reading a part of these extents, run by run} */
    private double partCost(double[] part) {
        double bytes = itemSize;
        double run = itemSize;
        boolean isRun = true;
        for (int axis = part.length - 1; axis >= 0; axis--) {
            bytes *= part[axis];
            run *= isRun ? part[axis] : 1;
            isRun &= part[axis] >= decoded.extent(axis);
        }
        return bytes + bytes / run * RUN_BYTES + Math.ceil(bytes / bufferBytes()) * READ_BYTES;
    }

    /** {@return the axis on which stretches that cover a part of these extents are cut at the least cost} */
    private int stretchAxis(double[] part) {
        int best = 0;
        for (int axis = 1; axis < part.length; axis++) {
            if (stretchCost(axis, part) < stretchCost(best, part)) {
                best = axis;
            }
        }
        return best;
    }

    /** {@return the cost of reading stretches that cover a part of these extents and are cut on an axis} */
    private double stretchCost(int cut, double[] part) {
        return stretchBytes(cut, part, READ_BYTES);
    }

    /** {@return the bytes that are decoded for such stretches, and {@code more} bytes for each read} */
    private double stretchBytes(int cut, double[] part, double more) {
        double stretches = 1;
        for (int axis = 0; axis < cut; axis++) {
            stretches *= part[axis];
        }
        double bytes = part[cut] * itemSize;
        for (int axis = cut + 1; axis < part.length; axis++) {
            bytes *= decoded.extent(axis);
        }
        double reads = Math.ceil(bytes / bufferBytes());
        long additional = traits.additionalBytes(Math.round(bytes / reads));
        return stretches * (bytes + reads * (additional + more));
    }

    /** {@return the mean number of times that an element is decoded if the array is read in windows} */
    double reads(ChunkGrid windows) {
        double[] pieces = new double[chunks.rank()];
        double count = 1;
        for (int axis = 0; axis < pieces.length; axis++) {
            pieces[axis] = pieceExtent(axis, windows.axis(axis));
            count *= spec.shape().extent(axis) / pieces[axis];
        }
        return switch (kind) {
            case CHUNKS -> count / chunks.count();
            case STRETCHES -> count * stretchBytes(stretchAxis(pieces), pieces, 0) / spec.bytes();
            case PARTS -> 1;
        };
    }

    /** {@return the cut of the part of a chunk that is in a window of this shape, or empty if chunks are read whole} */
    Optional<Cut> cut(Shape window) {
        long[] part = largestPart(window);
        long most = bufferBytes() / itemSize;
        return switch (kind) {
            case CHUNKS -> Optional.empty();
            case STRETCHES ->
                Optional.of(Cut.of(part, stretchAxis(Doubles.toArray(Longs.asList(part))), decoded.toArray(), most));
            case PARTS -> Optional.of(Cut.of(part, 0, part, most));
        };
    }

    /** {@return the extents of the largest part of a chunk that is in a window of this shape} */
    long[] largestPart(Shape window) {
        long[] part = window.toArray();
        for (int axis = 0; axis < part.length; axis++) {
            part[axis] = Math.min(part[axis], decoded.extent(axis));
        }
        return part;
    }

    /** {@return whether stretches of chunks are read} */
    boolean readsStretches() {
        return kind == Kind.STRETCHES;
    }
}
