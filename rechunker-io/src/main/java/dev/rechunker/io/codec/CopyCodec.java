package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/** Leaves bytes as they are: what checksums are put around when nothing else is. */
final class CopyCodec implements SameSizeCodec {
    @Override
    public String name() {
        return "copy";
    }

    @Override
    public String identity() {
        return name();
    }

    @Override
    public void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        if (encoded.remaining() > decoded.remaining()) {
            throw new CodecException(encoded.remaining() + " bytes are stored where " + decoded.remaining()
                    + " bytes of elements belong");
        }
        decoded.put(encoded);
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) {
        encoded.put(decoded);
    }
}
