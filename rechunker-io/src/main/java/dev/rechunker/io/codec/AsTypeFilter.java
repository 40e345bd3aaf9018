package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/** The codec {@code astype} of numcodecs, which casts numbers to another type. */
final class AsTypeFilter extends NumberFilter {
    AsTypeFilter(NumberType decodedType, NumberType encodedType) {
        super("astype", decodedType, encodedType);
    }

    static AsTypeFilter create(CodecOptions options) throws CodecException {
        NumberType encoded = NumberType.parse("astype", options.requiredText("encode_dtype"));
        NumberType decoded = NumberType.parse("astype", options.requiredText("decode_dtype"));
        options.requireNoOthers();
        return new AsTypeFilter(decoded, encoded);
    }

    @Override
    String settings() {
        return "";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) {
        cast(encoded, encodedType, decoded, decodedType, count);
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) {
        cast(decoded, decodedType, encoded, encodedType, count);
    }
}
