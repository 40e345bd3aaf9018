package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Shuffles the bytes of elements: the first bytes of all elements come first, then the second bytes and so on. Bytes
 * after the last whole element are not moved.
 *
 * <p>Buffers are little-endian and positions are absolute. Eight elements at a time are transposed in registers.
 */
final class ByteShuffle {
    private ByteShuffle() {}

    /** Converts elements at {@code from} to byte planes at {@code to}. */
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
                Squares.bytes(source, from + plane, width, 8 * width, target, planes, elements, 8, elements / 8);
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

    /** Converts byte planes at {@code from} to elements at {@code to}. */
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
                Squares.bytes(source, planes, elements, 8, target, to + plane, width, 8 * width, elements / 8);
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
            long x = in.get(2 * i);
            long y = in.get(2 * i + 1);
            long a = evenInts(x, y);
            long b = oddInts(x, y);
            x = evenShorts(a, b);
            y = oddShorts(a, b);
            first.put(i, evenBytes(x, y));
            second.put(i, oddBytes(x, y));
        }
    }

    private static void unshuffle2(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer first = longs(source, from, whole);
        LongBuffer second = longs(source, from + elements, whole);
        LongBuffer out = longs(target, to, 2 * whole);
        for (int i = 0; i < whole / 8; i++) {
            long x = first.get(i);
            long y = second.get(i);
            long a = evenBytes(x, y);
            long b = oddBytes(x, y);
            x = evenShorts(a, b);
            y = oddShorts(a, b);
            out.put(2 * i, evenInts(x, y));
            out.put(2 * i + 1, oddInts(x, y));
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
            long a = evenInts(w, y);
            long b = oddInts(w, y);
            long c = evenInts(x, z);
            long d = oddInts(x, z);
            w = evenShorts(a, c);
            x = evenShorts(b, d);
            y = oddShorts(a, c);
            z = oddShorts(b, d);
            first.put(i, evenBytes(w, x));
            second.put(i, oddBytes(w, x));
            third.put(i, evenBytes(y, z));
            fourth.put(i, oddBytes(y, z));
        }
    }

    private static void unshuffle4(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer first = longs(source, from, whole);
        LongBuffer second = longs(source, from + elements, whole);
        LongBuffer third = longs(source, from + 2 * elements, whole);
        LongBuffer fourth = longs(source, from + 3 * elements, whole);
        LongBuffer out = longs(target, to, 4 * whole);
        for (int i = 0; i < whole / 8; i++) {
            long w = first.get(i);
            long x = second.get(i);
            long y = third.get(i);
            long z = fourth.get(i);
            long a = evenBytes(w, x);
            long b = oddBytes(w, x);
            long c = evenBytes(y, z);
            long d = oddBytes(y, z);
            w = evenShorts(a, c);
            x = evenShorts(b, d);
            y = oddShorts(a, c);
            z = oddShorts(b, d);
            out.put(4 * i, evenInts(w, x));
            out.put(4 * i + 1, evenInts(y, z));
            out.put(4 * i + 2, oddInts(w, x));
            out.put(4 * i + 3, oddInts(y, z));
        }
    }

    /** Makes four planes at a time, because the compiler checks every access if there are nine views. */
    private static void shuffle8(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer in = longs(source, from, 8 * whole);
        for (int half = 0; half < 2; half++) {
            int shift = 32 * half;
            LongBuffer first = longs(target, to + 4 * half * elements, whole);
            LongBuffer second = longs(target, to + (4 * half + 1) * elements, whole);
            LongBuffer third = longs(target, to + (4 * half + 2) * elements, whole);
            LongBuffer fourth = longs(target, to + (4 * half + 3) * elements, whole);
            for (int i = 0; i < whole / 8; i++) {
                long a = evenInts(in.get(8 * i) >>> shift, in.get(8 * i + 4) >>> shift);
                long b = evenInts(in.get(8 * i + 1) >>> shift, in.get(8 * i + 5) >>> shift);
                long c = evenInts(in.get(8 * i + 2) >>> shift, in.get(8 * i + 6) >>> shift);
                long d = evenInts(in.get(8 * i + 3) >>> shift, in.get(8 * i + 7) >>> shift);
                long w = evenShorts(a, c);
                long x = evenShorts(b, d);
                long y = oddShorts(a, c);
                long z = oddShorts(b, d);
                first.put(i, evenBytes(w, x));
                second.put(i, oddBytes(w, x));
                third.put(i, evenBytes(y, z));
                fourth.put(i, oddBytes(y, z));
            }
        }
    }

    /** Writes the first four bytes of eight elements to the target, and adds the other four in a second pass. */
    private static void unshuffle8(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        LongBuffer out = longs(target, to, 8 * whole);
        for (int half = 0; half < 2; half++) {
            LongBuffer first = longs(source, from + 4 * half * elements, whole);
            LongBuffer second = longs(source, from + (4 * half + 1) * elements, whole);
            LongBuffer third = longs(source, from + (4 * half + 2) * elements, whole);
            LongBuffer fourth = longs(source, from + (4 * half + 3) * elements, whole);
            for (int i = 0; i < whole / 8; i++) {
                long w = first.get(i);
                long x = second.get(i);
                long y = third.get(i);
                long z = fourth.get(i);
                long a = evenBytes(w, x);
                long b = oddBytes(w, x);
                long c = evenBytes(y, z);
                long d = oddBytes(y, z);
                w = evenShorts(a, c);
                x = evenShorts(b, d);
                y = oddShorts(a, c);
                z = oddShorts(b, d);
                if (half == 0) {
                    out.put(8 * i, w);
                    out.put(8 * i + 1, x);
                    out.put(8 * i + 2, y);
                    out.put(8 * i + 3, z);
                } else {
                    long low = out.get(8 * i);
                    out.put(8 * i, evenInts(low, w));
                    out.put(8 * i + 4, oddInts(low, w));
                    low = out.get(8 * i + 1);
                    out.put(8 * i + 1, evenInts(low, x));
                    out.put(8 * i + 5, oddInts(low, x));
                    low = out.get(8 * i + 2);
                    out.put(8 * i + 2, evenInts(low, y));
                    out.put(8 * i + 6, oddInts(low, y));
                    low = out.get(8 * i + 3);
                    out.put(8 * i + 3, evenInts(low, z));
                    out.put(8 * i + 7, oddInts(low, z));
                }
            }
        }
    }

    /** {@return the even bytes of two words, interleaved; byte 0 is the lowest} */
    private static long evenBytes(long x, long y) {
        return x ^ ((((x >>> 8) ^ y) & Squares.EVEN_BYTES) << 8);
    }

    /** {@return the odd bytes of two words, interleaved} */
    private static long oddBytes(long x, long y) {
        return y ^ (((x >>> 8) ^ y) & Squares.EVEN_BYTES);
    }

    /** {@return the even pairs of bytes of two words, interleaved} */
    private static long evenShorts(long x, long y) {
        return x ^ ((((x >>> 16) ^ y) & Squares.EVEN_SHORTS) << 16);
    }

    /** {@return the odd pairs of bytes of two words, interleaved} */
    private static long oddShorts(long x, long y) {
        return y ^ (((x >>> 16) ^ y) & Squares.EVEN_SHORTS);
    }

    /** {@return the lower halves of two words} */
    private static long evenInts(long x, long y) {
        return (x & Squares.EVEN_INT) | (y << 32);
    }

    /** {@return the upper halves of two words} */
    private static long oddInts(long x, long y) {
        return (x >>> 32) | (y & ~Squares.EVEN_INT);
    }

    /**
     * {@return a view of bytes as longs} A view is faster than absolute byte offsets, because its limit is checked once
     * before a loop.
     */
    private static LongBuffer longs(ByteBuffer buffer, int from, int bytes) {
        return buffer.slice(from, bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }
}
