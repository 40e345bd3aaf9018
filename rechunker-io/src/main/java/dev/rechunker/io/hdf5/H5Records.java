package dev.rechunker.io.hdf5;

import dev.rechunker.array.DataType;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Records: compounds, whose description is NumPy's list of fields in JSON, as Zarr 2 stores it. A field is
 * {@code [name, type]} or {@code [name, type, shape]}; bytes between fields, and behind the last, are one without a
 * name.
 *
 * <p>Enumerations in records are their integers, and strings end as NumPy's do; their bytes stay as they are.
 */
final class H5Records {
    private static final Pattern TYPE = Pattern.compile("([<>|=])(?:([biufcSV])(\\d{1,7})|(" + H5Times.NAME + "))");

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

    private H5Records() {}

    /**
     * {@return the type of the elements of a compound}
     *
     * @throws StoreException if one of its fields is not supported, naming it
     */
    static DataType read(ByteBuffer compound) throws IOException {
        long size = ElementType.sizeOf(compound);
        if (size == 0 || size > DataType.LARGEST) {
            throw ElementType.refuse("compounds of " + size + " bytes");
        }
        return DataType.opaque((int) size, Json.compact(fields(compound)));
    }

    private static List<Object> fields(ByteBuffer compound) throws IOException {
        List<Member> members = new ArrayList<>(Member.of(compound));
        members.sort(Comparator.comparingLong(Member::offset));
        long size = ElementType.sizeOf(compound);
        List<Object> fields = new ArrayList<>();
        long end = 0;
        Set<String> names = new HashSet<>();
        for (Member member : members) {
            if (!names.add(member.name())) {
                throw ElementType.refuse("compounds with two names \"" + member.name() + "\"");
            }
            if (member.offset() < end) {
                throw ElementType.refuse("compounds whose field \"" + member.name() + "\" lies on another");
            }
            gap(fields, member.offset() - end);
            end = Math.addExact(member.offset(), member.bytes());
            Object type = type(member);
            List<Long> shape = member.shape();
            fields.add(shape.isEmpty() ? List.of(member.name(), type) : List.of(member.name(), type, shape));
        }
        if (end > size) {
            throw ElementType.refuse("compounds of " + size + " bytes whose fields take " + end);
        }
        gap(fields, size - end);
        return fields;
    }

    private static void gap(List<Object> fields, long bytes) {
        if (bytes > 0) {
            fields.add(List.of("", "|V" + bytes));
        }
    }

    private static Object type(Member member) throws IOException {
        ByteBuffer message = member.type();
        try {
            if (ElementType.classOf(message) == ElementType.COMPOUND
                    && ElementType.complex(message).isEmpty()) {
                return fields(message);
            }
            return name(ElementType.read(message));
        } catch (StoreException e) {
            throw new StoreException("its compounds have a field \"" + member.name() + "\": " + e.getMessage(), e);
        }
    }

    /**
     * {@return sentences about what a list of fields cannot say of a compound; fields are {@code a}, or {@code a.b}}
     */
    static List<String> omissions(ByteBuffer compound) throws IOException {
        List<String> omissions = new ArrayList<>();
        omissions("", compound, omissions);
        return omissions;
    }

    private static void omissions(String above, ByteBuffer compound, List<String> omissions) throws IOException {
        for (Member member : Member.of(compound)) {
            String field = above + member.name();
            String inField = " in the field \"" + field + "\" of its records ";
            ByteBuffer type = member.type();
            if (ElementType.classOf(type) == ElementType.COMPOUND) {
                omissions(field + ".", type, omissions);
            } else if (ElementType.names(type).isPresent()) {
                omissions.add("the names of values" + inField + "are left out");
            } else if (ElementType.classOf(type) == ElementType.OPAQUE) {
                String tag = ElementType.read(type).hints().getOrDefault(H5Opaque.HINT, "");
                if (!tag.isEmpty()) {
                    omissions.add("the tag \"" + tag + "\" of opaque bytes" + inField + "is left out");
                }
            }
        }
    }

    /** {@return NumPy's name of a type that is no record} */
    private static String name(ElementType element) {
        DataType type = element.type();
        String order = type.wordSize() == 1 ? "|" : element.order() == ByteOrder.BIG_ENDIAN ? ">" : "<";
        return order
                + switch (type.kind()) {
                    case BYTES -> "S" + type.itemSize();
                    case OPAQUE -> "V" + type.itemSize();
                    case DATETIME, TIMEDELTA -> H5Times.name(type);
                    default ->
                        NUMBERS.entrySet().stream()
                                .filter(number -> number.getValue().equals(type))
                                .map(Map.Entry::getKey)
                                .findFirst()
                                .orElseThrow();
                };
    }

    /**
     * {@return the datatype message of records}
     *
     * @param where names the array in messages
     * @throws StoreException if the type's description is none of records, or HDF5 has no such fields
     */
    static H5Bytes message(String where, DataType type) throws StoreException {
        if (!(JsonParser.value(where + ": the type " + type, type.detail()) instanceof List<?> fields)) {
            throw unsupported(where, type.detail());
        }
        Sized message = compound(where, fields);
        if (message.size != type.itemSize()) {
            throw new UnsupportedArrayException(where + " has records of " + type.itemSize()
                    + " bytes, but their fields " + type.detail() + " take " + message.size);
        }
        return message.type;
    }

    private static UnsupportedArrayException unsupported(String where, Object type) {
        return new UnsupportedArrayException(
                where + " has records with " + type + ", which are not written to HDF5; it takes"
                        + " booleans, integers, floats, complex numbers, points in time and durations, strings of bytes, raw"
                        + " bytes, records and arrays of them");
    }

    /** A datatype message, and the bytes of an element. */
    private record Sized(H5Bytes type, long size) {}

    private static Sized compound(String where, List<?> fields) throws StoreException {
        List<H5Bytes> members = new ArrayList<>();
        long end = 0;
        for (Object field : fields) {
            if (!(field instanceof List<?> parts) || parts.size() < 2 || !(parts.get(0) instanceof String name)) {
                throw unsupported(where, field);
            }
            Sized type = parts.get(1) instanceof List<?> inner ? compound(where, inner) : plain(where, parts.get(1));
            if (parts.size() > 2) {
                type = array(where, type, parts.get(2));
            }
            if (!name.isEmpty()) {
                members.add(H5Datatype.field(name, Math.toIntExact(end), type.type));
            }
            end = Math.addExact(end, type.size);
        }
        if (members.isEmpty() || members.size() > 0xFFFF) {
            throw unsupported(where, members.size() + " fields that have a name");
        }
        return new Sized(H5Datatype.compound(members, Math.toIntExact(end)), end);
    }

    private static Sized array(String where, Sized type, Object extents) throws StoreException {
        List<Long> shape = new ArrayList<>();
        for (Object extent : extents instanceof List<?> list ? list : List.of(extents)) {
            if (!(extent instanceof Long n) || n < 1) {
                throw unsupported(where, "arrays of " + extents);
            }
            shape.add(n);
        }
        long size = shape.stream().reduce(type.size, Math::multiplyExact);
        return shape.isEmpty() ? type : new Sized(H5Datatype.array(shape, type.type, Math.toIntExact(type.size)), size);
    }

    private static Sized plain(String where, Object name) throws StoreException {
        Matcher m = TYPE.matcher(String.valueOf(name));
        DataType type = m.matches() ? type(m) : null;
        if (type == null) {
            throw unsupported(where, "a field of " + name);
        }
        ByteOrder order = m.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        return new Sized(H5Datatype.plain(where, type, order), type.itemSize());
    }

    private static @Nullable DataType type(Matcher name) {
        if (name.group(4) != null) {
            return H5Times.type(name.group(4)).orElse(null);
        }
        int size = Integer.parseInt(name.group(3));
        if (size == 0 || size > DataType.LARGEST) {
            return null;
        }
        return switch (name.group(2)) {
            case "S" -> DataType.bytes(size);
            case "V" -> DataType.opaque(size, "");
            default -> NUMBERS.get(name.group(2) + size);
        };
    }
}
