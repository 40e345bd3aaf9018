package dev.rechunker.io.imglib2;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits.Granularity;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The buffers of one thread that reads cells: for a chunk, for a cell, and scratch memory. */
final class CellLoader {
    private final ArrayReader reader;
    private final Pixels pixels;
    private final ByteBuffer chunk;
    private final ByteBuffer cell;
    private final ByteBuffer scratch;

    CellLoader(ArrayReader reader, Pixels pixels, Shape cellShape) {
        this.reader = reader;
        this.pixels = pixels;
        this.chunk = ByteBuffer.allocateDirect(buffer(chunkBytes(reader, cellShape)));
        this.cell = ByteBuffer.allocateDirect(buffer(bytes(reader.spec(), cellShape)));
        this.scratch = ByteBuffer.allocateDirect(buffer(reader.traits().scratchBytes()));
    }

    /** {@return the memory of a loader, and of the reader for its thread, in bytes} */
    static long memory(ArrayReader reader, Shape cellShape) {
        return chunkBytes(reader, cellShape)
                + bytes(reader.spec(), cellShape)
                + reader.traits().scratchBytes()
                + reader.traits().nativeBytes();
    }

    /**
     * {@return the shape of cells: that of chunks or, if parts of chunks can be read, of a part of at most
     * {@code mostOfPart} bytes}
     */
    static Shape cellShape(ArrayReader reader, long mostOfPart) {
        ArraySpec spec = reader.spec();
        Shape chunk = spec.chunks().chunkShape().combine(spec.shape(), Math::min);
        return reader.traits().granularity() == Granularity.BYTES && bytes(spec, chunk) > mostOfPart
                ? PixelBlocks.leading(chunk, mostOfPart / spec.dataType().itemSize())
                : chunk;
    }

    private static long chunkBytes(ArrayReader reader, Shape cellShape) {
        ArraySpec spec = reader.spec();
        if (reader.traits().granularity() == Granularity.BYTES) {
            return bytes(spec, cellShape);
        }
        return bytes(
                spec,
                reader.traits().paddedEdges()
                        ? spec.chunks().chunkShape()
                        : spec.chunks().largestChunk());
    }

    private static long bytes(ArraySpec spec, Shape shape) {
        return Math.multiplyExact(shape.elements(), (long) spec.dataType().itemSize());
    }

    private static int buffer(long bytes) {
        if (bytes > Workspace.MAX_BUFFER) {
            throw new IllegalArgumentException(
                    "a chunk has " + bytes + " bytes, but a buffer has at most " + Workspace.MAX_BUFFER);
        }
        return (int) bytes;
    }

    /** {@return the array of a cell, read from all chunks that it intersects} */
    Object load(Region region) throws IOException {
        Odometer touched = new Odometer(reader.spec().chunks().chunksTouching(region));
        while (touched.next()) {
            Region whole = reader.spec().chunks().region(touched.index());
            read(whole, whole.intersect(region).orElseThrow(), region);
        }
        int values = pixels.values((int) region.elements());
        Object array = pixels.carrier().allocate(values);
        pixels.carrier().decode(cell.duplicate().order(reader.spec().byteOrder()), array, values);
        return array;
    }

    private void read(Region whole, Region part, Region region) throws IOException {
        ArraySpec spec = reader.spec();
        int itemSize = spec.dataType().itemSize();
        Region requested = reader.traits().granularity() == Granularity.BYTES ? part : whole;
        Shape layout = reader.traits().paddedEdges() ? spec.chunks().nominalShape(whole) : requested.shape();
        ByteBuffer read = chunk.slice(0, (int) bytes(spec, layout));
        boolean found = reader.read(requested, read, new Scratch(scratch));
        long[] to = StridedCopy.denseStrides(region.shape().toArray(), itemSize);
        long at = offset(part, region, to);
        long[] extents = part.shape().toArray();
        if (found) {
            long[] from = StridedCopy.denseStrides(layout.toArray(), itemSize);
            StridedCopy.copy(chunk, offset(part, requested, from), from, cell, at, to, extents, itemSize, 1);
        } else {
            StridedCopy.fill(cell, at, to, extents, spec.fillValue().element(itemSize));
        }
    }

    private static long offset(Region part, Region box, long[] strides) {
        long offset = 0;
        for (int axis = 0; axis < strides.length; axis++) {
            offset += (part.start(axis) - box.start(axis)) * strides[axis];
        }
        return offset;
    }
}
