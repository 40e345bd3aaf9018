package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * The codec {@code delta} of numcodecs, which stores the first number, then differences. Sums are computed in the
 * decoded type.
 */
final class DeltaFilter extends NumberFilter {
    DeltaFilter(NumberType decodedType, NumberType encodedType) {
        super("delta", decodedType, encodedType);
    }

    static DeltaFilter create(CodecOptions options) throws CodecException {
        NumberType decoded = NumberType.parse("delta", options.requiredText("dtype"));
        String astype = options.text("astype");
        NumberType encoded = astype == null ? decoded : NumberType.parse("delta", astype);
        options.requireNoOthers();
        if (decoded.kind() == NumberType.Kind.BOOL || encoded.kind() == NumberType.Kind.BOOL) {
            throw new CodecException("codec \"delta\": type bool is not supported; supported are integers, floats");
        }
        return new DeltaFilter(decoded, encoded);
    }

    @Override
    String settings() {
        return "";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) {
        int from = encodedType.size();
        int to = decodedType.size();
        if (decodedType.isFloat()) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                encodedType.convert(encoded, i * from, decodedType, decoded, i * to);
                double next = decodedType.getDouble(decoded, i * to);
                sum = i == 0 ? next : decodedType.round(sum + next);
                decodedType.putDouble(decoded, i * to, sum);
            }
        } else if (encodedType.isFloat()) {
            long sum = 0;
            for (int i = 0; i < count; i++) {
                encodedType.convert(encoded, i * from, decodedType, decoded, i * to);
                sum += decodedType.getLong(decoded, i * to);
                decodedType.putLong(decoded, i * to, sum);
            }
        } else {
            long sum = 0;
            for (int i = 0; i < count; i++) {
                sum += encodedType.getLong(encoded, i * from);
                decodedType.putLong(decoded, i * to, sum);
            }
        }
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) {
        int from = decodedType.size();
        int to = encodedType.size();
        if (decodedType.isFloat()) {
            double last = 0;
            for (int i = 0; i < count; i++) {
                double next = decodedType.getDouble(decoded, i * from);
                encodedType.putFromDouble(encoded, i * to, i == 0 ? next : decodedType.round(next - last));
                last = next;
            }
        } else {
            long last = 0;
            for (int i = 0; i < count; i++) {
                long next = decodedType.getLong(decoded, i * from);
                encodedType.putFromLong(encoded, i * to, decodedType, decodedType.wrap(next - last));
                last = next;
            }
        }
    }
}
