package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.element.FloatFormat;
import dev.rechunker.element.RealType;
import dev.rechunker.element.Rounding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The codec {@code scale_offset} of the zarr-extensions registry. It encodes {@code (x - offset) * scale} and decodes
 * {@code y / scale + offset}, in the arithmetic of the type of elements. A result that the type does not have is an
 * error.
 */
final class ScaleOffsetFilter extends ElementFilter {
    private static final String NAME = "scale_offset";

    private final RealType type;
    private final @Nullable FloatFormat floats;
    private final long offset;
    private final long scale;

    private ScaleOffsetFilter(RealType type, ByteOrder order, long offset, long scale) {
        super(NAME, type.size(), order, type.size(), order);
        this.type = type;
        this.floats = type.floats();
        this.offset = offset;
        this.scale = scale;
    }

    /** {@return a filter for elements of a type and byte order} */
    static ScaleOffsetFilter create(CodecOptions options, DataType dataType, ByteOrder order) throws CodecException {
        RealType type = NamedType.real(dataType)
                .orElseThrow(() -> new CodecException(
                        "codec \"" + NAME + "\": elements of type " + dataType + " are neither integers nor floats"));
        long offset = number(options, "offset", 0L, type);
        long scale = number(options, "scale", 1L, type);
        options.requireNoOthers();
        if (type.isFloat() ? type.value(scale) == 0 : scale == 0) {
            throw options.refusal("scale", 0, "is zero");
        }
        return new ScaleOffsetFilter(type, order, offset, scale);
    }

    private static long number(CodecOptions options, String option, Object otherwise, RealType type)
            throws CodecException {
        Object json = options.take(option);
        try {
            return type.parse(json == null ? otherwise : json);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw options.refusal(option, String.valueOf(json), "is not a number of type " + type.name());
        }
    }

    @Override
    public String identity() {
        return NAME + "(" + type.name() + "," + offset + "," + scale + ")";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) throws CodecException {
        for (int at = 0; at < count * type.size(); at += type.size()) {
            long number = type.get(encoded, at);
            if (floats != null) {
                double quotient = rounded(floats, type.value(number) / type.value(scale), number);
                type.put(decoded, at, type.ofValue(rounded(floats, quotient + type.value(offset), number)));
            } else {
                type.put(decoded, at, decodedInteger(number));
            }
        }
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) throws CodecException {
        for (int at = 0; at < count * type.size(); at += type.size()) {
            long number = type.get(decoded, at);
            if (floats != null) {
                double difference = rounded(floats, type.value(number) - type.value(offset), number);
                type.put(encoded, at, type.ofValue(rounded(floats, difference * type.value(scale), number)));
            } else {
                type.put(encoded, at, encodedInteger(number));
            }
        }
    }

    /** {@return the number of the type that is nearest to a result; one operation in binary64 is exact enough} */
    private double rounded(FloatFormat format, double result, long number) throws CodecException {
        if (format.bits() >= Integer.SIZE) {
            return format.bits() == Integer.SIZE ? (float) result : result;
        }
        if (Double.isNaN(result) && format.hasNan()) {
            return result;
        }
        double rounded = format.round(result, Rounding.NEAREST_EVEN, 0);
        if (format.isInRange(rounded)) {
            return rounded;
        }
        if (Double.isNaN(result) || !format.hasInfinity()) {
            throw refusal(number);
        }
        return result > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }

    private long decodedInteger(long number) throws CodecException {
        boolean isUnsigned = !type.signed();
        long rest = isUnsigned ? Long.remainderUnsigned(number, scale) : number % scale;
        if (rest != 0) {
            throw refusal(number);
        }
        long quotient = isUnsigned ? Long.divideUnsigned(number, scale) : number / scale;
        long sum = quotient + offset;
        boolean overflows = isUnsigned
                ? Long.compareUnsigned(sum, quotient) < 0
                : ((quotient ^ sum) & (offset ^ sum)) < 0 || (number == Long.MIN_VALUE && scale == -1);
        return inRange(sum, overflows, number);
    }

    private long encodedInteger(long number) throws CodecException {
        long difference = number - offset;
        if (!type.signed()) {
            boolean overflows = Long.compareUnsigned(number, offset) < 0
                    || Long.compareUnsigned(difference, Long.divideUnsigned(-1, scale)) > 0;
            return inRange(difference * scale, overflows, number);
        }
        boolean overflows = ((number ^ offset) & (number ^ difference)) < 0;
        long product = difference * scale;
        long high = Math.multiplyHigh(difference, scale);
        return inRange(product, overflows || high != product >> (Long.SIZE - 1), number);
    }

    private long inRange(long result, boolean overflows, long number) throws CodecException {
        if (overflows || type.extended(result) != result) {
            throw refusal(number);
        }
        return result;
    }

    private CodecException refusal(long number) {
        return new CodecException("codec \"" + NAME + "\": the offset " + type.text(offset) + " and the scale "
                + type.text(scale) + " turn " + type.text(number) + " into a number that is not of type "
                + type.name());
    }
}
