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
        for (int plane = 0; plane < width; plane++, from += elements, to += elements) {
            splitSquares(source, from, target, to, row, row / 8);
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
            joinSquares(source, from, target, to, row, row / 8);
            for (int column = row & ~7; column < row; column++) {
                long bits = 0;
                for (int k = 0; k < 8; k++) {
                    bits |= (source.get(from + k * row + column) & 0xFFL) << (8 * k);
                }
                target.putLong(to + 8 * column, transposeBits(bits));
            }
        }
    }

    /** Splits 64 elements at a time: transposes 8 x 8 bytes, then in each byte column 8 x 8 bits. */
    private static void splitSquares(ByteBuffer source, int from, ByteBuffer target, int to, int row, int squares) {
        for (int i = 0; i < squares; i++, from += 64, to += 8) {
            long a = source.getLong(from);
            long b = source.getLong(from + 8);
            long c = source.getLong(from + 2 * 8);
            long d = source.getLong(from + 3 * 8);
            long e = source.getLong(from + 4 * 8);
            long f = source.getLong(from + 5 * 8);
            long g = source.getLong(from + 6 * 8);
            long h = source.getLong(from + 7 * 8);
            long t = ((a >>> 8) ^ b) & ByteShuffle.ODD_BYTES;
            a ^= t << 8;
            b ^= t;
            t = ((c >>> 8) ^ d) & ByteShuffle.ODD_BYTES;
            c ^= t << 8;
            d ^= t;
            t = ((e >>> 8) ^ f) & ByteShuffle.ODD_BYTES;
            e ^= t << 8;
            f ^= t;
            t = ((g >>> 8) ^ h) & ByteShuffle.ODD_BYTES;
            g ^= t << 8;
            h ^= t;
            t = ((a >>> 16) ^ c) & ByteShuffle.ODD_SHORTS;
            a ^= t << 16;
            c ^= t;
            t = ((b >>> 16) ^ d) & ByteShuffle.ODD_SHORTS;
            b ^= t << 16;
            d ^= t;
            t = ((e >>> 16) ^ g) & ByteShuffle.ODD_SHORTS;
            e ^= t << 16;
            g ^= t;
            t = ((f >>> 16) ^ h) & ByteShuffle.ODD_SHORTS;
            f ^= t << 16;
            h ^= t;
            t = ((a >>> 32) ^ e) & ByteShuffle.LOW_INT;
            a ^= t << 32;
            e ^= t;
            t = ((b >>> 32) ^ f) & ByteShuffle.LOW_INT;
            b ^= t << 32;
            f ^= t;
            t = ((c >>> 32) ^ g) & ByteShuffle.LOW_INT;
            c ^= t << 32;
            g ^= t;
            t = ((d >>> 32) ^ h) & ByteShuffle.LOW_INT;
            d ^= t << 32;
            h ^= t;
            t = ((a >>> 1) ^ b) & ODD_BITS;
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
            target.putLong(to, a);
            target.putLong(to + row, b);
            target.putLong(to + 2 * row, c);
            target.putLong(to + 3 * row, d);
            target.putLong(to + 4 * row, e);
            target.putLong(to + 5 * row, f);
            target.putLong(to + 6 * row, g);
            target.putLong(to + 7 * row, h);
        }
    }

    /** Joins 64 elements at a time: transposes in each byte column 8 x 8 bits, then 8 x 8 bytes. */
    private static void joinSquares(ByteBuffer source, int from, ByteBuffer target, int to, int row, int squares) {
        for (int i = 0; i < squares; i++, from += 8, to += 64) {
            long a = source.getLong(from);
            long b = source.getLong(from + row);
            long c = source.getLong(from + 2 * row);
            long d = source.getLong(from + 3 * row);
            long e = source.getLong(from + 4 * row);
            long f = source.getLong(from + 5 * row);
            long g = source.getLong(from + 6 * row);
            long h = source.getLong(from + 7 * row);
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
            t = ((a >>> 8) ^ b) & ByteShuffle.ODD_BYTES;
            a ^= t << 8;
            b ^= t;
            t = ((c >>> 8) ^ d) & ByteShuffle.ODD_BYTES;
            c ^= t << 8;
            d ^= t;
            t = ((e >>> 8) ^ f) & ByteShuffle.ODD_BYTES;
            e ^= t << 8;
            f ^= t;
            t = ((g >>> 8) ^ h) & ByteShuffle.ODD_BYTES;
            g ^= t << 8;
            h ^= t;
            t = ((a >>> 16) ^ c) & ByteShuffle.ODD_SHORTS;
            a ^= t << 16;
            c ^= t;
            t = ((b >>> 16) ^ d) & ByteShuffle.ODD_SHORTS;
            b ^= t << 16;
            d ^= t;
            t = ((e >>> 16) ^ g) & ByteShuffle.ODD_SHORTS;
            e ^= t << 16;
            g ^= t;
            t = ((f >>> 16) ^ h) & ByteShuffle.ODD_SHORTS;
            f ^= t << 16;
            h ^= t;
            t = ((a >>> 32) ^ e) & ByteShuffle.LOW_INT;
            a ^= t << 32;
            e ^= t;
            t = ((b >>> 32) ^ f) & ByteShuffle.LOW_INT;
            b ^= t << 32;
            f ^= t;
            t = ((c >>> 32) ^ g) & ByteShuffle.LOW_INT;
            c ^= t << 32;
            g ^= t;
            t = ((d >>> 32) ^ h) & ByteShuffle.LOW_INT;
            d ^= t << 32;
            h ^= t;
            target.putLong(to, a);
            target.putLong(to + 8, b);
            target.putLong(to + 2 * 8, c);
            target.putLong(to + 3 * 8, d);
            target.putLong(to + 4 * 8, e);
            target.putLong(to + 5 * 8, f);
            target.putLong(to + 6 * 8, g);
            target.putLong(to + 7 * 8, h);
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
