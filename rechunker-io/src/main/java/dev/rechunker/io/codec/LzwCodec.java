package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/**
 * LZW. Codes of 9 to 12 bits, the highest bit first, stand for sequences of bytes. A sequence is one that was decoded
 * before and a byte more, so it is copied from the output, and the table only has where it is.
 *
 * <p>The name is that of the package imagecodecs in references to TIFF files.
 *
 * <p>Source: TIFF revision 6.0, section 13.
 */
final class LzwCodec implements DecodeOnlyCodec {
    private static final int CLEAR = 256;
    private static final int END = 257;
    private static final int FIRST = 258;
    private static final int CODES = 4096;
    private static final int LEAST_BITS = 9;
    private static final int MOST_BITS = 12;
    /** The table: the position and the length of each sequence. */
    private static final int TABLE = 2 * Integer.BYTES * CODES;

    private LzwCodec() {}

    static LzwCodec create(CodecOptions options) throws CodecException {
        options.requireNoOthers();
        return new LzwCodec();
    }

    @Override
    public String name() {
        return "imagecodecs_lzw";
    }

    @Override
    public String identity() {
        return name();
    }

    /** A code of 12 bits is a byte or more. */
    @Override
    public long maxEncodedSize(long bytes) {
        return bytes + bytes / 2 + 1024;
    }

    @Override
    public Needs decodeNeeds(long bytes) {
        return new Needs(0, TABLE);
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        if (encoded.remaining() >= 2
                && encoded.get(encoded.position()) == 0
                && (encoded.get(encoded.position() + 1) & 1) == 1) {
            throw new CodecException("LZW: the codes are in the order of old programs, which is not supported; compress"
                    + " the file again with tiffcp -c lzw");
        }
        int[] starts = new int[CODES];
        int[] lengths = new int[CODES];
        int start = decoded.position();
        int next = FIRST;
        int bits = LEAST_BITS;
        int previousStart = -1;
        int previousLength = 0;
        long window = 0;
        int available = 0;
        while (decoded.hasRemaining()) {
            while (available < bits) {
                if (!encoded.hasRemaining()) {
                    throw new CodecException(
                            "LZW: the chunk is cut off: " + decoded.remaining() + " bytes are missing");
                }
                window = window << 8 | (encoded.get() & 0xFF);
                available += 8;
            }
            available -= bits;
            int code = (int) (window >>> available) & ((1 << bits) - 1);
            if (code == END) {
                throw new CodecException("LZW: the chunk ends early: " + decoded.remaining() + " bytes are missing");
            }
            if (code == CLEAR) {
                next = FIRST;
                bits = LEAST_BITS;
                previousStart = -1;
                continue;
            }
            if (previousStart >= 0 && next < CODES) {
                starts[next] = previousStart;
                lengths[next] = previousLength + 1;
                next++;
            }
            if (code >= next || (code >= CLEAR && code < FIRST)) {
                throw new CodecException("LZW: code " + code + " at byte " + (decoded.position() - start)
                        + " of the decoded chunk is not defined");
            }
            int at = decoded.position();
            int length = code < CLEAR ? 1 : Math.min(lengths[code], decoded.remaining());
            if (code < CLEAR) {
                decoded.put((byte) code);
            } else {
                copy(decoded, starts[code], length);
            }
            previousStart = at;
            previousLength = length;
            // The writer adds its sequence one code later, and changes the width one code early.
            if (next >= (1 << bits) - 1 && bits < MOST_BITS) {
                bits++;
            }
        }
        encoded.position(encoded.limit());
    }

    /** Appends bytes that were decoded before. They can overlap with those that are appended. */
    private static void copy(ByteBuffer decoded, int from, int length) {
        int at = decoded.position();
        if (from + length <= at) {
            decoded.put(at, decoded, from, length);
            decoded.position(at + length);
            return;
        }
        for (int i = 0; i < length; i++) {
            decoded.put(decoded.get(from + i));
        }
    }
}
