package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/** Shuffles elements of any multiple of eight bytes. */
final class ByteSquares {
    private ByteSquares() {}

    /**
     * Transposes squares of 8 x 8 bytes, one behind another on both sides: exchanges single bytes, pairs, and fours.
     *
     * @param fromRow the distance of the rows of a square in the source, and {@code fromSquare} that of the squares
     * @param toRow the same in the target
     */
    static void transpose(
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
