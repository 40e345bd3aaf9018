package dev.rechunker.verify;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reads of one array that fill a window. They are numbered, and may be done in any order and at the same time. */
final class WindowReads {
    private final ArrayReader reader;
    private final ChunkGrid chunks;
    private final int itemSize;
    private final boolean padded;
    private final boolean stretches;
    private final @Nullable Cut cut;
    private final long perChunk;

    /** Creates the reads of windows that are not larger than {@code largest}. */
    WindowReads(ComparedSide side, ArrayReader reader, Shape largest) {
        this.reader = reader;
        this.chunks = side.spec().chunks();
        this.itemSize = side.spec().dataType().itemSize();
        this.padded = reader.traits().paddedEdges();
        this.stretches = side.readsStretches();
        Optional<Cut> found = side.cut(largest);
        this.cut = found.orElse(null);
        this.perChunk = found.map(c -> c.pieces(side.largestPart(largest))).orElse(1L);
    }

    /** A receiver of the parts of chunks that were read. */
    interface Sink {
        /**
         * Receives a part.
         *
         * @param part the region of the part in the array
         * @param data a buffer with the part, or null if the chunk was never written
         * @param offset the offset of the part in the buffer, in bytes
         * @param strides the strides of the buffer, in bytes
         */
        void accept(Region part, @Nullable ByteBuffer data, long offset, long[] strides);
    }

    /** {@return the number of reads of a window; some read nothing if chunks are clipped} */
    long count(Region window) {
        return chunks.chunksTouching(window).elements() * perChunk;
    }

    /** Performs one of the reads of a window, with buffers that belong to the calling thread. */
    void read(long number, Region window, ByteBuffer buffer, Scratch scratch, Sink sink) throws IOException {
        Region chunk = chunks.region(index(chunks.chunksTouching(window), number / perChunk));
        Region part = chunk.intersect(window).orElseThrow();
        if (cut == null) {
            readChunk(chunk, part, buffer, scratch, sink);
            return;
        }
        long[] extents = part.shape().toArray();
        long piece = number % perChunk;
        if (piece < cut.pieces(extents)) {
            Region wanted = cut.piece(extents, piece).moved(part.origin());
            if (stretches) {
                readStretch(chunk, wanted, cut.axis(), buffer, scratch, sink);
            } else {
                readPart(wanted, buffer, scratch, sink);
            }
        }
    }

    private void readChunk(Region chunk, Region part, ByteBuffer buffer, Scratch scratch, Sink sink)
            throws IOException {
        Shape delivered = deliveredShape(chunk);
        ByteBuffer target = buffer.slice(0, Math.toIntExact(delivered.elements() * itemSize));
        long[] strides = StridedCopy.denseStrides(delivered.toArray(), itemSize);
        boolean present = reader.read(chunk, target, scratch);
        sink.accept(part, present ? target.clear() : null, present ? part.offsetIn(chunk, strides) : 0, strides);
    }

    /** {@return the shape in which the reader delivers a chunk} */
    private Shape deliveredShape(Region chunk) {
        return padded ? chunks.nominalShape(chunk) : chunk.shape();
    }

    private void readStretch(Region chunk, Region wanted, int axis, ByteBuffer buffer, Scratch scratch, Sink sink)
            throws IOException {
        long[] origin = chunk.origin();
        long[] extents = chunk.shape().toArray();
        for (int cutAxis = 0; cutAxis <= axis; cutAxis++) {
            origin[cutAxis] = wanted.start(cutAxis);
            extents[cutAxis] = wanted.extent(cutAxis);
        }
        Region stretch = Region.of(origin, Shape.of(extents));
        long[] strides = StridedCopy.denseStrides(deliveredShape(chunk).toArray(), itemSize);
        ByteBuffer target = buffer.slice();
        boolean present = reader.stream(stretch, target::put, scratch);
        sink.accept(wanted, present ? target.clear() : null, present ? wanted.offsetIn(stretch, strides) : 0, strides);
    }

    private void readPart(Region wanted, ByteBuffer buffer, Scratch scratch, Sink sink) throws IOException {
        ByteBuffer target = buffer.slice(0, Math.toIntExact(wanted.elements() * itemSize));
        boolean present = reader.read(wanted, target, scratch);
        sink.accept(
                wanted,
                present ? target.clear() : null,
                0,
                StridedCopy.denseStrides(wanted.shape().toArray(), itemSize));
    }

    private static long[] index(Region box, long ordinal) {
        long[] index = box.origin();
        long rest = ordinal;
        for (int axis = index.length - 1; axis >= 0; axis--) {
            index[axis] += rest % box.extent(axis);
            rest /= box.extent(axis);
        }
        return index;
    }
}
