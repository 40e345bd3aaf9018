package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * The codec {@code quantize} of numcodecs, which rounds floats to multiples of the power of two that keeps a number of
 * decimal digits. Decoding casts only.
 */
final class QuantizeFilter extends NumberFilter {
    private final int digits;
    private final Scalar scale;

    private QuantizeFilter(int digits, NumberType decodedType, NumberType encodedType) {
        super("quantize", decodedType, encodedType);
        this.digits = digits;
        double exponent = Math.log(Math.pow(10, -digits)) / Math.log(10);
        double whole = exponent < 0 ? Math.floor(exponent) : Math.ceil(exponent);
        double bits = Math.ceil(Math.log(Math.pow(10, -whole)) / Math.log(2));
        this.scale = new Scalar(true, 0, Math.scalb(1.0, (int) bits));
    }

    static QuantizeFilter create(CodecOptions options) throws CodecException {
        int digits = options.integer("digits", Integer.MIN_VALUE, -300, 300);
        if (digits == Integer.MIN_VALUE) {
            throw new CodecException("codec \"quantize\" needs the option digits");
        }
        NumberType decoded = NumberType.parse("quantize", options.requiredText("dtype"));
        String astype = options.text("astype");
        NumberType encoded = astype == null ? decoded : NumberType.parse("quantize", astype);
        options.requireNoOthers();
        if (!decoded.isFloat() || !encoded.isFloat()) {
            throw new CodecException("codec \"quantize\": types " + decoded + " and " + encoded + " are not floats");
        }
        return new QuantizeFilter(digits, decoded, encoded);
    }

    @Override
    String settings() {
        return digits + ",";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) {
        cast(encoded, encodedType, decoded, decodedType, count);
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) {
        NumberType work = scale.resultType(decodedType);
        double factor = scale.in(work);
        for (int i = 0; i < count; i++) {
            double value = decodedType.getDouble(decoded, i * decodedType.size());
            double steps = Math.rint(work.round(value * factor));
            encodedType.putDouble(encoded, i * encodedType.size(), work.round(steps / factor));
        }
    }
}
