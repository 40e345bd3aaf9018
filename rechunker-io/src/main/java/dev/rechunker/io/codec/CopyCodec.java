package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/** A codec that copies bytes. It is the step to which checksums are added if there is no other step. */
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
            throw new CodecException(
                    "a chunk has " + encoded.remaining() + " stored bytes instead of " + decoded.remaining());
        }
        decoded.put(encoded);
    }

    @Override
    public void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) {
        encoded.put(decoded);
    }
}
