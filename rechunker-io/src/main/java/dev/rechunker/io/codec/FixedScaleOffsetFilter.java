package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/**
 * The codec {@code fixedscaleoffset} of numcodecs. It encodes {@code round((x - offset) * scale)} and decodes {@code y
 * / scale + offset}. Each operation is computed in the type in which NumPy 1 computes it.
 */
final class FixedScaleOffsetFilter extends NumberFilter {
    private final Scalar offset;
    private final Scalar scale;

    private FixedScaleOffsetFilter(Scalar offset, Scalar scale, NumberType decodedType, NumberType encodedType) {
        super("fixedscaleoffset", decodedType, encodedType);
        this.offset = offset;
        this.scale = scale;
    }

    static FixedScaleOffsetFilter create(CodecOptions options) throws CodecException {
        Scalar offset = Scalar.of(options.requiredNumber("offset"));
        Scalar scale = Scalar.of(options.requiredNumber("scale"));
        NumberType decoded = NumberType.parse("fixedscaleoffset", options.requiredText("dtype"));
        String astype = options.text("astype");
        NumberType encoded = astype == null ? decoded : NumberType.parse("fixedscaleoffset", astype);
        options.requireNoOthers();
        return new FixedScaleOffsetFilter(offset, scale, decoded, encoded);
    }

    @Override
    String settings() {
        return offset + "," + scale + ",";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) {
        NumberType quotient = encodedType.isFloat() ? scale.resultType(encodedType) : NumberType.FLOAT64;
        NumberType sum = offset.resultType(quotient);
        double divisor = scale.in(quotient);
        double addend = offset.in(sum);
        for (int i = 0; i < count; i++) {
            int at = i * encodedType.size();
            double stored = encodedType.isFloat()
                    ? encodedType.getDouble(encoded, at)
                    : encodedType.toDouble(encodedType.getLong(encoded, at));
            double value = sum.round(quotient.round(stored / divisor) + addend);
            decodedType.putFromDouble(decoded, i * decodedType.size(), value);
        }
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) {
        NumberType difference = offset.resultType(decodedType);
        NumberType product = scale.resultType(difference);
        double subtrahend = offset.in(difference);
        double factor = scale.in(product);
        for (int i = 0; i < count; i++) {
            int at = i * decodedType.size();
            int to = i * encodedType.size();
            double shifted;
            if (difference.isFloat()) {
                double value = decodedType.isFloat()
                        ? decodedType.getDouble(decoded, at)
                        : decodedType.toDouble(decodedType.getLong(decoded, at));
                shifted = difference.round(difference.round(value) - subtrahend);
            } else {
                long whole = difference.wrap(decodedType.getLong(decoded, at) - offset.integer());
                if (!product.isFloat()) {
                    encodedType.putFromLong(encoded, to, product, product.wrap(whole * scale.integer()));
                    continue;
                }
                shifted = difference.toDouble(whole);
            }
            encodedType.putFromDouble(encoded, to, Math.rint(product.round(product.round(shifted) * factor)));
        }
    }
}
