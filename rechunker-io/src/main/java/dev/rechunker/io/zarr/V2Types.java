package dev.rechunker.io.zarr;

import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.element.TimeUnits;
import dev.rechunker.io.codec.Codecs;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Data types of version 2: NumPy's type strings, such as {@code <u2} and {@code >M8[25s]}, and for records the list of
 * fields. Records are opaque; their list is kept as the type's detail, with {@link V2Padding}.
 */
final class V2Types {
    private static final Pattern TYPE = Pattern.compile("([<>|=]?)([biufcSaUVMm])(\\d{1,9})(?:\\[([^\\]]+)])?");

    /** A type and the byte order of its elements, which is little-endian for types of single bytes. */
    record Ordered(DataType type, ByteOrder order) {}

    private V2Types() {}

    /**
     * {@return the type in a document}
     *
     * @throws StoreException if the type is unknown, or has a variable length
     */
    static Ordered parse(Document document) throws StoreException {
        Object dtype = document.require("dtype");
        if (dtype instanceof List<?> fields) {
            return new Ordered(
                    DataType.opaque(recordSize(document, fields), Json.compact(V2Padding.unnamed(fields))),
                    ByteOrder.LITTLE_ENDIAN);
        }
        if (dtype instanceof String text) {
            return parse(document, text);
        }
        throw document.wrong("dtype", "a string or a list of fields");
    }

    private static Ordered parse(Document document, String text) throws StoreException {
        if (text.endsWith("O") || text.contains("O8")) {
            return new Ordered(variable(document), ByteOrder.LITTLE_ENDIAN);
        }
        Matcher m = TYPE.matcher(text);
        DataType type = m.matches() ? type(m.group(2).charAt(0), Integer.parseInt(m.group(3)), m.group(4)) : null;
        if (type == null) {
            throw document.refuse("has the dtype \"" + text + "\", which is unknown, or has elements of more than "
                    + DataType.LARGEST + " bytes");
        }
        if (type.wordSize() > 1 && (m.group(1).isEmpty() || "|=".contains(m.group(1)))) {
            throw document.refuse("has dtype \"" + text + "\", which has no byte order, \"<\" or \">\"");
        }
        return new Ordered(
                type, m.group(1).equals(">") && type.wordSize() > 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return the type of objects, which their filter states} */
    private static DataType variable(Document document) throws StoreException {
        List<?> filters = document.get("filters") == null ? List.of() : document.list("filters");
        Document filter = filters.isEmpty()
                ? new Document(document.where(), Map.of("id", "none"))
                : Document.object(document.where() + " filter", filters.get(0));
        String id = filter.string("id");
        return switch (id) {
            case "vlen-utf8", "json2" -> DataType.text();
            case "vlen-bytes" -> DataType.binary();
            case "vlen-array" -> sequence(filter);
            default ->
                throw document.refuse("has dtype \"|O\", objects that are stored with the filter \"" + id
                        + "\"; supported are vlen-utf8, vlen-bytes, vlen-array and json2");
        };
    }

    private static DataType sequence(Document filter) throws StoreException {
        Ordered numbers = parse(filter);
        if (numbers.order() == ByteOrder.BIG_ENDIAN) {
            throw filter.refuse("has big-endian sequences, which are not supported");
        }
        try {
            return DataType.sequence(numbers.type());
        } catch (IllegalArgumentException e) {
            throw filter.refuse("has " + e.getMessage());
        }
    }

    /** {@return the filter that states the type of objects} */
    static Map<String, @Nullable Object> filter(DataType type) throws StoreException {
        Map<String, @Nullable Object> filter = new LinkedHashMap<>();
        filter.put("id", Codecs.variableLength(type));
        if (type.kind() == Kind.SEQUENCE) {
            filter.put("dtype", toJson(type.items(), ByteOrder.LITTLE_ENDIAN));
        }
        return filter;
    }

    private static @Nullable DataType type(char code, int size, @Nullable String unit) {
        if (size == 0 || size > DataType.LARGEST || (unit != null && code != 'M' && code != 'm')) {
            return null;
        }
        return switch (code) {
            case 'b' -> size == 1 ? DataType.BOOL : null;
            case 'i' -> bySize(size, DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64);
            case 'u' -> bySize(size, DataType.UINT8, DataType.UINT16, DataType.UINT32, DataType.UINT64);
            case 'f' -> bySize(size, null, DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64);
            case 'c' -> size == 8 ? DataType.COMPLEX64 : size == 16 ? DataType.COMPLEX128 : null;
            case 'S', 'a' -> DataType.bytes(size);
            case 'U' -> size <= DataType.LARGEST / 4 ? DataType.unicode(size) : null;
            case 'V' -> DataType.opaque(size, "");
            default -> size == 8 ? time(code, unit == null ? "generic" : unit) : null;
        };
    }

    private static @Nullable DataType time(char code, String unit) {
        return TimeUnits.of(unit)
                .map(code == 'M' ? DataType::datetime64 : DataType::timedelta64)
                .orElse(null);
    }

    private static @Nullable DataType bySize(
            int size, @Nullable DataType one, DataType two, DataType four, DataType eight) {
        return switch (size) {
            case 1 -> one;
            case 2 -> two;
            case 4 -> four;
            case 8 -> eight;
            default -> null;
        };
    }

    private static int recordSize(Document document, List<?> fields) throws StoreException {
        long size = 0;
        Set<String> names = new HashSet<>();
        for (Object field : fields) {
            if (!(field instanceof List<?> parts)
                    || parts.size() < 2
                    || parts.size() > 3
                    || !(parts.get(0) instanceof String name)) {
                throw document.wrong("dtype", "a list of fields [name, type] or [name, type, shape]");
            }
            if (!names.add(name) && !name.isEmpty()) {
                throw document.refuse("has records with two fields called \"" + name + "\"");
            }
            long elements = 1;
            if (parts.size() == 3) {
                for (Object extent : parts.get(2) instanceof List<?> shape ? shape : List.of(parts.get(2))) {
                    if (!(extent instanceof Long n) || n < 0) {
                        throw document.wrong("dtype", "a field's shape as a list of integers");
                    }
                    elements = saturated(elements, n);
                }
            }
            long item = parts.get(1) instanceof List<?> nested
                    ? recordSize(document, nested)
                    : fieldSize(document, String.valueOf(parts.get(1)));
            size += saturated(elements, item);
            if (size > DataType.LARGEST) {
                throw document.refuse("has records of more than " + DataType.LARGEST + " bytes");
            }
        }
        if (size == 0) {
            throw document.refuse("has records of 0 bytes");
        }
        return (int) size;
    }

    private static int fieldSize(Document document, String text) throws StoreException {
        DataType type = parse(document, text).type();
        if (type.isVariable()) {
            throw document.refuse("has records with objects, which are not supported");
        }
        return type.itemSize();
    }

    /** {@return the product of two numbers up to 2^31, which is refused by the caller as soon as it is exceeded} */
    private static long saturated(long a, long b) {
        return b != 0 && a > (1L << 32) / b ? 1L << 32 : a * b;
    }

    /**
     * {@return a type as it is written to a document}
     *
     * @throws StoreException if version 2 has no such type
     */
    static Object toJson(DataType type, ByteOrder order) throws StoreException {
        if (type.kind() == Kind.OPAQUE && !type.detail().isEmpty()) {
            if (JsonParser.value("the type " + type, type.detail()) instanceof List<?> fields) {
                return V2Padding.named(fields);
            }
            throw new UnsupportedArrayException("Zarr 2 cannot store the type " + type + ": " + type.detail());
        }
        String prefix = type.wordSize() == 1 ? "|" : order == ByteOrder.BIG_ENDIAN ? ">" : "<";
        int size = type.itemSize();
        String unit = type.detail().isEmpty() ? "" : "[" + type.detail() + "]";
        return prefix
                + switch (type.kind()) {
                    case BOOL -> "b1";
                    case INT -> "i" + size;
                    case UINT -> "u" + size;
                    case FLOAT -> "f" + size;
                    case COMPLEX -> "c" + size;
                    case BYTES -> "S" + size;
                    case UNICODE -> "U" + size / 4;
                    case DATETIME -> "M8" + unit;
                    case TIMEDELTA -> "m8" + unit;
                    case OPAQUE -> "V" + size;
                    case TEXT, BINARY, SEQUENCE -> "O";
                };
    }
}
