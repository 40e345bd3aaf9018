package dev.rechunker.io.hdf5;

import dev.rechunker.array.DataType;
import dev.rechunker.array.TimeUnits;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * NumPy's points in time and durations, which HDF5 has no type for. As h5py stores them they are opaque, and their tag
 * is NumPy's name of the type behind {@value #PREFIX}, as in {@code NUMPY:<M8[us]}.
 */
final class H5Times {
    /** A type without its byte order: {@code M8[us]}, {@code m8[25s]}, {@code M8}. */
    static final Pattern NAME = Pattern.compile("([Mm])8(?:\\[(.+)])?");

    private static final String PREFIX = "NUMPY:";

    private H5Times() {}

    /** {@return the type that a tag says; empty if it is another tag, or not one of so many bytes} */
    static Optional<ElementType> read(String tag, int size) {
        boolean big = tag.startsWith(PREFIX + ">");
        if (size != Long.BYTES || !(big || tag.startsWith(PREFIX + "<"))) {
            return Optional.empty();
        }
        return type(tag.substring(PREFIX.length() + 1))
                .map(type -> new ElementType(type, big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, Map.of()));
    }

    /** {@return the tag of a type} */
    static String tag(DataType type, ByteOrder order) {
        return PREFIX + (order == ByteOrder.BIG_ENDIAN ? ">" : "<") + name(type);
    }

    /** {@return the type of a name; empty if it is the name of none} */
    static Optional<DataType> type(String name) {
        Matcher m = NAME.matcher(name);
        if (!m.matches()) {
            return Optional.empty();
        }
        return TimeUnits.of(m.group(2) == null ? "generic" : m.group(2))
                .map(m.group(1).equals("M") ? DataType::datetime64 : DataType::timedelta64);
    }

    /** {@return the name of a type} */
    static String name(DataType type) {
        String unit = type.detail().isEmpty() ? "" : "[" + type.detail() + "]";
        return (type.kind() == DataType.Kind.DATETIME ? "M8" : "m8") + unit;
    }
}
