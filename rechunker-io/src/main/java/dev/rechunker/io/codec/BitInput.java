package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads numbers of any number of bits, which follow each other without gaps, most significant bit first. */
final class BitInput {
    private static final int MOST_AT_ONCE = Long.SIZE - Byte.SIZE + 1;

    private final String codec;
    private final ByteBuffer bytes;
    private final long end;
    private long at;

    /**
     * @param codec the name of the codec, for messages
     * @param bytes the bytes from their position to their limit, which are not changed
     */
    BitInput(String codec, ByteBuffer bytes) {
        this.codec = codec;
        this.bytes = bytes.slice().order(ByteOrder.BIG_ENDIAN);
        this.end = (long) Byte.SIZE * this.bytes.limit();
    }

    /**
     * {@return the next number, not negative unless it has 64 bits}
     *
     * @param width the number of bits, from 0 to 64
     * @throws CodecException if there are not as many bits
     */
    long bits(int width) throws CodecException {
        if (width > end - at) {
            throw new CodecException(codec + ": the chunk is cut off");
        }
        if (width == 0) {
            return 0;
        }
        if (width > MOST_AT_ONCE) {
            long high = bits(width - Integer.SIZE);
            return high << Integer.SIZE | bits(Integer.SIZE);
        }
        long value = next() >>> (Long.SIZE - width);
        at += width;
        return value;
    }

    /**
     * {@return the number of zeros before the next one, which are skipped together}
     *
     * @param most the most zeros that are valid
     * @throws CodecException if there are more zeros, or there is no one
     */
    int zeros(int most) throws CodecException {
        long start = at;
        long next = next();
        while (next == 0 && at < end && at - start <= most) {
            at += Long.SIZE - (at & 7);
            next = next();
        }
        int zeros = Math.toIntExact(Math.min(most + 1L, at - start + Long.numberOfLeadingZeros(next)));
        if (next == 0 || zeros > most) {
            throw new CodecException(codec + ": the chunk has a run of more than " + (next == 0 ? at - start : most)
                    + " zero bits, which is not valid");
        }
        at = start + zeros + 1;
        return zeros;
    }

    /** {@return at least the next 57 bits, on the left; zeros follow after the end} */
    private long next() {
        int first = (int) (at >>> 3);
        int skipped = (int) (at & 7);
        if (first <= bytes.limit() - Long.BYTES) {
            return bytes.getLong(first) << skipped;
        }
        long word = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            word = word << Byte.SIZE | (first + i < bytes.limit() ? bytes.get(first + i) & 0xFF : 0);
        }
        return word << skipped;
    }
}
