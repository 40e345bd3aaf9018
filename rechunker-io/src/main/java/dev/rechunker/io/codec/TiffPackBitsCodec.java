package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/**
 * PackBits. After a byte {@code n} of 0 or more, {@code n + 1} literals follow; after a negative one, a byte that is
 * repeated {@code 1 - n} times; -128 means nothing.
 *
 * <p>The name is that of the package imagecodecs in references to TIFF files.
 *
 * <p>Source: TIFF revision 6.0, section 9.
 */
final class TiffPackBitsCodec implements DecodeOnlyCodec {
    private static final int NOTHING = -128;

    private TiffPackBitsCodec() {}

    static TiffPackBitsCodec create(CodecOptions options) throws CodecException {
        options.requireNoOthers();
        return new TiffPackBitsCodec();
    }

    @Override
    public String name() {
        return "imagecodecs_packbits";
    }

    @Override
    public String identity() {
        return name();
    }

    /** Rows are compressed one by one, so that each may need some bytes more. */
    @Override
    public long maxEncodedSize(long bytes) {
        return 2 * bytes + 1024;
    }

    @Override
    public Needs decodeNeeds(long bytes) {
        return Needs.NONE;
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        while (decoded.hasRemaining() && encoded.hasRemaining()) {
            int control = encoded.get();
            int count = control >= 0 ? control + 1 : control == NOTHING ? 0 : 1 - control;
            int taken = control >= 0 ? count : Math.min(count, 1);
            if (count > decoded.remaining() || taken > encoded.remaining()) {
                throw new CodecException("PackBits: a run of " + count + " bytes does not fit");
            }
            if (control >= 0) {
                decoded.put(encoded.slice(encoded.position(), count));
                encoded.position(encoded.position() + count);
            } else if (count > 0) {
                byte value = encoded.get();
                for (int i = 0; i < count; i++) {
                    decoded.put(value);
                }
            }
        }
        if (decoded.hasRemaining()) {
            throw new CodecException("PackBits: the chunk is cut off: " + decoded.remaining() + " bytes are missing");
        }
        encoded.position(encoded.limit());
    }
}
