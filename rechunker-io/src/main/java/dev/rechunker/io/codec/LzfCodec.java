package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/**
 * The stream of LibLZF, which is the filter {@code lzf} of h5py. If a control byte is {@code n < 32}, {@code n + 1}
 * literals follow. Otherwise it describes a copy: its upper three bits are the length less 2; if they are 7, the next
 * byte is added. Its lower five bits and the next byte are the distance less 1.
 */
final class LzfCodec implements DecodeOnlyCodec {
    private static final int LITERALS = 32;
    private static final int LONG = 7;

    private LzfCodec() {}

    static LzfCodec create(CodecOptions options) throws CodecException {
        options.requireNoOthers();
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
                decodeLiterals(control + 1, encoded, decoded);
                continue;
            }
            int length = control >> 5;
            if (length == LONG) {
                length += next(encoded);
            }
            copy((control & 31) << 8 | next(encoded), length + 2, start, decoded);
        }
    }

    private static void decodeLiterals(int count, ByteBuffer encoded, ByteBuffer decoded) throws CodecException {
        if (count > encoded.remaining()) {
            throw cutOff();
        }
        requireSpace(count, decoded);
        decoded.put(decoded.position(), encoded, encoded.position(), count);
        encoded.position(encoded.position() + count);
        decoded.position(decoded.position() + count);
    }

    /** Copies decoded bytes; source and target can overlap. */
    private static void copy(int distance, int count, int start, ByteBuffer decoded) throws CodecException {
        int at = decoded.position();
        int from = at - distance - 1;
        if (from < start) {
            throw new CodecException("lzf: a copy starts before the chunk");
        }
        requireSpace(count, decoded);
        if (distance >= count) {
            decoded.put(at, decoded, from, count);
        } else {
            for (int i = 0; i < count; i++) {
                decoded.put(at + i, decoded.get(from + i));
            }
        }
        decoded.position(at + count);
    }

    private static void requireSpace(int count, ByteBuffer decoded) throws CodecException {
        if (count > decoded.remaining()) {
            throw new CodecException("lzf: the chunk decodes to more bytes than expected");
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
