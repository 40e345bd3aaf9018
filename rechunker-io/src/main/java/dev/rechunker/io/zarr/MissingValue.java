package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts between the missing value of an array and the attribute {@code _FillValue} of netCDF and xarray.
 *
 * <p>xarray writes the attribute to version 3 as follows, and opens no array of floats that has a number there: a float
 * is base64 of the 8 bytes of a little-endian double, a complex number is a list of two such texts, bytes are base64,
 * and the rest is a number, a boolean or a text. Plain numbers, which other writers leave, are read, too, and so is a
 * list of one value, as HDF5 has it.
 *
 * <p>A value that is no element of the array's type stays an attribute.
 */
final class MissingValue {
    /** The name of the attribute. */
    static final String ATTRIBUTE = "_FillValue";

    /** The length of 8 bytes in base64. */
    private static final int ENCODED_DOUBLE = 12;

    private final DataType type;
    private final ByteOrder order;

    MissingValue(DataType type, ByteOrder order) {
        this.type = type;
        this.order = order;
    }

    /**
     * {@return the spec with a missing value instead of the attribute, if the attribute is an element of the type}
     *
     * <p>A missing value that the spec has already is kept, and then so is the attribute.
     */
    static ArraySpec fromAttribute(ArraySpec spec) {
        if (spec.missingValue().isDefined()) {
            return spec;
        }
        FillValue missing =
                new MissingValue(spec.dataType(), spec.byteOrder()).parse(spec.attributes().get(ATTRIBUTE));
        if (!missing.isDefined()) {
            return spec;
        }
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(spec.attributes());
        rest.remove(ATTRIBUTE);
        return spec.toBuilder().missingValue(missing).attributes(rest).build();
    }

    /** {@return the missing value in an attribute; undefined if there is none, or it is no element of the type} */
    FillValue parse(@Nullable Object json) {
        Object value = json instanceof List<?> list && list.size() == 1 ? list.get(0) : json;
        if (value == null) {
            return FillValue.UNDEFINED;
        }
        ByteBuffer element = ByteBuffer.allocate(type.itemSize()).order(order);
        try {
            parse(value, element);
            return FillValue.of(element.array());
        } catch (IllegalArgumentException | ArithmeticException e) {
            return FillValue.UNDEFINED;
        }
    }

    private void parse(Object json, ByteBuffer element) {
        int size = type.itemSize();
        switch (type.kind()) {
            case BOOL -> element.put((byte) (json instanceof Boolean flag ? (flag ? 1 : 0) : integer(json, 1, false)));
            case INT -> FillValues.put(element, size, integer(json, 8 * size - 1, true));
            case UINT -> FillValues.put(element, size, integer(json, 8 * size, false));
            case FLOAT -> FillValues.put(element, size, parseFloat(json, size));
            case COMPLEX -> {
                List<?> parts = json instanceof List<?> list ? list : List.of(json, 0L);
                FillValues.require(parts.size() == 2);
                for (Object part : parts) {
                    FillValues.put(element, size / 2, parseFloat(part, size / 2));
                }
            }
            case DATETIME, TIMEDELTA -> element.putLong("NaT".equals(json) ? Long.MIN_VALUE : integer(json, 63, true));
            case UNICODE -> {
                String text = text(json);
                FillValues.require(text.codePointCount(0, text.length()) <= size / Integer.BYTES);
                text.codePoints().forEach(element::putInt);
            }
            case BYTES -> element.put(bytes(text(json), size));
            case OPAQUE -> {
                byte[] bytes = Base64.getDecoder().decode(text(json));
                FillValues.require(bytes.length == size);
                element.put(bytes);
            }
        }
    }

    private static long integer(@Nullable Object json, int bits, boolean signed) {
        FillValues.require(json instanceof Number);
        return FillValues.integer(json, bits, signed);
    }

    private static String text(@Nullable Object json) {
        if (json instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("not a text");
    }

    /** {@return the bytes of a text in base64, or of a text that is not in base64} */
    private static byte[] bytes(String text, int most) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (text.length() % 4 == 0) {
            try {
                byte[] decoded = Base64.getDecoder().decode(text);
                if (decoded.length <= most) {
                    return decoded;
                }
            } catch (IllegalArgumentException e) {
                // a plain text
            }
        }
        FillValues.require(bytes.length <= most);
        return bytes;
    }

    private static long parseFloat(@Nullable Object json, int size) {
        if (json instanceof Number number) {
            long bits = FloatBits.of(number.doubleValue(), size);
            FillValues.require(Double.isInfinite(number.doubleValue()) || !Double.isInfinite(FloatBits.value(bits, size)));
            return bits;
        }
        String text = text(json);
        return switch (text) {
            case "NaN" -> FloatBits.of(Double.NaN, size);
            case "Infinity" -> FloatBits.of(Double.POSITIVE_INFINITY, size);
            case "-Infinity" -> FloatBits.of(Double.NEGATIVE_INFINITY, size);
            default -> {
                FillValues.require(text.length() == ENCODED_DOUBLE);
                byte[] bytes = Base64.getDecoder().decode(text);
                FillValues.require(bytes.length == Double.BYTES);
                yield FloatBits.narrowed(
                        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(), size);
            }
        };
    }

    /** {@return the attribute as xarray writes it to version 3} */
    Object toXarray(FillValue missing) throws StoreException {
        int size = type.itemSize();
        ByteBuffer element = ByteBuffer.wrap(missing.element(size)).order(order);
        return switch (type.kind()) {
            case FLOAT -> encoded(element, size);
            case COMPLEX -> List.of(encoded(element, size / 2), encoded(element, size / 2));
            case BYTES -> Base64.getEncoder().encodeToString(stripped(element.array()));
            case OPAQUE -> Base64.getEncoder().encodeToString(element.array());
            default -> new FillValues(ZarrFormat.V3, type, order).jsonOf(missing);
        };
    }

    private static String encoded(ByteBuffer element, int size) {
        long bits = FloatBits.widened(FillValues.get(element, size), size);
        ByteBuffer bytes =
                ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(bits);
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /** {@return text without the zero bytes at its end} */
    private static byte[] stripped(byte[] padded) {
        int end = padded.length;
        while (end > 0 && padded[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(padded, end);
    }

    /** {@return the attribute, or the member {@code fill_value}, as a number or text, which is the form of version 2} */
    Object toPlain(FillValue missing) throws StoreException {
        return new FillValues(ZarrFormat.V2, type, order).jsonOf(withUsualNaN(missing));
    }

    /** {@return the value with the one NaN that version 2 can store instead of any other: all of them are missing} */
    private FillValue withUsualNaN(FillValue missing) {
        int parts = type.kind() == Kind.COMPLEX ? 2 : type.kind() == Kind.FLOAT ? 1 : 0;
        ByteBuffer element = ByteBuffer.wrap(missing.element(type.itemSize())).order(order);
        for (int part = 0; part < parts; part++) {
            int size = type.itemSize() / parts;
            int at = element.position();
            if (Double.isNaN(FloatBits.value(FillValues.get(element, size), size))) {
                FillValues.put(element.position(at), size, FloatBits.of(Double.NaN, size));
            }
        }
        return FillValue.of(element.array());
    }
}
