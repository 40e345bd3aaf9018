package dev.rechunker.io.n5;

import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of a block, big-endian: {@code u16 mode, u16 axes, u32 size[axes]} and in mode 1 {@code u32 elements}. It is
 * not compressed.
 *
 * @param shape the size of the block, in C order
 * @param bytes the bytes of the head
 */
record BlockHeader(Shape shape, int bytes) {
    private static final int PLAIN = 0;
    private static final int COUNTED = 1;
    private static final int OBJECTS = 2;
    private static final int FIXED = 2 * Short.BYTES;

    /** {@return the bytes of the head that is written} */
    static int bytes(int rank) {
        return FIXED + rank * Integer.BYTES;
    }

    /** {@return the most bytes of a head} */
    static int mostBytes(int rank) {
        return bytes(rank) + Integer.BYTES;
    }

    /** Writes the head of a block of a shape. */
    static void write(Shape shape, ByteBuffer target) {
        target.order(ByteOrder.BIG_ENDIAN).putShort((short) PLAIN).putShort((short) shape.rank());
        for (int axis = shape.rank() - 1; axis >= 0; axis--) {
            target.putInt((int) shape.extent(axis));
        }
    }

    /**
     * {@return the head of a block}
     *
     * @param start the first {@link #mostBytes} of the block, or all of them if there are fewer
     * @param rank the axes of the array
     * @throws StoreException if it is no head of a block of numbers with so many axes
     */
    static BlockHeader read(ByteBuffer start, int rank) throws StoreException {
        start.order(ByteOrder.BIG_ENDIAN);
        need(start, FIXED);
        int mode = start.getShort() & 0xFFFF;
        if (mode == OBJECTS) {
            throw new StoreException("it is a block of mode 2, of serialised objects, which are not read");
        }
        if (mode != PLAIN && mode != COUNTED) {
            throw new StoreException("it is a block of mode " + mode + ", which is not understood");
        }
        int axes = start.getShort() & 0xFFFF;
        if (axes != rank) {
            throw new StoreException("it is a block with " + axes + " axes, but the array has " + rank);
        }
        need(start, (rank + mode) * Integer.BYTES);
        long[] extents = new long[rank];
        for (int axis = rank - 1; axis >= 0; axis--) {
            extents[axis] = start.getInt() & 0xFFFFFFFFL;
        }
        Shape shape = Shape.of(extents);
        long elements = elements(shape);
        if (mode == COUNTED && (start.getInt() & 0xFFFFFFFFL) != elements) {
            throw new StoreException("it is a block of mode 1, of variable length: its elements are not " + shape
                    + ", so their places are not known");
        }
        return new BlockHeader(shape, mode == COUNTED ? mostBytes(rank) : bytes(rank));
    }

    private static void need(ByteBuffer start, int bytes) throws StoreException {
        if (start.remaining() < bytes) {
            throw new StoreException("it has " + start.limit() + " bytes, too few for the head of a block");
        }
    }

    private static long elements(Shape shape) throws StoreException {
        try {
            long elements = shape.elements();
            if (elements > 0) {
                return elements;
            }
        } catch (ArithmeticException e) {
            throw new StoreException("it says that it is a block of " + shape + ", more than 2^63 elements", e);
        }
        throw new StoreException("it says that it is a block of " + shape + ", of no elements");
    }
}
