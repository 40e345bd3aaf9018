package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Gathers the first bytes of all elements, then the second bytes and so on, and scatters them again. Bytes behind the
 * last whole element stay where they are.
 *
 * <p>Buffers are little-endian and positions are absolute. The widths 2, 4 and multiples of 8 are transposed eight
 * elements at a time in registers.
 */
final class ByteShuffle {
    static final long ODD_BYTES = 0x00FF00FF00FF00FFL;
    static final long ODD_SHORTS = 0x0000FFFF0000FFFFL;
    static final long LOW_INT = 0xFFFFFFFFL;

    private ByteShuffle() {}

    /** Gathers: elements at {@code from} become planes at {@code to}. */
    static void shuffle(ByteBuffer source, int from, ByteBuffer target, int to, int width, int bytes) {
        int elements = bytes / width;
        int whole = elements & ~7;
        if (width == 2) {
            shuffle2(source, from, target, to, elements, whole);
        } else if (width == 4) {
            shuffle4(source, from, target, to, elements, whole);
        } else if (width % 8 == 0) {
            for (int plane = 0; plane < width; plane += 8) {
                int planes = to + plane * elements;
                transpose(source, from + plane, width, 8 * width, target, planes, elements, 8, elements / 8);
            }
        } else {
            whole = 0;
        }
        for (int plane = 0; plane < width; plane++) {
            for (int i = whole; i < elements; i++) {
                target.put(to + plane * elements + i, source.get(from + i * width + plane));
            }
        }
        int done = elements * width;
        target.put(to + done, source, from + done, bytes - done);
    }

    /** Scatters: planes at {@code from} become elements at {@code to}. */
    static void unshuffle(ByteBuffer source, int from, ByteBuffer target, int to, int width, int bytes) {
        int elements = bytes / width;
        int whole = elements & ~7;
        if (width == 2) {
            unshuffle2(source, from, target, to, elements, whole);
        } else if (width == 4) {
            unshuffle4(source, from, target, to, elements, whole);
        } else if (width % 8 == 0) {
            for (int plane = 0; plane < width; plane += 8) {
                int planes = from + plane * elements;
                transpose(source, planes, elements, 8, target, to + plane, width, 8 * width, elements / 8);
            }
        } else {
            whole = 0;
        }
        for (int plane = 0; plane < width; plane++) {
            for (int i = whole; i < elements; i++) {
                target.put(to + i * width + plane, source.get(from + plane * elements + i));
            }
        }
        int done = elements * width;
        target.put(to + done, source, from + done, bytes - done);
    }

    private static void shuffle2(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        for (int i = 0; i < whole; i += 8) {
            long a = source.getLong(from + 2 * i);
            long b = source.getLong(from + 2 * i + 8);
            long t = ((a >>> 32) ^ b) & LOW_INT;
            b ^= t;
            a ^= t << 32;
            t = ((a >>> 16) ^ b) & ODD_SHORTS;
            b ^= t;
            a ^= t << 16;
            t = ((a >>> 8) ^ b) & ODD_BYTES;
            target.putLong(to + i, a ^ (t << 8));
            target.putLong(to + elements + i, b ^ t);
        }
    }

    private static void unshuffle2(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        for (int i = 0; i < whole; i += 8) {
            long a = source.getLong(from + i);
            long b = source.getLong(from + elements + i);
            long t = ((a >>> 8) ^ b) & ODD_BYTES;
            b ^= t;
            a ^= t << 8;
            t = ((a >>> 16) ^ b) & ODD_SHORTS;
            b ^= t;
            a ^= t << 16;
            t = ((a >>> 32) ^ b) & LOW_INT;
            target.putLong(to + 2 * i, a ^ (t << 32));
            target.putLong(to + 2 * i + 8, b ^ t);
        }
    }

    private static void shuffle4(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer in = longs(source, from, 4 * whole);
        LongBuffer first = longs(target, to, whole);
        LongBuffer second = longs(target, to + elements, whole);
        LongBuffer third = longs(target, to + 2 * elements, whole);
        LongBuffer fourth = longs(target, to + 3 * elements, whole);
        for (int i = 0; i < whole / 8; i++) {
            long w = in.get(4 * i);
            long x = in.get(4 * i + 1);
            long y = in.get(4 * i + 2);
            long z = in.get(4 * i + 3);
            long a = (w & LOW_INT) | (y << 32);
            long b = (w >>> 32) | (y & ~LOW_INT);
            long c = (x & LOW_INT) | (z << 32);
            long d = (x >>> 32) | (z & ~LOW_INT);
            long t = ((a >>> 16) ^ c) & ODD_SHORTS;
            c ^= t;
            a ^= t << 16;
            t = ((b >>> 16) ^ d) & ODD_SHORTS;
            d ^= t;
            b ^= t << 16;
            t = ((a >>> 8) ^ b) & ODD_BYTES;
            first.put(i, a ^ (t << 8));
            second.put(i, b ^ t);
            t = ((c >>> 8) ^ d) & ODD_BYTES;
            third.put(i, c ^ (t << 8));
            fourth.put(i, d ^ t);
        }
    }

    private static void unshuffle4(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer first = longs(source, from, whole);
        LongBuffer second = longs(source, from + elements, whole);
        LongBuffer third = longs(source, from + 2 * elements, whole);
        LongBuffer fourth = longs(source, from + 3 * elements, whole);
        LongBuffer out = longs(target, to, 4 * whole);
        for (int i = 0; i < whole / 8; i++) {
            long a = first.get(i);
            long b = second.get(i);
            long c = third.get(i);
            long d = fourth.get(i);
            long t = ((a >>> 8) ^ b) & ODD_BYTES;
            b ^= t;
            a ^= t << 8;
            t = ((c >>> 8) ^ d) & ODD_BYTES;
            d ^= t;
            c ^= t << 8;
            t = ((a >>> 16) ^ c) & ODD_SHORTS;
            c ^= t;
            a ^= t << 16;
            t = ((b >>> 16) ^ d) & ODD_SHORTS;
            d ^= t;
            b ^= t << 16;
            out.put(4 * i, (a & LOW_INT) | (b << 32));
            out.put(4 * i + 1, (c & LOW_INT) | (d << 32));
            out.put(4 * i + 2, (a >>> 32) | (b & ~LOW_INT));
            out.put(4 * i + 3, (c >>> 32) | (d & ~LOW_INT));
        }
    }

    /** A view costs less per access than absolute offsets in bytes: its limit is checked once before the loop. */
    private static LongBuffer longs(ByteBuffer buffer, int from, int bytes) {
        return buffer.slice(from, bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }

    /**
     * Transposes squares of 8 x 8 bytes, one behind another on both sides: exchanges single bytes, pairs, and fours.
     *
     * @param fromRow the distance of the rows of a square in the source, and {@code fromSquare} that of the squares
     * @param toRow the same in the target
     */
    private static void transpose(
            ByteBuffer source,
            int from,
            int fromRow,
            int fromSquare,
            ByteBuffer target,
            int to,
            int toRow,
            int toSquare,
            int squares) {
        for (int i = 0; i < squares; i++, from += fromSquare, to += toSquare) {
            long a = source.getLong(from);
            long b = source.getLong(from + fromRow);
            long c = source.getLong(from + 2 * fromRow);
            long d = source.getLong(from + 3 * fromRow);
            long e = source.getLong(from + 4 * fromRow);
            long f = source.getLong(from + 5 * fromRow);
            long g = source.getLong(from + 6 * fromRow);
            long h = source.getLong(from + 7 * fromRow);
            long t = ((a >>> 8) ^ b) & ODD_BYTES;
            a ^= t << 8;
            b ^= t;
            t = ((c >>> 8) ^ d) & ODD_BYTES;
            c ^= t << 8;
            d ^= t;
            t = ((e >>> 8) ^ f) & ODD_BYTES;
            e ^= t << 8;
            f ^= t;
            t = ((g >>> 8) ^ h) & ODD_BYTES;
            g ^= t << 8;
            h ^= t;
            t = ((a >>> 16) ^ c) & ODD_SHORTS;
            a ^= t << 16;
            c ^= t;
            t = ((b >>> 16) ^ d) & ODD_SHORTS;
            b ^= t << 16;
            d ^= t;
            t = ((e >>> 16) ^ g) & ODD_SHORTS;
            e ^= t << 16;
            g ^= t;
            t = ((f >>> 16) ^ h) & ODD_SHORTS;
            f ^= t << 16;
            h ^= t;
            t = ((a >>> 32) ^ e) & LOW_INT;
            a ^= t << 32;
            e ^= t;
            t = ((b >>> 32) ^ f) & LOW_INT;
            b ^= t << 32;
            f ^= t;
            t = ((c >>> 32) ^ g) & LOW_INT;
            c ^= t << 32;
            g ^= t;
            t = ((d >>> 32) ^ h) & LOW_INT;
            d ^= t << 32;
            h ^= t;
            target.putLong(to, a);
            target.putLong(to + toRow, b);
            target.putLong(to + 2 * toRow, c);
            target.putLong(to + 3 * toRow, d);
            target.putLong(to + 4 * toRow, e);
            target.putLong(to + 5 * toRow, f);
            target.putLong(to + 6 * toRow, g);
            target.putLong(to + 7 * toRow, h);
        }
    }
}
