package dev.rechunker.io.tree;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
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
public final class FillAttribute {
    /** The name of the attribute. */
    public static final String ATTRIBUTE = "_FillValue";

    /** The length of 8 bytes in base64. */
    private static final int ENCODED_DOUBLE = 12;

    private final FillValue value;
    private final DataType type;
    private final ByteOrder order;

    private FillAttribute(ArraySpec spec) {
        this.value = spec.missingValue();
        this.type = spec.dataType();
        this.order = spec.byteOrder();
    }

    /** {@return the missing value of a spec, which need not be defined} */
    public static FillAttribute of(ArraySpec spec) {
        return new FillAttribute(spec);
    }

    /**
     * {@return the spec with a missing value instead of the attribute, if the attribute is an element of the type}
     *
     * <p>A missing value that the spec has already is kept, and then so is the attribute.
     */
    public static ArraySpec fromAttribute(ArraySpec spec) {
        if (spec.missingValue().isDefined()) {
            return spec;
        }
        FillValue missing = of(spec).parse(spec.attributes().get(ATTRIBUTE));
        if (!missing.isDefined()) {
            return spec;
        }
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(spec.attributes());
        rest.remove(ATTRIBUTE);
        return spec.toBuilder().missingValue(missing).attributes(rest).build();
    }

    /**
     * {@return the missing value of the same type in an attribute; undefined if there is none, or it is no element of
     * the type}
     */
    FillValue parse(@Nullable Object json) {
        Object value = json instanceof List<?> list && list.size() == 1 ? list.get(0) : json;
        if (value == null) {
            return FillValue.UNDEFINED;
        }
        ByteBuffer element = ByteBuffer.allocate(type.itemSize()).order(order);
        try {
            if (type.isVariable()) {
                return FillValue.ofContents(contents(value));
            }
            parse(value, element);
            return FillValue.of(bytes(element));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return FillValue.UNDEFINED;
        }
    }

    private void parse(Object json, ByteBuffer element) {
        int size = type.itemSize();
        switch (type.kind()) {
            case BOOL -> element.put((byte) (json instanceof Boolean flag ? (flag ? 1 : 0) : integer(json, 1, false)));
            case INT -> ElementBits.put(element, size, integer(json, 8 * size - 1, true));
            case UINT -> ElementBits.put(element, size, integer(json, 8 * size, false));
            case FLOAT -> ElementBits.put(element, size, parseFloat(json, size));
            case COMPLEX -> {
                List<?> parts = json instanceof List<?> list ? list : List.of(json, 0L);
                require(parts.size() == 2);
                for (Object part : parts) {
                    ElementBits.put(element, size / 2, parseFloat(part, size / 2));
                }
            }
            case DATETIME, TIMEDELTA -> element.putLong("NaT".equals(json) ? Long.MIN_VALUE : integer(json, 63, true));
            case UNICODE -> {
                String text = text(json);
                require(text.codePointCount(0, text.length()) <= size / Integer.BYTES);
                text.codePoints().forEach(element::putInt);
            }
            case BYTES -> element.put(bytes(text(json), size));
            case OPAQUE -> {
                byte[] bytes = Base64.getDecoder().decode(text(json));
                require(bytes.length == size);
                element.put(bytes);
            }
            case TEXT, BINARY, SEQUENCE -> throw new IllegalArgumentException("an element of variable length");
        }
    }

    /** {@return the contents of an element of variable length} */
    private byte[] contents(Object json) {
        return type.kind() == DataType.Kind.TEXT
                ? text(json).getBytes(StandardCharsets.UTF_8)
                : Base64.getDecoder().decode(text(json));
    }

    private static long integer(@Nullable Object json, int bits, boolean signed) {
        if (!(json instanceof Number)) {
            throw new IllegalArgumentException("not a number");
        }
        return ElementBits.integer(json.toString(), bits, signed);
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
        require(bytes.length <= most);
        return bytes;
    }

    private static long parseFloat(@Nullable Object json, int size) {
        if (json instanceof Number number) {
            long bits = FloatBits.of(number.doubleValue(), size);
            require(Double.isInfinite(number.doubleValue()) || !Double.isInfinite(FloatBits.value(bits, size)));
            return bits;
        }
        String text = text(json);
        return switch (text) {
            case "NaN" -> FloatBits.of(Double.NaN, size);
            case "Infinity" -> FloatBits.of(Double.POSITIVE_INFINITY, size);
            case "-Infinity" -> FloatBits.of(Double.NEGATIVE_INFINITY, size);
            default -> {
                require(text.length() == ENCODED_DOUBLE);
                byte[] bytes = Base64.getDecoder().decode(text);
                require(bytes.length == Double.BYTES);
                yield FloatBits.narrowed(
                        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(), size);
            }
        };
    }

    /** {@return the attribute as xarray writes it to version 3 of Zarr} */
    public Object toXarray() throws StoreException {
        ByteBuffer element = element();
        int size = type.itemSize();
        return switch (type.kind()) {
            case FLOAT -> encoded(element, size);
            case COMPLEX -> List.of(encoded(element, size / 2), encoded(element, size / 2));
            case BYTES -> Base64.getEncoder().encodeToString(stripped(bytes(element)));
            default -> toPlain();
        };
    }

    /**
     * {@return the value as a number, boolean or text, and bytes in base64: the form of version 2 of Zarr}
     *
     * <p>Every NaN is the text {@code "NaN"}.
     */
    public Object toPlain() throws StoreException {
        ByteBuffer element = element();
        int size = type.itemSize();
        return switch (type.kind()) {
            case BOOL, INT, DATETIME, TIMEDELTA, FLOAT -> type.value(order, bytes(element));
            case UINT ->
                size == Long.BYTES ? ElementBits.unsigned(element.getLong()) : type.value(order, bytes(element));
            case COMPLEX -> List.of(plainFloat(element, size / 2), plainFloat(element, size / 2));
            case UNICODE -> ElementBits.text(type, element);
            case BYTES, OPAQUE -> Base64.getEncoder().encodeToString(bytes(element));
            case TEXT -> type.value(order, bytes(element));
            case BINARY, SEQUENCE -> Base64.getEncoder().encodeToString(value.contents());
        };
    }

    private static byte[] bytes(ByteBuffer element) {
        byte[] bytes = new byte[element.limit()];
        element.get(0, bytes);
        return bytes;
    }

    private ByteBuffer element() {
        return ByteBuffer.wrap(value.element(type.itemSize())).order(order);
    }

    private static Object plainFloat(ByteBuffer element, int size) {
        double number = FloatBits.value(ElementBits.get(element, size), size);
        return Double.isFinite(number) ? (Object) number : Double.toString(number);
    }

    private static String encoded(ByteBuffer element, int size) {
        long bits = FloatBits.widened(ElementBits.get(element, size), size);
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

    private static void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException("not a value of this type");
        }
    }
}
