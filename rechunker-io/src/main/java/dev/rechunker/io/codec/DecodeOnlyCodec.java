package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/** A codec that only decodes chunks of other software. */
interface DecodeOnlyCodec extends Codec {
    @Override
    default Needs encodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    default void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        throw new CodecException("codec \"" + name() + "\" can only decode");
    }
}
