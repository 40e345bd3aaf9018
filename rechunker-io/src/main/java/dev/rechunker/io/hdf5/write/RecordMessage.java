package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.FieldHints;
import dev.rechunker.io.hdf5.format.NumpyNames;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Creates datatype messages of records from NumPy's list of fields in JSON. */
final class RecordMessage {
    /** Any record. */
    private static final DataType RECORD = DataType.opaque(1, "[]");

    private RecordMessage() {}

    /**
     * {@return the datatype message of records}
     *
     * @param where names the array in messages
     * @param hints what the fields are beyond their types, by their names
     * @throws StoreException if the type is not described as a record, or HDF5 cannot store a field
     */
    static MessageBytes of(String where, DataType type, Map<String, Map<String, String>> hints) throws StoreException {
        if (!(JsonParser.value(where + ": the type " + type, type.detail()) instanceof List<?> fields)) {
            throw unsupported(where, type.detail());
        }
        Sized message = compound(where, fields, hints);
        if (message.size != type.itemSize()) {
            throw new UnsupportedArrayException(where + " has records of " + type.itemSize()
                    + " bytes, but their fields " + type.detail() + " take " + message.size + " bytes");
        }
        return message.type;
    }

    private static UnsupportedArrayException unsupported(String where, Object type) {
        return new UnsupportedArrayException(where + " has records with " + type
                + ", which cannot be written to HDF5; supported are booleans, integers,"
                + " floats, complex numbers, points in time and durations, strings of bytes, raw bytes, records and"
                + " arrays of them");
    }

    /** A datatype message, and the size of an element in bytes. */
    private record Sized(MessageBytes type, long size) {}

    private static Sized compound(String where, List<?> fields, Map<String, Map<String, String>> hints)
            throws StoreException {
        List<MessageBytes> members = new ArrayList<>();
        long end = 0;
        for (Object field : fields) {
            if (!(field instanceof List<?> parts) || parts.size() < 2 || !(parts.get(0) instanceof String name)) {
                throw unsupported(where, field);
            }
            Map<String, String> own = hints.getOrDefault(name, Map.of());
            Sized type = parts.get(1) instanceof List<?> inner
                    ? compound(where, inner, FieldHints.of(where, RECORD, own))
                    : plain(where, parts.get(1), own);
            if (parts.size() > 2) {
                type = array(where, type, parts.get(2));
            }
            if (!name.isEmpty()) {
                members.add(DatatypeMessage.field(name, Math.toIntExact(end), type.type));
            }
            end = Math.addExact(end, type.size);
        }
        if (members.isEmpty() || members.size() > 0xFFFF) {
            throw unsupported(where, members.size() + " fields that have a name");
        }
        return new Sized(DatatypeMessage.compound(members, Math.toIntExact(end)), end);
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
        return shape.isEmpty()
                ? type
                : new Sized(DatatypeMessage.array(shape, type.type, Math.toIntExact(type.size)), size);
    }

    private static Sized plain(String where, Object name, Map<String, String> hints) throws StoreException {
        NumpyNames.Named named =
                NumpyNames.parse(String.valueOf(name)).orElseThrow(() -> unsupported(where, "a field of " + name));
        DataType type = named.type();
        return new Sized(DatatypeMessage.of(where, type, named.order(), hints), type.itemSize());
    }
}
