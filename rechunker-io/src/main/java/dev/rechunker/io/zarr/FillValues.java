package dev.rechunker.io.zarr;

import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.codec.NamedType;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.tree.ElementBits;
import dev.rechunker.io.tree.FloatBits;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts between fill values in metadata and the bytes of one element.
 *
 * <p>In both versions, fill values are numbers, booleans, the strings {@code "NaN"}, {@code "Infinity"} and
 * {@code "-Infinity"}, and pairs for complex numbers. Version 2 has {@code null} for an undefined value, and base64 for
 * bytes and records. Version 3 has {@code "0x..."} for the bits of a float, lists of numbers for raw bytes, and objects
 * for records. A number in quotation marks is read as the number, because some writers write it so.
 */
final class FillValues {
    private final ZarrFormat format;
    private final DataType type;
    private final ByteOrder order;

    FillValues(ZarrFormat format, DataType type, ByteOrder order) {
        this.format = format;
        this.type = type;
        this.order = order;
    }

    /**
     * {@return the fill value in a document}
     *
     * @throws StoreException if the fill value is not a value of the type
     */
    FillValue parse(Document document) throws StoreException {
        Object json = document.get("fill_value");
        if (json == null) {
            return FillValue.UNDEFINED;
        }
        ByteBuffer element = ByteBuffer.allocate(type.itemSize()).order(order);
        try {
            if (type.isVariable()) {
                return FillValue.ofContents(contents(json));
            }
            parse(json, element);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new StoreException(
                    document.where() + " has fill_value " + Json.compact(json) + ", which is not a value of type "
                            + type,
                    e);
        }
        return FillValue.of(element.array());
    }

    /**
     * Puts a fill value into an element, which has the byte order.
     *
     * @throws IllegalArgumentException or {@link ArithmeticException} if it is not a value of the type
     */
    void parse(Object json, ByteBuffer element) throws StoreException {
        int size = type.itemSize();
        switch (type.kind()) {
            case BOOL -> element.put(parseBool(json));
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
            case DATETIME, TIMEDELTA ->
                ElementBits.put(element, size, "NaT".equals(json) ? Long.MIN_VALUE : integer(json, 63, true));
            case UNICODE -> {
                if (json instanceof String text) {
                    require(text.codePointCount(0, text.length()) <= size / Integer.BYTES);
                    text.codePoints().forEach(element::putInt);
                } else {
                    requireZero(json);
                }
            }
            case BYTES -> parseBytes(json, element);
            case OPAQUE -> {
                Optional<NamedType> named = NamedType.of(type);
                if (named.isPresent()) {
                    putParts(named.get(), json, element);
                } else if (json instanceof Map<?, ?> fields && format == ZarrFormat.V3 && V3Records.isRecord(type)) {
                    V3Records.put(type, fields, element);
                } else {
                    parseBytes(json, element);
                }
            }
            case TEXT, BINARY, SEQUENCE -> throw new IllegalArgumentException("an element of variable length");
        }
    }

    private static void putParts(NamedType named, Object json, ByteBuffer element) {
        List<?> parts = json instanceof List<?> list ? list : named.parts() == 1 ? List.of(json) : List.of(json, 0L);
        require(parts.size() == named.parts() && (named.parts() == 2 || !(json instanceof List<?>)));
        for (Object part : parts) {
            ElementBits.put(element, named.part().size(), named.part().parse(part));
        }
    }

    private static Object jsonOfParts(NamedType named, ByteBuffer element) {
        List<Object> parts = new ArrayList<>();
        while (element.hasRemaining()) {
            parts.add(named.part()
                    .json(named.part()
                            .extended(ElementBits.get(element, named.part().size()))));
        }
        return named.parts() == 1 ? parts.get(0) : parts;
    }

    /** {@return the contents of an element of variable length} */
    private byte[] contents(Object json) {
        if (json instanceof String text) {
            return type.kind() == DataType.Kind.TEXT
                    ? text.getBytes(StandardCharsets.UTF_8)
                    : Base64.getDecoder().decode(text);
        }
        if (json instanceof List<?> list && type.kind() == DataType.Kind.BINARY) {
            ByteBuffer bytes = ByteBuffer.allocate(list.size());
            list.forEach(item -> bytes.put((byte) integer(item, 8, false)));
            return bytes.array();
        }
        requireZero(json);
        return new byte[0];
    }

    private static byte parseBool(Object json) {
        if (json instanceof Boolean value) {
            return (byte) (value ? 1 : 0);
        }
        return (byte) integer(json, 1, false);
    }

    private void parseBytes(Object json, ByteBuffer element) {
        if (json instanceof String base64) {
            byte[] bytes = Base64.getDecoder().decode(base64);
            require(bytes.length <= element.capacity());
            element.put(bytes);
        } else if (json instanceof List<?> list) {
            require(list.size() == element.capacity() && format == ZarrFormat.V3);
            for (Object item : list) {
                element.put((byte) integer(item, 8, false));
            }
        } else {
            requireZero(json);
        }
    }

    private long parseFloat(@Nullable Object json, int size) {
        if (json instanceof Number number) {
            return FloatBits.of(number.doubleValue(), size);
        }
        if (!(json instanceof String quoted)) {
            throw new IllegalArgumentException("neither a number nor a string");
        }
        String text = quoted.strip();
        if (text.startsWith("0x") && format == ZarrFormat.V3) {
            require(text.length() == 2 + 2 * size);
            return Long.parseUnsignedLong(text, 2, text.length(), 16);
        }
        return FloatBits.of(
                switch (text) {
                    case "NaN" -> Double.NaN;
                    case "Infinity" -> Double.POSITIVE_INFINITY;
                    case "-Infinity" -> Double.NEGATIVE_INFINITY;
                    default -> ElementBits.decimal(text).doubleValue();
                },
                size);
    }

    private static long integer(@Nullable Object json, int bits, boolean signed) {
        if (!(json instanceof Number) && !(json instanceof String)) {
            throw new IllegalArgumentException("neither a number nor a string");
        }
        return ElementBits.integer(json.toString().strip(), bits, signed);
    }

    private static void requireZero(Object json) {
        require(json instanceof Number number && number.doubleValue() == 0);
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException("not a value of this type");
        }
    }

    /**
     * {@return the fill value as it is written to a document; in version 3, an undefined value is written as zero}
     *
     * @param registered whether raw bytes are written to version 3 as a list of integers, and records as an object, as
     *     the specification and the registry do; otherwise in base64, as in version 2
     * @throws StoreException if the type has no such value
     */
    @Nullable
    Object toJson(FillValue fill, boolean registered) throws StoreException {
        if (!fill.isDefined() && format == ZarrFormat.V2) {
            return null;
        }
        int size = type.itemSize();
        ByteBuffer element = ByteBuffer.wrap(fill.element(size)).order(order);
        return switch (type.kind()) {
            case BOOL -> jsonBool(element.get());
            case INT -> ElementBits.get(element, size);
            case UINT -> unsigned(element);
            case FLOAT -> jsonFloat(element, size);
            case COMPLEX -> List.of(jsonFloat(element, size / 2), jsonFloat(element, size / 2));
            case DATETIME, TIMEDELTA -> element.getLong();
            case UNICODE -> ElementBits.text(type, element);
            case BYTES -> Base64.getEncoder().encodeToString(element.array());
            case OPAQUE -> {
                Optional<NamedType> named = NamedType.of(type);
                yield named.isPresent()
                        ? jsonOfParts(named.get(), element)
                        : format == ZarrFormat.V2 || !registered
                                ? Base64.getEncoder().encodeToString(element.array())
                                : V3Records.isRecord(type) ? V3Records.json(type, element) : list(element);
            }
            case TEXT -> type.value(order, element.array());
            case BINARY, SEQUENCE -> Base64.getEncoder().encodeToString(fill.contents());
        };
    }

    private static Object unsigned(ByteBuffer element) {
        int size = element.capacity();
        long bits = ElementBits.get(element, size);
        return size == Long.BYTES ? ElementBits.unsigned(bits) : bits & mask(size);
    }

    private static long mask(int size) {
        return (1L << (8 * size)) - 1;
    }

    private static boolean jsonBool(byte element) throws StoreException {
        if (element != 0 && element != 1) {
            throw new StoreException("the fill value " + element + " is neither false nor true");
        }
        return element == 1;
    }

    private Object jsonFloat(ByteBuffer element, int size) throws StoreException {
        long bits = size == 8 ? element.getLong() : ElementBits.get(element, size) & mask(size);
        double value = FloatBits.value(bits, size);
        if (Double.isNaN(value)) {
            String pattern = String.format(Locale.ROOT, "0x%0" + 2 * size + "x", bits);
            boolean plain = bits == FloatBits.of(Double.NaN, size);
            if (!plain && format == ZarrFormat.V2) {
                throw new StoreException("Zarr 2 cannot store the fill value " + pattern
                        + ": it has one NaN only; choose another fill value, or write Zarr 3");
            }
            return plain ? "NaN" : pattern;
        }
        return Double.isInfinite(value) ? (value > 0 ? "Infinity" : "-Infinity") : (Object) value;
    }

    private static List<Long> list(ByteBuffer element) {
        Long[] bytes = new Long[element.capacity()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = element.get(i) & 0xffL;
        }
        return List.of(bytes);
    }
}
