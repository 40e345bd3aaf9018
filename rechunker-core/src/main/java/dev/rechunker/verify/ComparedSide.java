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
 * One of two arrays that are compared: reads what of its chunks lies in a window, and as little else as it can.
 *
 * <p>Chunks that are decoded from their front are read whole. Of others those parts are read that a window needs, cut
 * so that one fits in a thread's buffer: parts of chunks of which any bytes can be read, and stretches of chunks that
 * consist of blocks.
 */
final class ComparedSide {
    /** Parts that are read at once have at most so many bytes. */
    private static final long PART_BYTES = 1 << 20;

    /** Stretches that are read at once have at most so many blocks, if that is more. */
    private static final long PART_BLOCKS = 8;

    /** What one more read costs, in bytes that could be read meanwhile: often a file is opened for it. */
    private static final double READ_BYTES = 32768;

    /** What one more run of bytes in a file costs. */
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

    /** What is read at once. */
    private enum Kind {
        CHUNKS,
        STRETCHES,
        PARTS
    }

    ArraySpec spec() {
        return spec;
    }

    /** Refuses a reader of another array than was planned for. */
    void requireSame(ArrayReader reader) {
        if (!reader.spec().equals(spec) || !reader.traits().equals(traits)) {
            throw new IllegalArgumentException("the comparison was planned for " + spec + " with " + traits
                    + ", but the array is " + reader.spec() + " with " + reader.traits());
        }
    }

    /** {@return the bytes of the buffer that one thread reads into} */
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

    /** {@return the mean extent of the pieces into which an axis is cut by chunks and windows together} */
    double pieceExtent(int axis, Partition windows) {
        return (double) windows.length() / chunks.axis(axis).pieces(windows);
    }

    /**
     * {@return what reading the array costs in bytes, when it is read in windows}
     *
     * @param pieces the {@linkplain #pieceExtent mean extents} of what windows take of chunks
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

    /** {@return what it costs to read a part of these extents, run by run} */
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

    /** {@return the axis on which stretches are cut, at the least cost, to have a part of these extents} */
    private int stretchAxis(double[] part) {
        int best = 0;
        for (int axis = 1; axis < part.length; axis++) {
            if (stretchCost(axis, part) < stretchCost(best, part)) {
                best = axis;
            }
        }
        return best;
    }

    /** {@return what it costs to read stretches that are cut on one axis and hold a part of these extents} */
    private double stretchCost(int cut, double[] part) {
        return stretchBytes(cut, part, READ_BYTES);
    }

    /** {@return the bytes that are decoded for such stretches, each of whose reads costs {@code more}} */
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

    /** {@return how often each element is read and decoded, on average, when the array is read in windows} */
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

    /** {@return how what windows of one shape take of a chunk is read, if not by reading the chunk} */
    Optional<Cut> cut(Shape window) {
        long[] part = largestPart(window);
        long room = bufferBytes() / itemSize;
        return switch (kind) {
            case CHUNKS -> Optional.empty();
            case STRETCHES ->
                Optional.of(Cut.of(part, stretchAxis(Doubles.toArray(Longs.asList(part))), decoded.toArray(), room));
            case PARTS -> Optional.of(Cut.of(part, 0, part, room));
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
