package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Gathers the first bytes of all elements, then the second bytes and so on, and scatters them again. Bytes behind the
 * last whole element stay where they are.
 *
 * <p>Buffers are little-endian and positions are absolute. Eight elements at a time are transposed in registers.
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
        } else if (width == 8) {
            shuffle8(source, from, target, to, elements, whole);
        } else if (width % 8 == 0) {
            for (int plane = 0; plane < width; plane += 8) {
                int planes = to + plane * elements;
                ByteSquares.transpose(
                        source, from + plane, width, 8 * width, target, planes, elements, 8, elements / 8);
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
        } else if (width == 8) {
            unshuffle8(source, from, target, to, elements, whole);
        } else if (width % 8 == 0) {
            for (int plane = 0; plane < width; plane += 8) {
                int planes = from + plane * elements;
                ByteSquares.transpose(source, planes, elements, 8, target, to + plane, width, 8 * width, elements / 8);
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
        LongBuffer in = longs(source, from, 2 * whole);
        LongBuffer first = longs(target, to, whole);
        LongBuffer second = longs(target, to + elements, whole);
        for (int i = 0; i < whole / 8; i++) {
            long a = in.get(2 * i);
            long b = in.get(2 * i + 1);
            long t = ((a >>> 32) ^ b) & LOW_INT;
            b ^= t;
            a ^= t << 32;
            t = ((a >>> 16) ^ b) & ODD_SHORTS;
            b ^= t;
            a ^= t << 16;
            t = ((a >>> 8) ^ b) & ODD_BYTES;
            first.put(i, a ^ (t << 8));
            second.put(i, b ^ t);
        }
    }

    private static void unshuffle2(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer first = longs(source, from, whole);
        LongBuffer second = longs(source, from + elements, whole);
        LongBuffer out = longs(target, to, 2 * whole);
        for (int i = 0; i < whole / 8; i++) {
            long a = first.get(i);
            long b = second.get(i);
            long t = ((a >>> 8) ^ b) & ODD_BYTES;
            b ^= t;
            a ^= t << 8;
            t = ((a >>> 16) ^ b) & ODD_SHORTS;
            b ^= t;
            a ^= t << 16;
            t = ((a >>> 32) ^ b) & LOW_INT;
            out.put(2 * i, a ^ (t << 32));
            out.put(2 * i + 1, b ^ t);
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

    /** Four planes at a time: of nine views at once, the compiler would check every access. */
    private static void shuffle8(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer in = longs(source, from, 8 * whole);
        for (int half = 0; half < 2; half++) {
            int shift = 32 * half;
            LongBuffer first = longs(target, to + 4 * half * elements, whole);
            LongBuffer second = longs(target, to + (4 * half + 1) * elements, whole);
            LongBuffer third = longs(target, to + (4 * half + 2) * elements, whole);
            LongBuffer fourth = longs(target, to + (4 * half + 3) * elements, whole);
            for (int i = 0; i < whole / 8; i++) {
                long a = ((in.get(8 * i) >>> shift) & LOW_INT) | (in.get(8 * i + 4) >>> shift << 32);
                long b = ((in.get(8 * i + 1) >>> shift) & LOW_INT) | (in.get(8 * i + 5) >>> shift << 32);
                long c = ((in.get(8 * i + 2) >>> shift) & LOW_INT) | (in.get(8 * i + 6) >>> shift << 32);
                long d = ((in.get(8 * i + 3) >>> shift) & LOW_INT) | (in.get(8 * i + 7) >>> shift << 32);
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
    }

    /** Puts together the first four bytes of eight elements, leaves them in the target, and adds the others to them. */
    private static void unshuffle8(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer out = longs(target, to, 8 * whole);
        for (int half = 0; half < 2; half++) {
            LongBuffer first = longs(source, from + 4 * half * elements, whole);
            LongBuffer second = longs(source, from + (4 * half + 1) * elements, whole);
            LongBuffer third = longs(source, from + (4 * half + 2) * elements, whole);
            LongBuffer fourth = longs(source, from + (4 * half + 3) * elements, whole);
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
                if (half == 0) {
                    out.put(8 * i, a);
                    out.put(8 * i + 1, b);
                    out.put(8 * i + 2, c);
                    out.put(8 * i + 3, d);
                } else {
                    long low = out.get(8 * i);
                    out.put(8 * i, (low & LOW_INT) | (a << 32));
                    out.put(8 * i + 4, (low >>> 32) | (a & ~LOW_INT));
                    low = out.get(8 * i + 1);
                    out.put(8 * i + 1, (low & LOW_INT) | (b << 32));
                    out.put(8 * i + 5, (low >>> 32) | (b & ~LOW_INT));
                    low = out.get(8 * i + 2);
                    out.put(8 * i + 2, (low & LOW_INT) | (c << 32));
                    out.put(8 * i + 6, (low >>> 32) | (c & ~LOW_INT));
                    low = out.get(8 * i + 3);
                    out.put(8 * i + 3, (low & LOW_INT) | (d << 32));
                    out.put(8 * i + 7, (low >>> 32) | (d & ~LOW_INT));
                }
            }
        }
    }

    /** A view costs less per access than absolute offsets in bytes: its limit is checked once before the loop. */
    private static LongBuffer longs(ByteBuffer buffer, int from, int bytes) {
        return buffer.slice(from, bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }
}
