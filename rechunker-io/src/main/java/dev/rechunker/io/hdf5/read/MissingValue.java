package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.Half;
import dev.rechunker.io.hdf5.format.Conventions;
import dev.rechunker.io.hdf5.format.StringForm;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the missing value of a dataset from its attribute {@link Conventions#MISSING_VALUE}. */
final class MissingValue {
    private final ElementType type;

    private MissingValue(ElementType type) {
        this.type = type;
    }

    /**
     * {@return the value of one element of the attribute, in the byte order of the dataset; undefined if there is no
     * attribute, or the elements of the dataset cannot have its value}
     *
     * @param type the type of the dataset's elements
     */
    static FillValue of(ObjectAttributes attributes, ElementType type) throws IOException {
        ObjectAttributes.Raw raw = attributes.raw().get(Conventions.MISSING_VALUE);
        if (raw == null || raw.isNull() || raw.extents().elements() != 1) {
            return FillValue.UNDEFINED;
        }
        Object plain = attributes.values().get(Conventions.MISSING_VALUE);
        try {
            return FileMetadata.parse(
                    "",
                    () -> new MissingValue(type)
                            .same(raw)
                            .or(() -> new MissingValue(type).converted(plain))
                            .orElse(FillValue.UNDEFINED));
        } catch (StoreException e) {
            return FillValue.UNDEFINED; // a type that elements of datasets cannot have
        }
    }

    /** {@return the bytes of the attribute if it has the type of the dataset} */
    private Optional<FillValue> same(ObjectAttributes.Raw raw) throws IOException {
        int kind = ElementType.classOf(raw.type());
        if (kind == ElementType.ARRAY || kind == ElementType.VARIABLE) {
            return Optional.empty();
        }
        ElementType stored = ElementType.read(raw.type());
        if (!stored.type().equals(type.type())
                || raw.data().remaining() < stored.type().itemSize()) {
            return Optional.empty();
        }
        byte[] element = new byte[stored.type().itemSize()];
        raw.data().get(raw.data().position(), element);
        boolean isSwapped = !stored.order().equals(type.order());
        return Optional.of(FillValue.of(element).swapped(isSwapped ? type.type().wordSize() : 1));
    }

    /** {@return a plain value as an element of the dataset; empty if it is none} */
    private Optional<FillValue> converted(@Nullable Object plain) {
        Object value = plain;
        while (value instanceof List<?> list && list.size() == 1) {
            value = list.get(0);
        }
        DataType.Kind kind = type.type().kind();
        if (value instanceof String text && kind == DataType.Kind.BYTES) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int size = type.type().itemSize();
            return bytes.length <= size && !StringForm.isSpacePadded(type.hints())
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
        int bits = 8 * type.type().itemSize();
        boolean fits = isSigned ? value.bitLength() < bits : value.signum() >= 0 && value.bitLength() <= bits;
        return fits ? Optional.of(word(value.longValue())) : Optional.empty();
    }

    private Optional<FillValue> floating(Number number) {
        double value = number.doubleValue();
        boolean isExact =
                number instanceof Double || new BigDecimal(number.toString()).compareTo(new BigDecimal(value)) == 0;
        int size = type.type().itemSize();
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
        byte[] element = new byte[type.type().itemSize()];
        for (int i = 0; i < element.length; i++) {
            int at = type.order() == ByteOrder.BIG_ENDIAN ? element.length - 1 - i : i;
            element[at] = (byte) (bits >> (8 * i));
        }
        return FillValue.of(element);
    }
}
