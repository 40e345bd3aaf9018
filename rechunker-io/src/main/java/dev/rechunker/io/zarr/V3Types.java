package dev.rechunker.io.zarr;

import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.element.TimeUnits;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Data types of version 3: the core names, {@code r16} and the like for raw bits, and the extensions
 * {@code numpy.datetime64}, {@code numpy.timedelta64}, {@code fixed_length_utf32}, {@code null_terminated_bytes} and
 * {@code raw_bytes} in the form that zarr-python 3 gives them. Raw bytes keep the name that they have; those of another
 * format are {@code raw_bytes}.
 */
final class V3Types {
    static final List<DataType> PLAIN = List.of(
            DataType.BOOL,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.COMPLEX64,
            DataType.COMPLEX128);
    /** The name of the type of raw bytes in zarr-python 3.1, which does not know the names of the specification. */
    private static final String RAW_BYTES = "raw_bytes";

    private static final String VARIABLE_BYTES = "variable_length_bytes";

    private static final Pattern RAW = Pattern.compile("r([1-9]\\d{0,9})");
    private static final Pattern MULTIPLE = Pattern.compile("(\\d*)(.+)");

    private V3Types() {}

    /**
     * {@return the type in a document}
     *
     * @throws StoreException if the type is unknown
     */
    static DataType parse(Document document) throws StoreException {
        Object stated = document.require("data_type");
        if (stated instanceof String name) {
            Optional<DataType> plain = plain(name);
            if (plain.isPresent()) {
                return plain.get();
            }
            if (name.equals("string")) {
                return DataType.text();
            }
            if (name.equals(VARIABLE_BYTES) || name.equals("bytes")) {
                return DataType.binary();
            }
            Matcher raw = RAW.matcher(name);
            if (raw.matches()) {
                long bits = Long.parseLong(raw.group(1));
                if (bits % 8 == 0 && bits / 8 <= DataType.LARGEST) {
                    return DataType.opaque((int) (bits / 8), "");
                }
            }
            throw unknown(document, name);
        }
        Document extension = document.object("data_type");
        String name = extension.string("name");
        Document settings = extension.has("configuration")
                ? extension.object("configuration")
                : new Document(extension.where(), Map.of());
        switch (name) {
            case "numpy.datetime64" -> {
                return DataType.datetime64(unit(settings));
            }
            case "numpy.timedelta64" -> {
                return DataType.timedelta64(unit(settings));
            }
            case "fixed_length_utf32" -> {
                int bytes = length(settings);
                if (bytes % 4 == 0) {
                    return DataType.unicode(bytes / 4);
                }
                throw settings.wrong("length_bytes", "a multiple of 4");
            }
            case "null_terminated_bytes" -> {
                return DataType.bytes(length(settings));
            }
            case RAW_BYTES -> {
                return DataType.opaque(length(settings), "");
            }
            default -> {
                if (!extension.has("configuration") || settings.members().isEmpty()) {
                    Map<String, @Nullable Object> named = new LinkedHashMap<>(document.members());
                    named.put("data_type", name);
                    return parse(new Document(document.where(), named));
                }
                throw unknown(document, name);
            }
        }
    }

    /** {@return the type with a core name, such as {@code float32}; empty for other names} */
    static Optional<DataType> plain(String name) {
        return PLAIN.stream().filter(type -> type.name().equals(name)).findFirst();
    }

    /** {@return whether a document of raw bytes names their type by the number of bits, as the specification does} */
    static boolean isRawBits(Document document, DataType type) {
        return type.kind() == Kind.OPAQUE
                && !(document.get("data_type") instanceof Map<?, ?> extension
                        && RAW_BYTES.equals(extension.get("name")));
    }

    private static StoreException unknown(Document document, String name) {
        return document.refuse("has the unknown data_type \"" + name + "\"");
    }

    private static String unit(Document settings) throws StoreException {
        String unit = settings.string("unit");
        String multiple = "";
        if (settings.has("scale_factor")) {
            if (!(settings.get("scale_factor") instanceof Long factor) || factor < 1 || factor > Integer.MAX_VALUE) {
                throw settings.wrong("scale_factor", "a positive integer");
            }
            multiple = factor == 1 ? "" : factor.toString();
        }
        Optional<String> known = TimeUnits.of(unit.equals("generic") ? unit : multiple + unit);
        if (known.isEmpty()) {
            throw settings.wrong("unit", "a unit of time");
        }
        return known.get();
    }

    private static int length(Document settings) throws StoreException {
        if (settings.require("length_bytes") instanceof Long bytes && bytes > 0 && bytes <= DataType.LARGEST) {
            return bytes.intValue();
        }
        throw settings.wrong("length_bytes", "an integer from 1 to " + DataType.LARGEST);
    }

    /**
     * {@return a type as it is written to a document}
     *
     * @param rawBits whether the type of raw bytes has the name of the specification; otherwise that of zarr-python
     * @throws StoreException if version 3 has no such type
     */
    static Object toJson(DataType type, boolean rawBits) throws StoreException {
        return switch (type.kind()) {
            case BOOL, INT, UINT, FLOAT, COMPLEX -> type.name();
            case BYTES -> V3Codecs.extension("null_terminated_bytes", Map.of("length_bytes", (long) type.itemSize()));
            case UNICODE -> V3Codecs.extension("fixed_length_utf32", Map.of("length_bytes", (long) type.itemSize()));
            case DATETIME, TIMEDELTA -> {
                Matcher m = MULTIPLE.matcher(type.detail());
                boolean generic = !m.matches();
                Map<String, @Nullable Object> settings = new LinkedHashMap<>();
                settings.put("unit", generic ? "generic" : m.group(2));
                settings.put("scale_factor", generic || m.group(1).isEmpty() ? 1L : Long.parseLong(m.group(1)));
                yield V3Codecs.extension(
                        type.kind() == Kind.DATETIME ? "numpy.datetime64" : "numpy.timedelta64", settings);
            }
            case TEXT -> "string";
            case BINARY -> VARIABLE_BYTES;
            case SEQUENCE ->
                throw new UnsupportedArrayException(
                        "Zarr 3 cannot store the type " + type + ": it has no sequences; write Zarr 2");
            case OPAQUE -> {
                if (!type.detail().isEmpty()) {
                    throw new UnsupportedArrayException("Zarr 3 cannot store the type " + type + " " + type.detail()
                            + ": it has no records; write Zarr 2");
                }
                yield rawBits
                        ? "r" + 8L * type.itemSize()
                        : V3Codecs.extension(RAW_BYTES, Map.of("length_bytes", (long) type.itemSize()));
            }
        };
    }
}
