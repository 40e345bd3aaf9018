package dev.rechunker.io.hdf5.format;

import dev.rechunker.array.DataType;
import dev.rechunker.element.TimeUnits;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of data types in NumPy, such as {@code <f8}, {@code |S5} or {@code >M8[us]}.
 *
 * <p>They are used for the fields of records, and for points in time and durations. HDF5 has no type for the latter:
 * h5py stores them as opaque bytes, with a tag of {@value #PREFIX} and the name of the type, such as
 * {@code NUMPY:<M8[us]}.
 */
public final class NumpyNames {
    private static final String PREFIX = "NUMPY:";

    private static final Pattern NAME = Pattern.compile("([<>|=])(?:([biufcSV])(\\d{1,7})|([Mm])8(?:\\[(.+)])?)");

    private static final Map<String, DataType> NUMBERS = Map.ofEntries(
            Map.entry("b1", DataType.BOOL),
            Map.entry("i1", DataType.INT8),
            Map.entry("i2", DataType.INT16),
            Map.entry("i4", DataType.INT32),
            Map.entry("i8", DataType.INT64),
            Map.entry("u1", DataType.UINT8),
            Map.entry("u2", DataType.UINT16),
            Map.entry("u4", DataType.UINT32),
            Map.entry("u8", DataType.UINT64),
            Map.entry("f2", DataType.FLOAT16),
            Map.entry("f4", DataType.FLOAT32),
            Map.entry("f8", DataType.FLOAT64),
            Map.entry("c8", DataType.COMPLEX64),
            Map.entry("c16", DataType.COMPLEX128));

    /** A type and the byte order of its elements. */
    public record Named(DataType type, ByteOrder order) {}

    private NumpyNames() {}

    /** {@return the name of a type other than a record} */
    public static String of(DataType type, ByteOrder order) {
        String first = type.wordSize() == 1 ? "|" : order == ByteOrder.BIG_ENDIAN ? ">" : "<";
        return first
                + switch (type.kind()) {
                    case BYTES -> "S" + type.itemSize();
                    case OPAQUE -> "V" + type.itemSize();
                    case DATETIME -> "M8" + unit(type);
                    case TIMEDELTA -> "m8" + unit(type);
                    default ->
                        NUMBERS.entrySet().stream()
                                .filter(number -> number.getValue().equals(type))
                                .map(Map.Entry::getKey)
                                .findFirst()
                                .orElseThrow();
                };
    }

    private static String unit(DataType type) {
        return type.detail().isEmpty() ? "" : "[" + type.detail() + "]";
    }

    /** {@return the type with a name; empty if there is no such type, or HDF5 cannot store it} */
    public static Optional<Named> parse(String name) {
        Matcher m = NAME.matcher(name);
        if (!m.matches()) {
            return Optional.empty();
        }
        ByteOrder order = m.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return type(m).map(type -> new Named(type, order));
    }

    private static Optional<DataType> type(Matcher name) {
        if (name.group(4) != null) {
            return TimeUnits.of(name.group(5) == null ? "generic" : name.group(5))
                    .map(name.group(4).equals("M") ? DataType::datetime64 : DataType::timedelta64);
        }
        int size = Integer.parseInt(name.group(3));
        if (size == 0 || size > DataType.LARGEST) {
            return Optional.empty();
        }
        return switch (name.group(2)) {
            case "S" -> Optional.of(DataType.bytes(size));
            case "V" -> Optional.of(DataType.opaque(size, ""));
            default -> Optional.ofNullable(NUMBERS.get(name.group(2) + size));
        };
    }

    /** {@return the tag for a type of points in time or durations} */
    public static String tag(DataType time, ByteOrder order) {
        return PREFIX + of(time, order);
    }

    /** {@return the type for a tag of opaque elements; empty if the tag is not one of points in time or durations} */
    public static Optional<Named> ofTag(String tag, int size) {
        boolean isTime = tag.startsWith(PREFIX + "<") || tag.startsWith(PREFIX + ">");
        if (size != Long.BYTES || !isTime) {
            return Optional.empty();
        }
        return parse(tag.substring(PREFIX.length()))
                .filter(named -> named.type().kind() == DataType.Kind.DATETIME
                        || named.type().kind() == DataType.Kind.TIMEDELTA);
    }
}
