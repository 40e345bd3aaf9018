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
    private static final long ODD_BITS = 0x5555555555555555L;
    private static final long ODD_PAIRS = 0x3333333333333333L;
    private static final long ODD_FOURS = 0x0F0F0F0F0F0F0F0FL;

    private BitShuffle() {}

    /** Turns byte planes at {@code from} into bit planes at {@code to}. */
    static void split(ByteBuffer source, int from, ByteBuffer target, int to, int width, int elements) {
        int row = elements / 8;
        long[] square = new long[8];
        for (int plane = 0; plane < width; plane++, from += elements, to += elements) {
            int column = 0;
            for (; column + 8 <= row; column += 8) {
                for (int k = 0; k < 8; k++) {
                    square[k] = source.getLong(from + 8 * (column + k));
                }
                ByteShuffle.transpose(square);
                transposeBits(square);
                for (int k = 0; k < 8; k++) {
                    target.putLong(to + k * row + column, square[k]);
                }
            }
            for (; column < row; column++) {
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
        long[] square = new long[8];
        for (int plane = 0; plane < width; plane++, from += elements, to += elements) {
            int column = 0;
            for (; column + 8 <= row; column += 8) {
                for (int k = 0; k < 8; k++) {
                    square[k] = source.getLong(from + k * row + column);
                }
                transposeBits(square);
                ByteShuffle.transpose(square);
                for (int k = 0; k < 8; k++) {
                    target.putLong(to + 8 * (column + k), square[k]);
                }
            }
            for (; column < row; column++) {
                long bits = 0;
                for (int k = 0; k < 8; k++) {
                    bits |= (source.get(from + k * row + column) & 0xFFL) << (8 * k);
                }
                target.putLong(to + 8 * column, transposeBits(bits));
            }
        }
    }

    /** Transposes, for each of the eight byte columns, the 8 x 8 bits that the eight rows have there. */
    private static void transposeBits(long[] square) {
        long a = square[0];
        long b = square[1];
        long c = square[2];
        long d = square[3];
        long e = square[4];
        long f = square[5];
        long g = square[6];
        long h = square[7];
        long t = ((a >>> 1) ^ b) & ODD_BITS;
        a ^= t << 1;
        b ^= t;
        t = ((c >>> 1) ^ d) & ODD_BITS;
        c ^= t << 1;
        d ^= t;
        t = ((e >>> 1) ^ f) & ODD_BITS;
        e ^= t << 1;
        f ^= t;
        t = ((g >>> 1) ^ h) & ODD_BITS;
        g ^= t << 1;
        h ^= t;
        t = ((a >>> 2) ^ c) & ODD_PAIRS;
        a ^= t << 2;
        c ^= t;
        t = ((b >>> 2) ^ d) & ODD_PAIRS;
        b ^= t << 2;
        d ^= t;
        t = ((e >>> 2) ^ g) & ODD_PAIRS;
        e ^= t << 2;
        g ^= t;
        t = ((f >>> 2) ^ h) & ODD_PAIRS;
        f ^= t << 2;
        h ^= t;
        t = ((a >>> 4) ^ e) & ODD_FOURS;
        a ^= t << 4;
        e ^= t;
        t = ((b >>> 4) ^ f) & ODD_FOURS;
        b ^= t << 4;
        f ^= t;
        t = ((c >>> 4) ^ g) & ODD_FOURS;
        c ^= t << 4;
        g ^= t;
        t = ((d >>> 4) ^ h) & ODD_FOURS;
        d ^= t << 4;
        h ^= t;
        square[0] = a;
        square[1] = b;
        square[2] = c;
        square[3] = d;
        square[4] = e;
        square[5] = f;
        square[6] = g;
        square[7] = h;
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
