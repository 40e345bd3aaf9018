package dev.rechunker.io.tiledb;

import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import io.tiledb.libtiledb.tiledb_datatype_t;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The type of the values of an attribute, and what it is here.
 *
 * @param type the type of a value
 * @param values the values in a cell
 * @param elements the type of the elements of the array
 * @param inner the elements in a cell: more than 1 if they are a further axis
 */
record CellType(tiledb_datatype_t type, int values, DataType elements, int inner) {
    private static final Map<tiledb_datatype_t, DataType> NUMBERS = Map.ofEntries(
            Map.entry(tiledb_datatype_t.TILEDB_BOOL, DataType.BOOL),
            Map.entry(tiledb_datatype_t.TILEDB_INT8, DataType.INT8),
            Map.entry(tiledb_datatype_t.TILEDB_INT16, DataType.INT16),
            Map.entry(tiledb_datatype_t.TILEDB_INT32, DataType.INT32),
            Map.entry(tiledb_datatype_t.TILEDB_INT64, DataType.INT64),
            Map.entry(tiledb_datatype_t.TILEDB_UINT8, DataType.UINT8),
            Map.entry(tiledb_datatype_t.TILEDB_UINT16, DataType.UINT16),
            Map.entry(tiledb_datatype_t.TILEDB_UINT32, DataType.UINT32),
            Map.entry(tiledb_datatype_t.TILEDB_UINT64, DataType.UINT64),
            Map.entry(tiledb_datatype_t.TILEDB_FLOAT32, DataType.FLOAT32),
            Map.entry(tiledb_datatype_t.TILEDB_FLOAT64, DataType.FLOAT64));

    /** The units of time, as NumPy writes them, by the end of the name of a type. */
    private static final Map<String, String> UNITS = Map.ofEntries(
            Map.entry("YEAR", "Y"),
            Map.entry("MONTH", "M"),
            Map.entry("WEEK", "W"),
            Map.entry("DAY", "D"),
            Map.entry("HR", "h"),
            Map.entry("MIN", "m"),
            Map.entry("SEC", "s"),
            Map.entry("MS", "ms"),
            Map.entry("US", "us"),
            Map.entry("NS", "ns"),
            Map.entry("PS", "ps"),
            Map.entry("FS", "fs"),
            Map.entry("AS", "as"));

    private static final String POINT = "TILEDB_DATETIME_";
    private static final String DURATION = "TILEDB_TIME_";
    private static final int MOST_VALUES = 1 << 16;

    /** {@return the type of numbers or booleans; empty if a type has others} */
    static Optional<DataType> numbers(tiledb_datatype_t type) {
        return Optional.ofNullable(NUMBERS.get(type));
    }

    /** {@return the types of numbers and booleans by what they are here} */
    static Map<DataType, tiledb_datatype_t> numberTypes() {
        Map<DataType, tiledb_datatype_t> types = new HashMap<>();
        NUMBERS.forEach((type, number) -> types.put(number, type));
        return Map.copyOf(types);
    }

    /** {@return what cells with a number of values of a type are; empty if arrays do not have such elements} */
    static Optional<CellType> of(tiledb_datatype_t type, long values) {
        if (values < 1 || values > MOST_VALUES) {
            return Optional.empty();
        }
        int count = (int) values;
        DataType number = NUMBERS.get(type);
        if (number == null) {
            return Optional.ofNullable(other(type, count));
        }
        if (count == 2 && number.kind() == DataType.Kind.FLOAT) {
            DataType complex = number.itemSize() == Float.BYTES ? DataType.COMPLEX64 : DataType.COMPLEX128;
            return Optional.of(new CellType(type, count, complex, 1));
        }
        return Optional.of(new CellType(type, count, number, count));
    }

    private static @Nullable CellType other(tiledb_datatype_t type, int count) {
        String name = type.name();
        if (name.startsWith(POINT)) {
            return new CellType(type, count, DataType.datetime64(unit(name, POINT)), count);
        }
        if (name.startsWith(DURATION)) {
            return new CellType(type, count, DataType.timedelta64(unit(name, DURATION)), count);
        }
        return switch (type) {
            case TILEDB_CHAR, TILEDB_STRING_ASCII, TILEDB_STRING_UTF8 ->
                new CellType(type, count, DataType.bytes(count), 1);
            case TILEDB_BLOB -> new CellType(type, count, DataType.opaque(count, ""), 1);
            default -> null;
        };
    }

    private static String unit(String name, String start) {
        return UNITS.getOrDefault(name.substring(start.length()), "");
    }

    /** {@return whether a type is one of points in time or of durations} */
    static boolean isTime(tiledb_datatype_t type) {
        return type.name().startsWith(POINT) || type.name().startsWith(DURATION);
    }

    /** {@return the type of the attribute that has elements of a type; empty if TileDB has no such elements} */
    static Optional<CellType> of(DataType elements) {
        for (Map.Entry<tiledb_datatype_t, DataType> number : NUMBERS.entrySet()) {
            if (number.getValue().equals(elements)) {
                return of(number.getKey(), 1);
            }
        }
        return switch (elements.kind()) {
            case COMPLEX ->
                of(
                        elements.equals(DataType.COMPLEX64)
                                ? tiledb_datatype_t.TILEDB_FLOAT32
                                : tiledb_datatype_t.TILEDB_FLOAT64,
                        2);
            case BYTES -> of(tiledb_datatype_t.TILEDB_CHAR, elements.itemSize());
            case OPAQUE ->
                elements.detail().isEmpty() ? of(tiledb_datatype_t.TILEDB_BLOB, elements.itemSize()) : Optional.empty();
            case DATETIME -> ofTime(POINT, elements.detail());
            case TIMEDELTA -> ofTime(DURATION, elements.detail());
            default -> Optional.empty();
        };
    }

    private static Optional<CellType> ofTime(String start, String unit) {
        for (tiledb_datatype_t type : tiledb_datatype_t.values()) {
            if (type.name().startsWith(start) && unit(type.name(), start).equals(unit)) {
                return of(type, 1);
            }
        }
        return Optional.empty();
    }

    /**
     * {@return the fill value of elements, of the values that the library returns as one: a number or an array of them;
     * undefined if the elements of a cell have several}
     */
    FillValue fill(Object value) {
        int count = value.getClass().isArray() ? Array.getLength(value) : 1;
        int size = elements.itemSize() * inner / values;
        ByteBuffer bytes = ByteBuffer.allocate(count * size).order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++) {
            put(bytes, size, (Number) (count > 1 || value.getClass().isArray() ? Array.get(value, i) : value));
        }
        byte[] element = new byte[elements.itemSize()];
        for (int at = 0; at < bytes.capacity(); at += element.length) {
            if (at > 0 && !bytes.slice(at, element.length).equals(ByteBuffer.wrap(element))) {
                return FillValue.UNDEFINED;
            }
            bytes.get(at, element);
        }
        return FillValue.of(element);
    }

    private static void put(ByteBuffer bytes, int size, Number value) {
        if (value instanceof Float number) {
            bytes.putInt(Float.floatToRawIntBits(number));
        } else if (value instanceof Double number) {
            bytes.putLong(Double.doubleToRawLongBits(number));
        } else {
            switch (size) {
                case 1 -> bytes.put(value.byteValue());
                case 2 -> bytes.putShort(value.shortValue());
                case 4 -> bytes.putInt(value.intValue());
                default -> bytes.putLong(value.longValue());
            }
        }
    }
}
