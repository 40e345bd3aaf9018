package dev.rechunker.io.netcdf;

import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.Half;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The missing value of an array from the plain value of its attribute {@link Conventions#MISSING_VALUE}. */
public final class MissingElement {
    private final DataType type;
    private final ByteOrder order;
    private final boolean isSpacePadded;

    private MissingElement(DataType type, ByteOrder order, boolean isSpacePadded) {
        this.type = type;
        this.order = order;
        this.isSpacePadded = isSpacePadded;
    }

    /** {@return a plain value as an element of an array; empty if it is none} */
    public static Optional<FillValue> of(
            @Nullable Object plain, DataType type, ByteOrder order, boolean isSpacePadded) {
        return new MissingElement(type, order, isSpacePadded).converted(plain);
    }

    private Optional<FillValue> converted(@Nullable Object plain) {
        Object value = plain;
        while (value instanceof List<?> list && list.size() == 1) {
            value = list.get(0);
        }
        DataType.Kind kind = type.kind();
        if (value instanceof String text && kind == DataType.Kind.BYTES) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int size = type.itemSize();
            return bytes.length <= size && !isSpacePadded
                    ? Optional.of(FillValue.of(Arrays.copyOf(bytes, size)))
                    : Optional.empty();
        }
        if (!(value instanceof Number number)) {
            return Optional.empty();
        }
        return switch (kind) {
            case INT, UINT -> integer(number, kind == DataType.Kind.INT);
            case FLOAT -> floating(number);
            default -> Optional.empty();
        };
    }

    private Optional<FillValue> integer(Number number, boolean isSigned) {
        BigInteger value;
        try {
            value = new BigDecimal(number.toString()).toBigIntegerExact();
        } catch (ArithmeticException | NumberFormatException e) {
            return Optional.empty(); // a fraction, an infinity, or no number
        }
        int bits = 8 * type.itemSize();
        boolean fits = isSigned ? value.bitLength() < bits : value.signum() >= 0 && value.bitLength() <= bits;
        return fits ? Optional.of(word(value.longValue())) : Optional.empty();
    }

    private Optional<FillValue> floating(Number number) {
        double value = number.doubleValue();
        boolean isExact =
                number instanceof Double || new BigDecimal(number.toString()).compareTo(new BigDecimal(value)) == 0;
        int size = type.itemSize();
        double rounded = size == Double.BYTES
                ? value
                : size == Float.BYTES ? (float) value : Half.toDouble(Half.ofDouble(value));
        if (!isExact || Double.compare(rounded, value) != 0) {
            return Optional.empty();
        }
        return Optional.of(word(
                size == Double.BYTES
                        ? Double.doubleToRawLongBits(value)
                        : size == Float.BYTES ? Float.floatToRawIntBits((float) value) : Half.ofDouble(value)));
    }

    /** {@return an element of one word} */
    private FillValue word(long bits) {
        byte[] element = new byte[type.itemSize()];
        for (int i = 0; i < element.length; i++) {
            int at = order == ByteOrder.BIG_ENDIAN ? element.length - 1 - i : i;
            element[at] = (byte) (bits >> (8 * i));
        }
        return FillValue.of(element);
    }
}
