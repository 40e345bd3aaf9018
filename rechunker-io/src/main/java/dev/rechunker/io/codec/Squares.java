package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * Transposes squares of 8 x 8 bytes, and the 8 x 8 bits in each column of bytes, in registers.
 *
 * <p>The three loops are similar. They do not share a method that reads and writes the buffers, because that runs at
 * half the speed when the compiler has no profile of it.
 */
final class Squares {
    /** A mask of the even bytes of a word. */
    static final long EVEN_BYTES = 0x00FF00FF00FF00FFL;

    /** A mask of the even pairs of bytes of a word. */
    static final long EVEN_SHORTS = 0x0000FFFF0000FFFFL;

    /** A mask of the lower half of a word. */
    static final long EVEN_INT = 0xFFFFFFFFL;

    private static final long EVEN_BITS = 0x5555555555555555L;
    private static final long EVEN_PAIRS = 0x3333333333333333L;
    private static final long EVEN_FOURS = 0x0F0F0F0F0F0F0F0FL;

    private Squares() {}

    /**
     * Transposes the bytes of squares.
     *
     * @param fromRow the distance of the rows of a square in the source
     * @param fromSquare the distance of the squares in the source
     * @param toRow the distance of the rows of a square in the target
     * @param toSquare the distance of the squares in the target
     */
    static void bytes(
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
            Words words = new Words(
                    source.getLong(from),
                    source.getLong(from + fromRow),
                    source.getLong(from + 2 * fromRow),
                    source.getLong(from + 3 * fromRow),
                    source.getLong(from + 4 * fromRow),
                    source.getLong(from + 5 * fromRow),
                    source.getLong(from + 6 * fromRow),
                    source.getLong(from + 7 * fromRow));
            words.transposeBytes();
            target.putLong(to, words.a);
            target.putLong(to + toRow, words.b);
            target.putLong(to + 2 * toRow, words.c);
            target.putLong(to + 3 * toRow, words.d);
            target.putLong(to + 4 * toRow, words.e);
            target.putLong(to + 5 * toRow, words.f);
            target.putLong(to + 6 * toRow, words.g);
            target.putLong(to + 7 * toRow, words.h);
        }
    }

    /** Transposes the bytes, then the bits, of squares that are contiguous in the source. */
    static void bytesThenBits(ByteBuffer source, int from, ByteBuffer target, int to, int toRow, int squares) {
        for (int i = 0; i < squares; i++, from += 64, to += 8) {
            Words words = new Words(
                    source.getLong(from),
                    source.getLong(from + 8),
                    source.getLong(from + 2 * 8),
                    source.getLong(from + 3 * 8),
                    source.getLong(from + 4 * 8),
                    source.getLong(from + 5 * 8),
                    source.getLong(from + 6 * 8),
                    source.getLong(from + 7 * 8));
            words.transposeBytes();
            words.transposeBits();
            target.putLong(to, words.a);
            target.putLong(to + toRow, words.b);
            target.putLong(to + 2 * toRow, words.c);
            target.putLong(to + 3 * toRow, words.d);
            target.putLong(to + 4 * toRow, words.e);
            target.putLong(to + 5 * toRow, words.f);
            target.putLong(to + 6 * toRow, words.g);
            target.putLong(to + 7 * toRow, words.h);
        }
    }

    /** Transposes the bits, then the bytes, of squares that become contiguous in the target. */
    static void bitsThenBytes(ByteBuffer source, int from, int fromRow, ByteBuffer target, int to, int squares) {
        for (int i = 0; i < squares; i++, from += 8, to += 64) {
            Words words = new Words(
                    source.getLong(from),
                    source.getLong(from + fromRow),
                    source.getLong(from + 2 * fromRow),
                    source.getLong(from + 3 * fromRow),
                    source.getLong(from + 4 * fromRow),
                    source.getLong(from + 5 * fromRow),
                    source.getLong(from + 6 * fromRow),
                    source.getLong(from + 7 * fromRow));
            words.transposeBits();
            words.transposeBytes();
            target.putLong(to, words.a);
            target.putLong(to + 8, words.b);
            target.putLong(to + 2 * 8, words.c);
            target.putLong(to + 3 * 8, words.d);
            target.putLong(to + 4 * 8, words.e);
            target.putLong(to + 5 * 8, words.f);
            target.putLong(to + 6 * 8, words.g);
            target.putLong(to + 7 * 8, words.h);
        }
    }

    /** The rows of a square. No reference to an instance is kept, so that compiled code does not allocate it. */
    private static final class Words {
        private long a;
        private long b;
        private long c;
        private long d;
        private long e;
        private long f;
        private long g;
        private long h;

        Words(long a, long b, long c, long d, long e, long f, long g, long h) {
            this.a = a;
            this.b = b;
            this.c = c;
            this.d = d;
            this.e = e;
            this.f = f;
            this.g = g;
            this.h = h;
        }

        void transposeBytes() {
            exchangeNeighbours(8, EVEN_BYTES);
            exchangePairs(16, EVEN_SHORTS);
            exchangeFours(32, EVEN_INT);
        }

        /** Transposes the bits of each column of bytes; bit 0 is that of row 0. */
        void transposeBits() {
            exchangeNeighbours(1, EVEN_BITS);
            exchangePairs(2, EVEN_PAIRS);
            exchangeFours(4, EVEN_FOURS);
        }

        /** Exchanges the upper parts of each row and the lower parts of the next row. */
        private void exchangeNeighbours(int shift, long mask) {
            long t = ((a >>> shift) ^ b) & mask;
            a ^= t << shift;
            b ^= t;
            t = ((c >>> shift) ^ d) & mask;
            c ^= t << shift;
            d ^= t;
            t = ((e >>> shift) ^ f) & mask;
            e ^= t << shift;
            f ^= t;
            t = ((g >>> shift) ^ h) & mask;
            g ^= t << shift;
            h ^= t;
        }

        /** Exchanges the upper parts of two rows and the lower parts of the next two rows. */
        private void exchangePairs(int shift, long mask) {
            long t = ((a >>> shift) ^ c) & mask;
            a ^= t << shift;
            c ^= t;
            t = ((b >>> shift) ^ d) & mask;
            b ^= t << shift;
            d ^= t;
            t = ((e >>> shift) ^ g) & mask;
            e ^= t << shift;
            g ^= t;
            t = ((f >>> shift) ^ h) & mask;
            f ^= t << shift;
            h ^= t;
        }

        /** Exchanges the upper parts of four rows and the lower parts of the next four rows. */
        private void exchangeFours(int shift, long mask) {
            long t = ((a >>> shift) ^ e) & mask;
            a ^= t << shift;
            e ^= t;
            t = ((b >>> shift) ^ f) & mask;
            b ^= t << shift;
            f ^= t;
            t = ((c >>> shift) ^ g) & mask;
            c ^= t << shift;
            g ^= t;
            t = ((d >>> shift) ^ h) & mask;
            d ^= t << shift;
            h ^= t;
        }
    }
}
