package dev.rechunker.io.n5;

import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of a block, big-endian and not compressed: {@code u16 mode, u16 axes, u32 size[axes]}, and in mode 1
 * {@code u32 elements}. Of texts, that is the number of their bytes.
 *
 * @param shape the size of the block, in C order
 * @param content the number of elements, or of the bytes of texts
 * @param bytes the size of the header, in bytes
 */
record BlockHeader(Shape shape, long content, int bytes) {
    private static final int PLAIN = 0;
    private static final int COUNTED = 1;
    private static final int OBJECTS = 2;
    private static final int FIXED = 2 * Short.BYTES;

    /** {@return the size, in bytes, of the header that is written} */
    static int bytes(int rank) {
        return FIXED + rank * Integer.BYTES;
    }

    /** {@return the maximum size of a header, in bytes} */
    static int mostBytes(int rank) {
        return bytes(rank) + Integer.BYTES;
    }

    /** Writes the header of a block of a shape. */
    static void write(Shape shape, ByteBuffer target) {
        write(PLAIN, shape, target);
    }

    /** Writes the header of a block of texts, which have some bytes. */
    static void writeOfTexts(Shape shape, int bytes, ByteBuffer target) {
        write(COUNTED, shape, target);
        target.putInt(bytes);
    }

    private static void write(int mode, Shape shape, ByteBuffer target) {
        target.order(ByteOrder.BIG_ENDIAN).putShort((short) mode).putShort((short) shape.rank());
        for (int axis = shape.rank() - 1; axis >= 0; axis--) {
            target.putInt((int) shape.extent(axis));
        }
    }

    /**
     * {@return the header of a block}
     *
     * @param start the first {@link #mostBytes} of the block, or the whole block if it is shorter
     * @param rank the number of axes of the array
     * @throws StoreException if the bytes are not the header of a block of numbers with this number of axes
     */
    static BlockHeader read(ByteBuffer start, int rank) throws StoreException {
        BlockHeader header = ofTexts(start, rank);
        if (header.content != header.shape.elements()) {
            throw new StoreException("the block has mode 1, variable length, and its number of elements is not that of "
                    + header.shape + ", so their positions are unknown");
        }
        return header;
    }

    /**
     * {@return the header of a block of texts}
     *
     * @param start as in {@link #read}
     * @param rank the number of axes of the array
     * @throws StoreException if the bytes are not the header of a block of texts with this number of axes
     */
    static BlockHeader ofTexts(ByteBuffer start, int rank) throws StoreException {
        start.order(ByteOrder.BIG_ENDIAN);
        need(start, FIXED);
        int mode = start.getShort() & 0xFFFF;
        if (mode == OBJECTS) {
            throw new StoreException("the block has mode 2, serialised objects, which is not supported");
        }
        if (mode != PLAIN && mode != COUNTED) {
            throw new StoreException("the block has the unknown mode " + mode);
        }
        int axes = start.getShort() & 0xFFFF;
        if (axes != rank) {
            throw new StoreException("the block has " + axes + " axes, but the array has " + rank);
        }
        need(start, (rank + mode) * Integer.BYTES);
        long[] extents = new long[rank];
        for (int axis = rank - 1; axis >= 0; axis--) {
            extents[axis] = start.getInt() & 0xFFFFFFFFL;
        }
        Shape shape = Shape.of(extents);
        long elements = elements(shape);
        return mode == COUNTED
                ? new BlockHeader(shape, start.getInt() & 0xFFFFFFFFL, mostBytes(rank))
                : new BlockHeader(shape, elements, bytes(rank));
    }

    private static void need(ByteBuffer start, int bytes) throws StoreException {
        if (start.remaining() < bytes) {
            throw new StoreException("the block has " + start.limit() + " bytes, too few for a header");
        }
    }

    private static long elements(Shape shape) throws StoreException {
        try {
            long elements = shape.elements();
            if (elements > 0) {
                return elements;
            }
        } catch (ArithmeticException e) {
            throw new StoreException("the block has the size " + shape + " by its header, more than 2^63 elements", e);
        }
        throw new StoreException("the block has the size " + shape + " by its header, without elements");
    }
}
