package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.order.Odometer;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.MeasuredView;
import dev.rechunker.view.RegionRead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads all elements of small arrays. Not thread-safe. */
final class SmallArrays {
    /** The maximum size of an array, in bytes. */
    private static final long MOST_BYTES = 1 << 20;

    /** The maximum size of a chunk and the scratch memory for decoding it, in bytes. */
    private static final long MOST_BUFFER = 16 << 20;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

    /**
     * {@return all elements of an array, dense, in the byte order and with the fill value of another spec; null if the
     * array is too large}
     */
    byte @Nullable [] read(ArrayReader reader, ArraySpec like) throws IOException {
        ArraySpec spec = reader.spec();
        ChunkGrid grid = spec.chunks();
        RegionRead read = new RegionRead(Assembly.forReading(spec), reader.traits(), like, grid);
        int itemSize = spec.dataType().itemSize();
        long chunk;
        long needed;
        try {
            chunk = Math.multiplyExact(grid.largestChunk().elements(), (long) itemSize);
            needed = Math.addExact(chunk, read.scratchBytes());
            if (spec.bytes() > MOST_BYTES || needed > MOST_BUFFER) {
                return null;
            }
        } catch (ArithmeticException tooLarge) {
            return null;
        }
        if (buffer.capacity() < needed) {
            buffer = ByteBuffer.allocateDirect((int) needed);
        }
        byte[] elements = new byte[(int) spec.bytes()];
        long[] strides = StridedCopy.denseStrides(spec.shape().toArray(), itemSize);
        Odometer chunks = new Odometer(Region.whole(grid.counts()));
        while (chunks.next()) {
            Region region = grid.region(chunks.index());
            ByteBuffer dense = buffer.slice(0, (int) (region.elements() * itemSize));
            Scratch scratch = new Scratch(buffer.slice((int) chunk, buffer.capacity() - (int) chunk));
            long[] extents = region.shape().toArray();
            long[] from = StridedCopy.denseStrides(extents, itemSize);
            if (!read.read(reader, region, dense.duplicate(), scratch)) {
                StridedCopy.fill(dense, 0, from, extents, like.fillValue().element(itemSize));
            }
            long to = 0;
            for (int axis = 0; axis < strides.length; axis++) {
                to += region.start(axis) * strides[axis];
            }
            StridedCopy.copy(dense, 0, from, ByteBuffer.wrap(elements), to, strides, extents, itemSize, 1);
        }
        return elements;
    }

    /**
     * {@return the elements of an array of variable length, each as its length and contents, without padding; null if
     * the array is too large}
     */
    byte @Nullable [] contents(StoreLocation place) throws IOException {
        StoreLocation measured = MeasuredView.at(place, MOST_BUFFER);
        byte[] padded;
        DataType type;
        try (ArrayReader reader = measured.store().openReader(measured.path())) {
            padded = read(reader, reader.spec());
            type = reader.spec().dataType();
        } catch (StoreException tooLarge) {
            return null;
        }
        if (padded == null || !type.isVariable()) {
            return padded; // equal records are padded to the same length
        }
        ByteBuffer from = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer contents = ByteBuffer.allocate(padded.length);
        for (int at = 0; at < padded.length; at += type.itemSize()) {
            contents.put(from.slice(at, DataType.LENGTH_SIZE + from.getInt(at)));
        }
        return Arrays.copyOf(contents.array(), contents.position());
    }
}
