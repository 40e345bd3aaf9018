package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * Shuffles the bits of elements: bit 0 of byte 0 of all elements comes first, then bit 1 and so on. It works on byte
 * planes, which {@link ByteShuffle} makes, and converts each of them to bit planes.
 *
 * <p>A plane of {@code elements} bytes becomes eight rows of {@code elements / 8} bytes; bit {@code i % 8} of byte
 * {@code i / 8} of row {@code k} is bit {@code k} of element {@code i}. Buffers are little-endian and positions are
 * absolute. The number of elements is a multiple of eight; Blosc does not shuffle other blocks.
 */
final class BitShuffle {
    private BitShuffle() {}

    /** Converts byte planes at {@code from} to bit planes at {@code to}. */
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

    /** Converts bit planes at {@code from} to byte planes at {@code to}. */
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

    /** {@return the transpose of 8 x 8 bits, whose row 0 is byte 0} */
    private static long transposeBits(long bits) {
        long t = (bits ^ (bits >>> 7)) & 0x00AA00AA00AA00AAL;
        long x = bits ^ t ^ (t << 7);
        t = (x ^ (x >>> 14)) & 0x0000CCCC0000CCCCL;
        x ^= t ^ (t << 14);
        t = (x ^ (x >>> 28)) & 0x00000000F0F0F0F0L;
        return x ^ t ^ (t << 28);
    }
}
