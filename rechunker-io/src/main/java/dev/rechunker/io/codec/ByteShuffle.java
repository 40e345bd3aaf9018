package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * Gathers the first bytes of all elements, then the second bytes and so on, and scatters them again. Bytes behind the
 * last whole element stay where they are.
 *
 * <p>Buffers are little-endian and positions are absolute. The widths 2, 4 and multiples of 8 are transposed eight
 * elements at a time in registers.
 */
final class ByteShuffle {
    private static final long ODD_BYTES = 0x00FF00FF00FF00FFL;
    private static final long ODD_SHORTS = 0x0000FFFF0000FFFFL;
    private static final long LOW_INT = 0xFFFFFFFFL;

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
            shuffle8(source, from, target, to, width, elements, whole);
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
            unshuffle8(source, from, target, to, width, elements, whole);
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
        for (int i = 0; i < whole; i += 8) {
            long w = source.getLong(from + 4 * i);
            long x = source.getLong(from + 4 * i + 8);
            long y = source.getLong(from + 4 * i + 16);
            long z = source.getLong(from + 4 * i + 24);
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
            target.putLong(to + i, a ^ (t << 8));
            target.putLong(to + elements + i, b ^ t);
            t = ((c >>> 8) ^ d) & ODD_BYTES;
            target.putLong(to + 2 * elements + i, c ^ (t << 8));
            target.putLong(to + 3 * elements + i, d ^ t);
        }
    }

    private static void unshuffle4(ByteBuffer source, int from, ByteBuffer target, int to, int elements, int whole) {
        for (int i = 0; i < whole; i += 8) {
            long a = source.getLong(from + i);
            long b = source.getLong(from + elements + i);
            long c = source.getLong(from + 2 * elements + i);
            long d = source.getLong(from + 3 * elements + i);
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
            target.putLong(to + 4 * i, (a & LOW_INT) | (b << 32));
            target.putLong(to + 4 * i + 8, (c & LOW_INT) | (d << 32));
            target.putLong(to + 4 * i + 16, (a >>> 32) | (b & ~LOW_INT));
            target.putLong(to + 4 * i + 24, (c >>> 32) | (d & ~LOW_INT));
        }
    }

    private static void shuffle8(
            ByteBuffer source, int from, ByteBuffer target, int to, int width, int elements, int whole) {
        long[] square = new long[8];
        for (int column = 0; column < width; column += 8) {
            for (int i = 0; i < whole; i += 8) {
                for (int k = 0; k < 8; k++) {
                    square[k] = source.getLong(from + (i + k) * width + column);
                }
                transpose(square);
                for (int k = 0; k < 8; k++) {
                    target.putLong(to + (column + k) * elements + i, square[k]);
                }
            }
        }
    }

    private static void unshuffle8(
            ByteBuffer source, int from, ByteBuffer target, int to, int width, int elements, int whole) {
        long[] square = new long[8];
        for (int column = 0; column < width; column += 8) {
            for (int i = 0; i < whole; i += 8) {
                for (int k = 0; k < 8; k++) {
                    square[k] = source.getLong(from + (column + k) * elements + i);
                }
                transpose(square);
                for (int k = 0; k < 8; k++) {
                    target.putLong(to + (i + k) * width + column, square[k]);
                }
            }
        }
    }

    /** Transposes 8 x 8 bytes, byte 0 of a row being its lowest. */
    static void transpose(long[] square) {
        swap(square, 0, 1, 8, ODD_BYTES);
        swap(square, 2, 3, 8, ODD_BYTES);
        swap(square, 4, 5, 8, ODD_BYTES);
        swap(square, 6, 7, 8, ODD_BYTES);
        swap(square, 0, 2, 16, ODD_SHORTS);
        swap(square, 1, 3, 16, ODD_SHORTS);
        swap(square, 4, 6, 16, ODD_SHORTS);
        swap(square, 5, 7, 16, ODD_SHORTS);
        swap(square, 0, 4, 32, LOW_INT);
        swap(square, 1, 5, 32, LOW_INT);
        swap(square, 2, 6, 32, LOW_INT);
        swap(square, 3, 7, 32, LOW_INT);
    }

    /**
     * Exchanges the bits of row {@code upper} that lie {@code shift} above the mask with those of {@code lower} in it.
     */
    static void swap(long[] rows, int upper, int lower, int shift, long mask) {
        long t = ((rows[upper] >>> shift) ^ rows[lower]) & mask;
        rows[lower] ^= t;
        rows[upper] ^= t << shift;
    }
}
