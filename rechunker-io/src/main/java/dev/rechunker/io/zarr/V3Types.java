package dev.rechunker.io.zarr;

import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.element.TimeUnits;
import dev.rechunker.io.codec.NamedType;
import dev.rechunker.io.json.Document;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Data types of version 3: the core names, {@code r16} and the like for raw bits, and the extensions
 * {@code numpy.datetime64}, {@code numpy.timedelta64}, {@code fixed_length_utf32}, {@code null_terminated_bytes} and
 * {@code raw_bytes} in the form that zarr-python 3 gives them; {@link V3Records} and {@link NamedType}. Raw bytes and
 * records keep the form that they have; those of another format have that of zarr-python 3.1.
 */
final class V3Types {
    /** The name of the type of raw bytes in zarr-python 3.1, which does not know the names of the specification. */
    private static final String RAW_BYTES = "raw_bytes";

    private static final String VARIABLE_BYTES = "variable_length_bytes";

    private static final Pattern RAW = Pattern.compile("r([1-9]\\d{0,9})");
    private static final Pattern MULTIPLE = Pattern.compile("(\\d*)(.+)");

    private V3Types() {}

    /**
     * {@return the type in a document}
     *
     * @param order the byte order of the fields of records
     * @throws StoreException if the type is unknown
     */
    static DataType parse(Document document, ByteOrder order) throws StoreException {
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
            Optional<NamedType> named = NamedType.of(name);
            if (named.isPresent()) {
                return named.get().dataType();
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
            case V3Records.STRUCT, V3Records.STRUCTURED -> {
                return V3Records.parse(settings, order);
            }
            default -> {
                if (!extension.has("configuration") || settings.members().isEmpty()) {
                    Map<String, @Nullable Object> named = new LinkedHashMap<>(document.members());
                    named.put("data_type", name);
                    return parse(new Document(document.where(), named), order);
                }
                throw unknown(document, name);
            }
        }
    }

    /** {@return the type with a core name, such as {@code float32}, or an alias of one; empty for other names} */
    static Optional<DataType> plain(String name) {
        return switch (name) {
            case "complex_float32" -> Optional.of(DataType.COMPLEX64);
            case "complex_float64" -> Optional.of(DataType.COMPLEX128);
            default -> DataType.numbers(name);
        };
    }

    /**
     * {@return whether a document of raw bytes or records has the type of the registry, which zarr-python 3.1 does not
     * open: raw bytes with their number of bits, {@code struct}}
     */
    static boolean isRegistered(Document document, DataType type) {
        Object name = document.get("data_type") instanceof Map<?, ?> extension ? extension.get("name") : "";
        return (V3Records.isRecord(type) && V3Records.STRUCT.equals(name))
                || (type.kind() == Kind.OPAQUE && type.detail().isEmpty() && !RAW_BYTES.equals(name));
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
     * @param registered whether raw bytes and records have the type of the registry; otherwise that of zarr-python 3.1
     * @throws StoreException if version 3 has no such type
     */
    static Object toJson(DataType type, boolean registered) throws StoreException {
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
                if (V3Records.isRecord(type)) {
                    yield V3Records.toJson(type, registered);
                }
                if (NamedType.of(type).isPresent()) {
                    yield type.name();
                }
                if (!type.detail().isEmpty()) {
                    throw new UnsupportedArrayException(
                            "Zarr 3 cannot store the type " + type + " " + type.detail() + "; write Zarr 2");
                }
                yield registered
                        ? "r" + 8L * type.itemSize()
                        : V3Codecs.extension(RAW_BYTES, Map.of("length_bytes", (long) type.itemSize()));
            }
        };
    }
}
