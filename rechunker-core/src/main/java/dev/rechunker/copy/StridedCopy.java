package dev.rechunker.copy;

import java.nio.ByteBuffer;

/**
 * Copies, fills and compares boxes of elements in strided layouts.
 *
 * <p>All strides and offsets are in bytes and count from byte 0 of the buffers, whatever their positions, which stay as
 * they are; limits hold, and the byte order of the buffers does not matter. Strides may be in any order, zero or
 * negative. Nothing is allocated that grows with the data. Several threads may copy into different parts of one buffer.
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
     * Copies the box. Source and target do not overlap.
     *
     * @param extents elements along each axis; nothing is copied if one is zero
     * @param itemSize bytes per element
     * @param swapWord the size of words whose bytes are reversed on the way: 2, 4 or 8, and {@code itemSize} a
     *     multiple; 1 to reverse nothing
     * @throws IllegalArgumentException if extents and strides differ in rank, or the word is none of these
     * @throws IndexOutOfBoundsException if an element is outside a buffer's limit; then part of the box may be copied
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
     * Gives every element of a box the same bytes.
     *
     * @param extents elements along each axis; nothing is filled if one is zero
     * @param element the bytes of one element
     * @throws IllegalArgumentException if extents and strides differ in rank, or the element has no bytes
     * @throws IndexOutOfBoundsException if an element is outside the buffer's limit; then part of the box may be filled
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
     * Puts a dense box into the first corner of a larger dense box, and one element everywhere else.
     *
     * @param extents of the box
     * @param padded extents of the larger box, none less
     * @param element the bytes of one element
     */
    public static void pad(ByteBuffer source, long[] extents, ByteBuffer target, long[] padded, byte[] element) {
        long[] strides = denseStrides(padded, element.length);
        fill(target, 0, strides, padded, element);
        copy(source, 0, denseStrides(extents, element.length), target, 0, strides, extents, element.length, 1);
    }

    /**
     * {@return whether a run of bytes is one element's bytes over and over; true if the run is empty}
     *
     * @param from the first byte of the run
     * @param length bytes in the run, a multiple of the element's
     * @throws IllegalArgumentException if it is not a multiple
     * @throws IndexOutOfBoundsException if the run leaves the buffer's limit
     */
    public static boolean isFilled(ByteBuffer data, int from, int length, byte[] element) {
        if (element.length == 0 || length % element.length != 0) {
            throw new IllegalArgumentException(
                    length + " bytes are not a whole number of elements of " + element.length + " bytes");
        }
        return Pattern.isRepeated(data, from, length, element);
    }

    /**
     * Reverses the bytes of every word.
     *
     * @param data whole words, from the buffer's start to its capacity
     * @param word the size of a word: 2, 4 or 8; 1 to reverse nothing
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
            throw new IllegalArgumentException("a box of " + extents.length + " axes with strides for "
                    + sourceStrides.length + " and " + targetStrides.length);
        }
        return extents.length;
    }
}
