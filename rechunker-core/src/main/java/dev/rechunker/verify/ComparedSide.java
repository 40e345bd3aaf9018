package dev.rechunker.verify;

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
import org.jspecify.annotations.Nullable;

/**
 * One of two arrays that are compared: reads the parts of its chunks, or of stretches of them, that lie in a window.
 */
final class ComparedSide {
    private static final long PART_BYTES = 1 << 20;

    /** What one more run of bytes costs to be read, in bytes that could be read meanwhile. */
    private static final double RUN_BYTES = 4096;

    private final ArraySpec spec;
    private final ReadTraits traits;
    private final ChunkGrid reads;
    private final int itemSize;
    private final boolean wholeChunks;
    private final Shape decoded;

    ComparedSide(ArraySpec spec, ReadTraits traits) {
        this.spec = spec;
        this.traits = traits;
        this.itemSize = spec.dataType().itemSize();
        this.wholeChunks = traits.granularity() != ReadTraits.Granularity.BYTES;
        this.reads = traits.reads(spec.chunks(), itemSize);
        this.decoded = traits.paddedEdges() ? reads.chunkShape() : reads.largestChunk();
    }

    /** Takes what was read, a part of a chunk; no data where nothing was ever written. */
    interface Sink {
        /**
         * Takes a part.
         *
         * @param part where it is in the array
         * @param data a buffer that holds it, or null
         * @param offset its first byte in the buffer
         * @param strides of the buffer, in bytes
         */
        void accept(Region part, @Nullable ByteBuffer data, long offset, long[] strides);
    }

    ArraySpec spec() {
        return spec;
    }

    /** {@return what is read at once: chunks, or stretches of them} */
    ChunkGrid reads() {
        return reads;
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
        return wholeChunks ? chunk : Math.min(chunk, Math.max(itemSize, PART_BYTES));
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

    /** {@return how many times the elements of an axis are read, when it is cut into windows} */
    double amplification(int axis, Partition windows) {
        Partition chunks = reads.axis(axis);
        return wholeChunks ? (double) chunks.pieces(windows) / chunks.count() : 1;
    }

    /** {@return what reading everything once costs in bytes, when windows of this shape are read} */
    double costOfOnce(long[] window) {
        double bytes = spec.bytes();
        if (wholeChunks) {
            return bytes;
        }
        double run = itemSize;
        for (int axis = window.length - 1; axis >= 0; axis--) {
            long chunk = decoded.extent(axis);
            run *= Math.min(chunk, window[axis]);
            if (window[axis] < chunk) {
                break;
            }
        }
        return bytes + bytes / run * RUN_BYTES;
    }

    /** {@return the indices of the reads that a window touches} */
    Region touching(Region window) {
        return reads.chunksTouching(window);
    }

    /** Reads what of one read lies in a window, through buffers of the calling thread. */
    void read(ArrayReader reader, long[] index, Region window, ByteBuffer buffer, Scratch scratch, Sink sink)
            throws IOException {
        Region region = reads.region(index);
        Region part = region.intersect(window).orElseThrow();
        if (wholeChunks) {
            readWhole(reader, region, part, buffer, scratch, sink);
        } else {
            readParts(reader, part, buffer, scratch, sink);
        }
    }

    private void readWhole(
            ArrayReader reader, Region region, Region part, ByteBuffer buffer, Scratch scratch, Sink sink)
            throws IOException {
        Shape held = traits.paddedEdges() ? decoded : region.shape();
        ByteBuffer target = buffer.slice(0, Math.toIntExact(held.elements() * itemSize));
        long[] strides = StridedCopy.denseStrides(held.toArray(), itemSize);
        boolean present = traits.stretchBytes() > 0
                ? reader.stream(region, target::put, scratch)
                : reader.read(region, target, scratch);
        if (present) {
            sink.accept(part, target.clear(), part.offsetIn(region, strides), strides);
        } else {
            sink.accept(part, null, 0, strides);
        }
    }

    private void readParts(ArrayReader reader, Region part, ByteBuffer buffer, Scratch scratch, Sink sink)
            throws IOException {
        ChunkGrid parts = ChunkGrid.regular(part.shape(), fitting(part.shape(), buffer.capacity() / itemSize));
        Odometer odometer = new Odometer(Region.whole(parts.counts()));
        while (odometer.next()) {
            Region region = parts.region(odometer.index()).moved(part.origin());
            ByteBuffer target = buffer.slice(0, Math.toIntExact(region.elements() * itemSize));
            long[] strides = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
            boolean present = reader.read(region, target, scratch);
            sink.accept(region, present ? target.clear() : null, 0, strides);
        }
    }

    /** {@return the largest part of a shape, with long rows, that has so many elements} */
    private static Shape fitting(Shape shape, long elements) {
        long[] extents = new long[shape.rank()];
        long left = elements;
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            extents[axis] = Math.max(1, Math.min(shape.extent(axis), left));
            left /= extents[axis];
        }
        return Shape.of(extents);
    }
}
