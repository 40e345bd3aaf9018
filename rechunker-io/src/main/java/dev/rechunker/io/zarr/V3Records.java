package dev.rechunker.io.zarr;

import dev.rechunker.array.DataType;
import dev.rechunker.array.DataType.Kind;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records of version 3. As elements, they are those of version 2: opaque, with NumPy's list of fields, whose types have
 * the byte order of the codec {@code bytes}.
 *
 * <p>The registry has the type {@code struct}, and the older form {@code structured}, which it wants to be read only.
 * zarr-python 3.1 reads nothing but {@code structured}, as little-endian whatever {@code bytes} says; later releases
 * read both. So records that are not copied from a {@code struct} are written as {@code structured} if they are
 * little-endian.
 */
final class V3Records {
    static final String STRUCT = "struct";
    static final String STRUCTURED = "structured";

    private static final String FIELDS = "fields";

    /** A field of a record with its place in bytes; padding has an empty name. */
    private record Field(String name, DataType type, ByteOrder order, int offset) {}

    private V3Records() {}

    /**
     * {@return the type of records with a configuration}
     *
     * @param order the byte order of their fields
     */
    static DataType parse(Document settings, ByteOrder order) throws StoreException {
        settings.allowOnly(Set.of(FIELDS));
        List<Object> fields = new ArrayList<>();
        for (Object item : settings.list(FIELDS)) {
            Map<?, ?> field = item instanceof List<?> pair && pair.size() == 2
                    ? Map.of("name", pair.get(0), "data_type", pair.get(1))
                    : item instanceof Map<?, ?> object ? object : Map.of();
            if (!(field.get("name") instanceof String name) || name.isEmpty() || field.get("data_type") == null) {
                throw settings.wrong(FIELDS, "a list of fields with name and data_type");
            }
            String where = settings.where() + " " + name;
            Map<String, @Nullable Object> type = new LinkedHashMap<>();
            type.put("data_type", field.get("data_type"));
            try {
                fields.add(List.of(name, V2Types.toJson(V3Types.parse(new Document(where, type), order), order)));
            } catch (UnsupportedArrayException e) {
                throw new StoreException(where + " has a type that records cannot have here: " + e.getMessage(), e);
            }
        }
        return V2Types.parse(new Document(settings.where(), Map.of("dtype", V2Padding.withoutNames(fields))))
                .type();
    }

    /** {@return whether elements are records with a list of fields} */
    static boolean isRecord(DataType type) {
        return type.kind() == Kind.OPAQUE && type.detail().startsWith("[");
    }

    /**
     * {@return the byte order of records; empty for other types, and if no field has one}
     *
     * @throws UnsupportedArrayException if fields have different byte orders
     */
    static Optional<ByteOrder> order(DataType type) throws StoreException {
        return order(type, type);
    }

    private static Optional<ByteOrder> order(DataType whole, DataType type) throws StoreException {
        Optional<ByteOrder> order = Optional.empty();
        for (Field field : isRecord(type) ? fields(whole, type) : List.<Field>of()) {
            Optional<ByteOrder> next = field.type.wordSize() > 1 ? Optional.of(field.order) : order(whole, field.type);
            if (next.isPresent() && order.isPresent() && !next.equals(order)) {
                throw new UnsupportedArrayException("Zarr 3 cannot store the type " + whole + " " + whole.detail()
                        + ": its fields have different byte orders; write Zarr 2");
            }
            order = order.isPresent() ? order : next;
        }
        return order;
    }

    /** {@return the type of records as it is written to a document} */
    static Object toJson(DataType type, boolean struct) throws StoreException {
        order(type); // refuses fields of different byte orders
        List<Object> fields = new ArrayList<>();
        for (Field field : fields(type)) {
            Object fieldType = V3Types.toJson(field.type, struct && isRecord(field.type));
            fields.add(struct ? Map.of("name", field.name, "data_type", fieldType) : List.of(field.name, fieldType));
        }
        return V3Codecs.extension(struct ? STRUCT : STRUCTURED, Map.of(FIELDS, fields));
    }

    private static List<Field> fields(DataType type) throws StoreException {
        return fields(type, type);
    }

    /** {@return the fields of a type, which may be that of a field of a whole type, for messages} */
    private static List<Field> fields(DataType whole, DataType type) throws StoreException {
        List<Field> fields = new ArrayList<>();
        if (!(JsonParser.value("the type " + type, type.detail()) instanceof List<?> list)) {
            throw unsupported(whole);
        }
        int offset = 0;
        for (Object item : V2Padding.withNames(list)) {
            if (!(item instanceof List<?> parts) || parts.size() != 2 || !(parts.get(0) instanceof String name)) {
                throw unsupported(whole);
            }
            V2Types.Ordered field = V2Types.parse(new Document("field " + name, Map.of("dtype", parts.get(1))));
            fields.add(new Field(name, field.type(), field.order(), offset));
            offset += field.type().itemSize();
        }
        return fields;
    }

    private static StoreException unsupported(DataType type) {
        return new UnsupportedArrayException("Zarr 3 cannot store the type " + type + " " + type.detail()
                + ": its records have no fields that are arrays; write Zarr 2");
    }

    /**
     * Puts a record that is written as an object. Fields that are left out are zero.
     *
     * @throws IllegalArgumentException if a value is not one of its field
     */
    static void put(DataType type, Map<?, ?> json, ByteBuffer element) throws StoreException {
        List<Field> fields = fields(type);
        if (!fields.stream().map(Field::name).toList().containsAll(json.keySet())) {
            throw new IllegalArgumentException("there is no such field");
        }
        for (Field field : fields) {
            Object value = json.get(field.name);
            if (value != null) {
                values(field).parse(value, part(field, element));
            }
        }
    }

    /** {@return a record as an object} */
    static Map<String, @Nullable Object> json(DataType type, ByteBuffer element) throws StoreException {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        for (Field field : fields(type)) {
            byte[] bytes = new byte[field.type.itemSize()];
            part(field, element).get(bytes);
            json.put(field.name, values(field).toJson(FillValue.of(bytes), isRecord(field.type)));
        }
        return json;
    }

    private static FillValues values(Field field) {
        return new FillValues(ZarrFormat.V3, field.type, field.order);
    }

    private static ByteBuffer part(Field field, ByteBuffer element) {
        return element.slice(field.offset, field.type.itemSize()).order(field.order);
    }
}
