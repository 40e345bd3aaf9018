package dev.rechunker.io.tiledb;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import io.tiledb.java.api.TileDBError;
import io.tiledb.libtiledb.PointerUtils;
import io.tiledb.libtiledb.SWIGTYPE_p_p_char;
import io.tiledb.libtiledb.SWIGTYPE_p_p_void;
import io.tiledb.libtiledb.SWIGTYPE_p_tiledb_datatype_t;
import io.tiledb.libtiledb.SWIGTYPE_p_unsigned_int;
import io.tiledb.libtiledb.SWIGTYPE_p_void;
import io.tiledb.libtiledb.int8_tArray;
import io.tiledb.libtiledb.tiledb;
import io.tiledb.libtiledb.tiledb_datatype_t;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A value of metadata: elements of a type, in the byte order of the machine. */
final class MetadataValue {
    private static final Map<DataType, tiledb_datatype_t> NUMBERS = CellType.numberTypes();

    /** The most bytes of a value that is read. */
    private static final int MOST = 1 << 26;

    private final tiledb_datatype_t type;
    private final int count;
    private final byte[] bytes;

    /** Creates a value of {@code count} elements. */
    MetadataValue(tiledb_datatype_t type, int count, byte[] bytes) {
        this.type = type;
        this.count = count;
        this.bytes = bytes;
    }

    tiledb_datatype_t type() {
        return type;
    }

    int count() {
        return count;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /** Where the library puts what it says of a value. */
    record Slots(
            SWIGTYPE_p_p_char key,
            SWIGTYPE_p_unsigned_int keyLength,
            SWIGTYPE_p_tiledb_datatype_t type,
            SWIGTYPE_p_unsigned_int count,
            SWIGTYPE_p_p_void value) {
        private static Slots create() {
            return new Slots(
                    tiledb.new_charpp(),
                    tiledb.new_uintp(),
                    tiledb.new_tiledb_datatype_tp(),
                    tiledb.new_uintp(),
                    tiledb.new_voidpArray(1));
        }

        private void delete() {
            tiledb.delete_charpp(key);
            tiledb.delete_uintp(keyLength);
            tiledb.delete_tiledb_datatype_tp(type);
            tiledb.delete_uintp(count);
            tiledb.delete_voidpArray(value);
        }
    }

    /** Asks the library for a value. */
    interface Getter {
        Object get(long index, Slots slots);
    }

    /** Gives a value to the library. */
    interface Putter {
        Object put(@Nullable SWIGTYPE_p_void bytes);
    }

    /** {@return all values by key} */
    static Map<String, MetadataValue> read(Native context, long count, Getter getter) throws TileDBError {
        Map<String, MetadataValue> values = new LinkedHashMap<>();
        Slots slots = Slots.create();
        try {
            for (long i = 0; i < count; i++) {
                context.check(getter.get(i, slots));
                values.put(tiledb.charpp_value(slots.key), read(slots));
            }
        } finally {
            slots.delete();
        }
        return values;
    }

    private static MetadataValue read(Slots slots) throws TileDBError {
        tiledb_datatype_t type;
        try {
            type = tiledb.tiledb_datatype_tp_value(slots.type);
        } catch (IllegalArgumentException e) { // the library has types that its Java code does not know
            throw new TileDBError("metadata \"" + tiledb.charpp_value(slots.key) + "\" has a type that is not known");
        }
        int count = (int) tiledb.uintp_value(slots.count);
        SWIGTYPE_p_void value = tiledb.voidpArray_getitem(slots.value, 0);
        // An empty value has a count of 1, but no elements.
        long size = value == null ? 0 : tiledb.tiledb_datatype_size(type).longValue() * count;
        if (size < 0 || size > MOST) {
            throw new TileDBError("a value of metadata has " + size + " bytes, but at most " + MOST + " are read");
        }
        byte[] bytes = new byte[(int) size];
        if (value != null) {
            int8_tArray elements = PointerUtils.int8_tArrayFromVoid(value);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = elements.getitem(i);
            }
        }
        return new MetadataValue(type, value == null ? 0 : count, bytes);
    }

    /** Writes a value. */
    static void write(Native context, MetadataValue value, Putter putter) throws TileDBError {
        int8_tArray elements = new int8_tArray(Math.max(1, value.bytes.length));
        try {
            for (int i = 0; i < value.bytes.length; i++) {
                elements.setitem(i, value.bytes[i]);
            }
            context.check(putter.put(value.count == 0 ? null : PointerUtils.toVoid(elements)));
        } finally {
            elements.delete();
        }
    }

    /** {@return a text as metadata} */
    static MetadataValue of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new MetadataValue(tiledb_datatype_t.TILEDB_STRING_UTF8, bytes.length, bytes);
    }

    /**
     * {@return an attribute as metadata: a text, a number, a boolean or a list of numbers; empty if it is something
     * else}
     *
     * @param type the type of its elements, if it is known
     */
    static Optional<MetadataValue> of(@Nullable Object value, @Nullable AttributeType type) {
        List<?> elements = value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
        boolean isScalar = !(value instanceof List<?>);
        Optional<DataType> number = type == null
                ? usual(elements)
                : DataType.numbers(type.element()).filter(found -> NUMBERS.containsKey(found));
        if (number.isEmpty()) {
            boolean canBeText = type == null || type.element().equals(AttributeType.STRING);
            return value instanceof String text && canBeText ? Optional.of(of(text)) : Optional.empty();
        }
        if (elements.isEmpty() || (!isScalar && elements.size() == 1)) {
            return Optional.empty(); // would be read as nothing, or as one number
        }
        int size = number.get().itemSize();
        ByteBuffer bytes = ByteBuffer.allocate(elements.size() * size).order(ByteOrder.nativeOrder());
        for (Object element : elements) {
            if (!put(bytes, number.get(), element)) {
                return Optional.empty();
            }
        }
        return Optional.of(
                new MetadataValue(Objects.requireNonNull(NUMBERS.get(number.get())), elements.size(), bytes.array()));
    }

    private static Optional<DataType> usual(List<?> elements) {
        if (elements.isEmpty()) {
            return Optional.empty();
        }
        if (elements.stream().allMatch(element -> element instanceof Long || element instanceof Integer)) {
            return Optional.of(DataType.INT64);
        }
        if (elements.stream().allMatch(Double.class::isInstance)) {
            return Optional.of(DataType.FLOAT64);
        }
        return elements.size() == 1 && elements.get(0) instanceof Boolean
                ? Optional.of(DataType.BOOL)
                : Optional.empty();
    }

    /** Writes a number, if a type has exactly this one; {@return whether it has} */
    private static boolean put(ByteBuffer bytes, DataType type, @Nullable Object element) {
        int at = bytes.position();
        if (element instanceof Boolean flag && type.kind() == DataType.Kind.BOOL) {
            bytes.put((byte) (flag ? 1 : 0));
        } else if (element instanceof Number number && type.kind() == DataType.Kind.FLOAT) {
            if (type.itemSize() == Float.BYTES) {
                bytes.putFloat(number.floatValue());
            } else {
                bytes.putDouble(number.doubleValue());
            }
        } else if (element instanceof Number number
                && (type.kind() == DataType.Kind.INT || type.kind() == DataType.Kind.UINT)) {
            switch (type.itemSize()) {
                case 1 -> bytes.put(number.byteValue());
                case 2 -> bytes.putShort(number.shortValue());
                case 4 -> bytes.putInt(number.intValue());
                default -> bytes.putLong(number.longValue());
            }
        } else {
            return false;
        }
        byte[] stored = new byte[type.itemSize()];
        bytes.get(at, stored);
        return type.kind() == DataType.Kind.FLOAT
                || String.valueOf(plain(type, stored)).equals(String.valueOf(element));
    }

    /** {@return the type of the elements, if they are numbers or booleans} */
    Optional<DataType> numbers() {
        return CellType.numbers(type);
    }

    /**
     * {@return the value as an attribute: a text, a number, a boolean, or a list; empty if its type has no such form}
     */
    Optional<Object> attribute() {
        Optional<DataType> number = numbers();
        if (number.isPresent()) {
            List<Object> elements = new ArrayList<>();
            int size = number.get().itemSize();
            for (int i = 0; i < count; i++) {
                byte[] element = new byte[size];
                ByteBuffer.wrap(bytes).get(i * size, element);
                elements.add(plain(number.get(), element));
            }
            return Optional.of(elements.size() == 1 ? elements.get(0) : elements);
        }
        return isText() ? text().map(text -> text) : Optional.empty();
    }

    private static Object plain(DataType type, byte[] element) {
        ByteBuffer bytes = ByteBuffer.wrap(element).order(ByteOrder.nativeOrder());
        boolean isWide = type.kind() == DataType.Kind.UINT && type.itemSize() == Long.BYTES;
        return isWide && bytes.getLong(0) >= 0
                ? (Object) bytes.getLong(0)
                : type.value(ByteOrder.nativeOrder(), element);
    }

    /** {@return the type of the attribute} */
    AttributeType attributeType() {
        Shape shape = count == 1 || isText() ? Shape.of() : Shape.of(count);
        return AttributeType.of(numbers().map(DataType::name).orElse(AttributeType.STRING), shape);
    }

    private boolean isText() {
        return type == tiledb_datatype_t.TILEDB_STRING_UTF8
                || type == tiledb_datatype_t.TILEDB_STRING_ASCII
                || type == tiledb_datatype_t.TILEDB_CHAR
                || type == tiledb_datatype_t.TILEDB_BLOB;
    }

    private Optional<String> text() {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
