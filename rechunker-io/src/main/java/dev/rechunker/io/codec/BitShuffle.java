package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * Gathers bit 0 of byte 0 of all elements, then bit 1 and so on, and scatters them again, in two steps: byte planes as
 * {@link ByteShuffle} makes them, and bit planes within each of them.
 *
 * <p>A plane of {@code elements} bytes becomes eight rows of {@code elements / 8} bytes; bit {@code i % 8} of byte
 * {@code i / 8} of row {@code k} is bit {@code k} of element {@code i}. Buffers are little-endian and positions are
 * absolute. The count of elements is a multiple of eight: Blosc leaves other blocks as they are.
 */
final class BitShuffle {
    private BitShuffle() {}

    /** Turns byte planes at {@code from} into bit planes at {@code to}. */
    static void split(ByteBuffer source, int from, ByteBuffer target, int to, int width, int elements) {
        int row = elements / 8;
        for (int plane = 0; plane < width; plane++, from += elements, to += elements) {
            Squares.bytesThenBits(source, from, target, to, row, row / 8);
            for (int column = row & ~7; column < row; column++) {
                long bits = transposeBits(source.getLong(from + 8 * column));
                for (int k = 0; k < 8; k++) {
                    target.put(to + k * row + column, (byte) (bits >>> (8 * k)));
                }
            }
        }
    }

    /** Turns bit planes at {@code from} into byte planes at {@code to}. */
    static void join(ByteBuffer source, int from, ByteBuffer target, int to, int width, int elements) {
        int row = elements / 8;
        for (int plane = 0; plane < width; plane++, from += elements, to += elements) {
            Squares.bitsThenBytes(source, from, row, target, to, row / 8);
            for (int column = row & ~7; column < row; column++) {
                long bits = 0;
                for (int k = 0; k < 8; k++) {
                    bits |= (source.get(from + k * row + column) & 0xFFL) << (8 * k);
                }
                target.putLong(to + 8 * column, transposeBits(bits));
            }
        }
    }

    /** {@return the 8 x 8 bits of a word transposed, byte 0 being row 0} */
    private static long transposeBits(long bits) {
        long t = (bits ^ (bits >>> 7)) & 0x00AA00AA00AA00AAL;
        long x = bits ^ t ^ (t << 7);
        t = (x ^ (x >>> 14)) & 0x0000CCCC0000CCCCL;
        x ^= t ^ (t << 14);
        t = (x ^ (x >>> 28)) & 0x00000000F0F0F0F0L;
        return x ^ t ^ (t << 28);
    }
}
