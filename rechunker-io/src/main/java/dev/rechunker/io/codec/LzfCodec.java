package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/**
 * The stream of LibLZF, which h5py's filter {@code lzf} stores bare: a byte below 32 says that one more literal than
 * its value follows; any other has the length of a copy less two in its upper three bits, 7 meaning that a byte with
 * more of it follows, and the distance of the copy less one in its lower five bits and the next byte.
 */
final class LzfCodec implements DecodeOnlyCodec {
    private static final int LITERALS = 32;
    private static final int LONG = 7;

    private LzfCodec() {}

    static LzfCodec create(CodecOptions options) throws CodecException {
        options.end();
        return new LzfCodec();
    }

    @Override
    public String name() {
        return "lzf";
    }

    @Override
    public String identity() {
        return "lzf";
    }

    @Override
    public long maxEncodedSize(long decodedSize) {
        return decodedSize + decodedSize / LITERALS + 16;
    }

    @Override
    public Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int start = decoded.position();
        while (encoded.hasRemaining()) {
            int control = encoded.get() & 0xFF;
            if (control < LITERALS) {
                literals(control + 1, encoded, decoded);
                continue;
            }
            int length = control >> 5;
            if (length == LONG) {
                length += next(encoded);
            }
            copy((control & 31) << 8 | next(encoded), length + 2, start, decoded);
        }
    }

    private static void literals(int count, ByteBuffer encoded, ByteBuffer decoded) throws CodecException {
        if (count > encoded.remaining()) {
            throw cutOff();
        }
        room(count, decoded);
        decoded.put(decoded.position(), encoded, encoded.position(), count);
        encoded.position(encoded.position() + count);
        decoded.position(decoded.position() + count);
    }

    /** Copies bytes that are there already; a copy may overlap itself. */
    private static void copy(int distance, int count, int start, ByteBuffer decoded) throws CodecException {
        int at = decoded.position();
        int from = at - distance - 1;
        if (from < start) {
            throw new CodecException("lzf: a copy begins before the chunk");
        }
        room(count, decoded);
        if (distance >= count) {
            decoded.put(at, decoded, from, count);
        } else {
            for (int i = 0; i < count; i++) {
                decoded.put(at + i, decoded.get(from + i));
            }
        }
        decoded.position(at + count);
    }

    private static void room(int count, ByteBuffer decoded) throws CodecException {
        if (count > decoded.remaining()) {
            throw new CodecException("lzf: the chunk decodes to more bytes than belong to it");
        }
    }

    private static int next(ByteBuffer encoded) throws CodecException {
        if (!encoded.hasRemaining()) {
            throw cutOff();
        }
        return encoded.get() & 0xFF;
    }

    private static CodecException cutOff() {
        return new CodecException("lzf: the chunk is cut off");
    }
}
