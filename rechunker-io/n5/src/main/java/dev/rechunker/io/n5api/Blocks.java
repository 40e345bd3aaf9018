package dev.rechunker.io.n5api;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.StoreException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.janelia.saalfeldlab.n5.DataBlock;
import org.janelia.saalfeldlab.n5.DataType;

/** Copies elements between blocks of n5, which have arrays, and byte buffers; converts their positions and sizes. */
final class Blocks {
    private static final long MOST_BYTES = (1L << 31) - (1 << 16);

    private Blocks() {}

    /** {@return the numbers in reverse order} */
    static long[] reversed(long[] numbers) {
        long[] reversed = new long[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            reversed[numbers.length - 1 - i] = numbers[i];
        }
        return reversed;
    }

    /** {@return the numbers in reverse order, as n5 lists sizes of blocks} */
    static int[] reversedInts(long[] numbers) {
        return ints(reversed(numbers));
    }

    static int[] ints(long[] numbers) {
        return Arrays.stream(numbers).mapToInt(Math::toIntExact).toArray();
    }

    /** {@return the shape, in C order, of a size that n5 lists x first} */
    static Shape shape(int[] sizes) {
        return Shape.of(reversed(Arrays.stream(sizes).asLongStream().toArray()));
    }

    /**
     * {@return the position of a chunk in the grid, x first}
     *
     * @throws IllegalArgumentException if the region is not that of a chunk
     */
    static long[] position(ChunkGrid grid, Region region) {
        if (region.rank() != grid.rank() || region.elements() == 0) {
            throw new IllegalArgumentException(region + " is not a chunk of " + grid);
        }
        long[] index = new long[region.rank()];
        for (int axis = 0; axis < index.length; axis++) {
            index[axis] = region.start(axis) / grid.axis(axis).step();
        }
        if (!Region.whole(grid.shape()).contains(region) || !grid.region(index).equals(region)) {
            throw new IllegalArgumentException(region + " is not a chunk of " + grid);
        }
        return reversed(index);
    }

    /** Refuses chunks that are too large for n5, which has each in one byte array. */
    static void requireSize(Object where, ArraySpec spec, ChunkGrid grid) throws StoreException {
        Shape unit = grid.chunkShape();
        try {
            if (Math.multiplyExact(unit.elements(), (long) spec.dataType().itemSize()) <= MOST_BYTES) {
                return;
            }
        } catch (ArithmeticException tooMany) {
            // refused as well
        }
        throw new StoreException(where + " has blocks of " + unit + " elements of type " + spec.dataType()
                + ", but n5 allows at most " + ByteSize.of(MOST_BYTES)
                + "; use smaller blocks, for HDF5 with new N5HDF5Reader(file, true, 64, 64, 64)");
    }

    /** Refuses a buffer whose remaining bytes are not exactly those of the elements of a region. */
    static void requireRemaining(ByteBuffer buffer, Region region, ArraySpec spec) {
        long bytes = region.elements() * spec.dataType().itemSize();
        if (buffer.remaining() != bytes) {
            throw new IllegalArgumentException(
                    "the buffer has " + buffer.remaining() + " bytes, but " + region + " takes " + bytes);
        }
    }

    /**
     * Copies the elements of a block to a buffer, dense, in the byte order of the spec.
     *
     * <p>A block states its own size. At the end of an array it may be as large as the part of the chunk in the array,
     * or as the whole chunk. Elements outside of {@code shape} are left out; missing ones get the fill value.
     *
     * @param shape the shape of the part of the chunk that is in the array
     */
    static void unpack(DataBlock<?> block, Shape shape, ArraySpec spec, ByteBuffer target) throws StoreException {
        Shape stored = shape(block.getSize());
        Object elements = block.getData();
        int itemSize = spec.dataType().itemSize();
        if (stored.rank() != shape.rank() || Array.getLength(elements) != stored.elements()) {
            throw new StoreException("the block at " + Arrays.toString(block.getGridPosition()) + " states the size "
                    + Arrays.toString(block.getSize()) + ", but has " + Array.getLength(elements) + " elements");
        }
        int start = target.position();
        if (stored.equals(shape)) {
            put(elements, 0, (int) shape.elements(), slice(target, start, target.remaining(), spec.byteOrder()));
            return;
        }
        Shape common = shape.combine(stored, Math::min);
        if (!common.equals(shape)) {
            fill(target.duplicate(), spec.fillValue().element(itemSize));
        }
        int row = (int) common.extent(common.rank() - 1);
        if (common.isEmpty()) {
            return;
        }
        long[] index = new long[common.rank()];
        do {
            int from = (int) offset(index, stored);
            int to = start + (int) offset(index, shape) * itemSize;
            put(elements, from, row, slice(target, to, row * itemSize, spec.byteOrder()));
        } while (nextRow(index, common));
    }

    /**
     * {@return a block with the elements of a chunk}
     *
     * @param chunk the region of the chunk, which is part of the unit
     * @param position the position of the chunk in the grid, x first
     * @param unit the region whose elements are in the buffer, dense, in the byte order of the spec
     */
    static DataBlock<?> pack(
            DataType type, Region chunk, long[] position, Region unit, ByteBuffer data, ArraySpec spec) {
        Shape shape = chunk.shape();
        DataBlock<?> block = type.createDataBlock(reversedInts(shape.toArray()), position);
        if (chunk.equals(unit)) {
            ByteBuffer all = slice(data, data.position(), data.remaining(), spec.byteOrder());
            get(all, block.getData(), 0, (int) shape.elements());
            return block;
        }
        int itemSize = spec.dataType().itemSize();
        int row = (int) shape.extent(shape.rank() - 1);
        long[] index = new long[shape.rank()];
        long[] inUnit = new long[shape.rank()];
        do {
            for (int axis = 0; axis < index.length; axis++) {
                inUnit[axis] = chunk.start(axis) - unit.start(axis) + index[axis];
            }
            int from = data.position() + (int) offset(inUnit, unit.shape()) * itemSize;
            ByteBuffer run = slice(data, from, row * itemSize, spec.byteOrder());
            get(run, block.getData(), (int) offset(index, shape), row);
        } while (nextRow(index, shape));
        return block;
    }

    private static ByteBuffer slice(ByteBuffer buffer, int start, int bytes, ByteOrder order) {
        return buffer.slice(start, bytes).order(order);
    }

    private static void fill(ByteBuffer target, byte[] element) {
        while (target.hasRemaining()) {
            target.put(element);
        }
    }

    private static long offset(long[] index, Shape box) {
        long offset = 0;
        for (int axis = 0; axis < index.length; axis++) {
            offset = offset * box.extent(axis) + index[axis];
        }
        return offset;
    }

    /** Moves to the next run along the last axis; {@return whether there is one} */
    private static boolean nextRow(long[] index, Shape box) {
        for (int axis = index.length - 2; axis >= 0; axis--) {
            if (++index[axis] < box.extent(axis)) {
                return true;
            }
            index[axis] = 0;
        }
        return false;
    }

    private static void put(Object array, int at, int count, ByteBuffer to) {
        if (array instanceof byte[] bytes) {
            to.put(bytes, at, count);
        } else if (array instanceof short[] shorts) {
            to.asShortBuffer().put(shorts, at, count);
        } else if (array instanceof int[] ints) {
            to.asIntBuffer().put(ints, at, count);
        } else if (array instanceof long[] longs) {
            to.asLongBuffer().put(longs, at, count);
        } else if (array instanceof float[] floats) {
            to.asFloatBuffer().put(floats, at, count);
        } else {
            to.asDoubleBuffer().put((double[]) array, at, count);
        }
    }

    private static void get(ByteBuffer from, Object array, int at, int count) {
        if (array instanceof byte[] bytes) {
            from.get(bytes, at, count);
        } else if (array instanceof short[] shorts) {
            from.asShortBuffer().get(shorts, at, count);
        } else if (array instanceof int[] ints) {
            from.asIntBuffer().get(ints, at, count);
        } else if (array instanceof long[] longs) {
            from.asLongBuffer().get(longs, at, count);
        } else if (array instanceof float[] floats) {
            from.asFloatBuffer().get(floats, at, count);
        } else {
            from.asDoubleBuffer().get((double[]) array, at, count);
        }
    }
}
