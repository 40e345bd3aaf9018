package dev.rechunker.copy;

import java.nio.ByteBuffer;

/**
 * Methods that copy, fill and compare boxes of elements in strided layouts.
 *
 * <p>Strides and offsets are in bytes. Offsets count from byte 0 of a buffer; positions of buffers are neither used nor
 * changed, limits are respected, and the byte order of buffers is ignored. Strides may be in any order, zero or
 * negative. Memory that is allocated does not grow with the data. Several threads may copy into different parts of one
 * buffer.
 */
public final class StridedCopy {
    private StridedCopy() {}

    /**
     * {@return the strides in bytes of a dense box in C order}
     *
     * @throws ArithmeticException if one exceeds a {@code long}
     */
    public static long[] denseStrides(long[] extents, int itemSize) {
        long[] strides = new long[extents.length];
        long stride = itemSize;
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride = axis == 0 ? stride : Math.multiplyExact(stride, extents[axis]);
        }
        return strides;
    }

    /**
     * Copies a box of elements. Source and target must not overlap.
     *
     * @param extents the number of elements on each axis; nothing is copied if one is zero
     * @param itemSize the size of an element in bytes
     * @param swapWord the size in bytes of the words to reverse: 2, 4 or 8, of which {@code itemSize} is a multiple, or
     *     1 to reverse none
     * @throws IllegalArgumentException if extents and strides differ in rank, or {@code swapWord} is not allowed
     * @throws IndexOutOfBoundsException if an element is outside a buffer's limit; part of the box may have been copied
     */
    public static void copy(
            ByteBuffer source,
            long sourceOffset,
            long[] sourceStrides,
            ByteBuffer target,
            long targetOffset,
            long[] targetStrides,
            long[] extents,
            int itemSize,
            int swapWord) {
        new BoxCopier(extents.length)
                .copy(
                        source,
                        sourceOffset,
                        sourceStrides,
                        target,
                        targetOffset,
                        targetStrides,
                        extents,
                        itemSize,
                        swapWord);
    }

    /**
     * Sets all elements of a box to the same bytes.
     *
     * @param extents the number of elements on each axis; nothing is filled if one is zero
     * @param element the bytes of one element
     * @throws IllegalArgumentException if extents and strides differ in rank, or the element has no bytes
     * @throws IndexOutOfBoundsException if an element is outside the buffer's limit; part of the box may have been
     *     filled
     */
    public static void fill(ByteBuffer target, long offset, long[] strides, long[] extents, byte[] element) {
        if (element.length == 0) {
            throw new IllegalArgumentException("an element of 0 bytes cannot be repeated");
        }
        LoopNest nest = new LoopNest(extents.length);
        for (int axis = 0; axis < requireRank(extents, strides, strides); axis++) {
            nest.add(extents[axis], strides[axis], strides[axis]);
        }
        if (nest.normalize()) {
            nest.fill(target, offset, element);
        }
    }

    /**
     * Copies a dense box to the origin of a larger dense box, and fills the rest of the larger box with an element.
     *
     * @param extents the extents of the box
     * @param padded the extents of the larger box, each at least that of the box
     * @param element the bytes of the element to fill with
     */
    public static void pad(ByteBuffer source, long[] extents, ByteBuffer target, long[] padded, byte[] element) {
        long[] strides = denseStrides(padded, element.length);
        fill(target, 0, strides, padded, element);
        copy(source, 0, denseStrides(extents, element.length), target, 0, strides, extents, element.length, 1);
    }

    /**
     * {@return whether a run of bytes consists of repetitions of one element; true if the run is empty}
     *
     * @param from the offset of the first byte of the run
     * @param length the length of the run in bytes, a multiple of the element's size
     * @param element the bytes of one element
     * @throws IllegalArgumentException if the length is not a multiple of the element's size, or that is 0
     * @throws IndexOutOfBoundsException if the run exceeds the buffer's limit
     */
    public static boolean isFilled(ByteBuffer data, int from, int length, byte[] element) {
        if (element.length == 0 || length % element.length != 0) {
            throw new IllegalArgumentException(
                    length + " bytes are not a whole number of elements of " + element.length + " bytes");
        }
        return Pattern.isRepeated(data, from, length, element);
    }

    /**
     * Reverses the bytes of every word in a buffer, from its start to its capacity.
     *
     * @param data a buffer of whole words
     * @param word the size of a word in bytes: 2, 4 or 8; with 1, nothing is changed
     */
    public static void swap(ByteBuffer data, int word) {
        for (int at = 0; word > 1 && at < data.capacity(); at += word) {
            switch (word) {
                case Short.BYTES -> data.putShort(at, Short.reverseBytes(data.getShort(at)));
                case Integer.BYTES -> data.putInt(at, Integer.reverseBytes(data.getInt(at)));
                default -> data.putLong(at, Long.reverseBytes(data.getLong(at)));
            }
        }
    }

    static int requireRank(long[] extents, long[] sourceStrides, long[] targetStrides) {
        if (sourceStrides.length != extents.length || targetStrides.length != extents.length) {
            throw new IllegalArgumentException("the box has " + extents.length + " axes, but strides are given for "
                    + sourceStrides.length + " axes of the source and " + targetStrides.length + " of the target");
        }
        return extents.length;
    }
}
