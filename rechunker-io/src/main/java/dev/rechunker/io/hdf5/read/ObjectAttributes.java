package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.AttributeType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import io.jhdf.object.message.DataSpace;
import io.jhdf.object.message.SharedMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of an object.
 *
 * @param values the values that can be represented as plain data, by name; null for a null dataspace
 * @param types the types of these values, by name
 * @param omitted the reasons why the others cannot be represented, by name
 * @param raw all attributes whose messages could be parsed, by name, in the order in which they were created; sorted if
 *     the file does not have that
 */
record ObjectAttributes(
        Map<String, @Nullable Object> values,
        Map<String, AttributeType> types,
        Map<String, String> omitted,
        Map<String, Raw> raw) {
    private static final int NAME_INDEX = 8;
    private static final int INDEX_RECORD_REST = 9;
    private static final int NULL_SPACE = 2;
    private static final long MOST_BYTES = 1 << 26;

    /**
     * The parts of an attribute message.
     *
     * @param order the place in the order in which attributes were created; 0 if the file does not have it
     * @param namedType the address of the named type; {@link FileMetadata#UNDEFINED} if the type has no name
     */
    record Raw(int order, ByteBuffer type, long namedType, Shape extents, boolean isNull, ByteBuffer data) {
        boolean isNamed() {
            return namedType != FileMetadata.UNDEFINED;
        }
    }

    static ObjectAttributes read(FileMetadata file, ObjectHeader header) throws IOException {
        ObjectAttributes attributes = new ObjectAttributes(
                new LinkedHashMap<>(), new LinkedHashMap<>(), new TreeMap<>(), new LinkedHashMap<>());
        Map<String, Raw> all = new TreeMap<>();
        for (ObjectHeader.Message message : header.all(ObjectHeader.ATTRIBUTE)) {
            if (message.isShared()) {
                attributes.omitted.put("(shared)", "attributes in a shared table are not supported");
            } else {
                attributes.add(file, message.body(), message.order(), all);
            }
        }
        if (header.has(ObjectHeader.ATTRIBUTE_INFO)) {
            attributes.addDense(
                    file,
                    header.require(ObjectHeader.ATTRIBUTE_INFO, "attribute info")
                            .body(),
                    all);
        }
        all.entrySet().stream()
                .sorted(Comparator.comparingInt(entry -> entry.getValue().order()))
                .forEach(entry -> attributes.raw.put(entry.getKey(), entry.getValue()));
        PlainValues values = new PlainValues(file);
        for (Map.Entry<String, Raw> entry : attributes.raw.entrySet()) {
            attributes.addValue(values, entry.getKey(), entry.getValue());
        }
        return attributes;
    }

    private void addValue(PlainValues values, String name, Raw raw) throws IOException {
        @Nullable Object value = null;
        try {
            if (!raw.isNull) {
                value = FileMetadata.parse("attribute", () -> values.read(raw.type, raw.extents, raw.data));
            }
            this.values.put(name, value);
            AttributeTypes.of(raw, value).ifPresent(type -> types.put(name, type));
        } catch (StoreException e) {
            omitted.put(name, String.valueOf(e.getMessage()));
        }
    }

    private void addDense(FileMetadata file, ByteBuffer info, Map<String, Raw> all) throws IOException {
        int version = info.get();
        int flags = info.get();
        if (version != 0) {
            throw new StoreException("attribute info of version " + version + " is not supported");
        }
        info.position(info.position() + ((flags & 1) != 0 ? 2 : 0));
        long heapAddress = info.getLong();
        long names = info.getLong();
        if (heapAddress == FileMetadata.UNDEFINED || names == FileMetadata.UNDEFINED) {
            return;
        }
        FractalHeap heap = FractalHeap.read(file, heapAddress);
        long[] left = {MOST_BYTES};
        BTree2.walk(file, names, NAME_INDEX, heap.idLength() + INDEX_RECORD_REST, record -> {
            if ((record.get(heap.idLength()) & 2) != 0) {
                omitted.put("(shared)", "attributes in a shared table are not supported");
            } else {
                int order = (flags & 1) == 0 ? 0 : record.getInt(heap.idLength() + 1);
                ByteBuffer message = heap.get(record.limit(heap.idLength()));
                left[0] -= message.remaining();
                if (left[0] < 0) {
                    throw new StoreException("its attributes take more than 64 MiB, which is not supported");
                }
                add(file, copy(message), order, all);
            }
        });
    }

    /** {@return a copy of a message, which does not keep its heap block in memory} */
    private static ByteBuffer copy(ByteBuffer message) {
        return ByteBuffer.allocate(message.remaining()).put(message).flip().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Parses an attribute message. */
    private void add(FileMetadata file, ByteBuffer message, int order, Map<String, Raw> all) throws IOException {
        int version = message.get();
        int flags = message.get();
        if (version < 1 || version > 3) {
            omitted.put("(unnamed)", "attributes of version " + version + " are not supported");
            return;
        }
        int nameSize = message.getShort() & 0xFFFF;
        int typeSize = message.getShort() & 0xFFFF;
        int spaceSize = message.getShort() & 0xFFFF;
        message.position(message.position() + (version == 3 ? 1 : 0));
        boolean padded = version == 1;
        ByteBuffer nameBytes = take(message, nameSize, padded);
        int end = 0;
        while (end < nameBytes.limit() && nameBytes.get(end) != 0) {
            end++;
        }
        byte[] text = new byte[end];
        nameBytes.get(text);
        String name = StoredText.of(text);
        if (all.containsKey(name) || omitted.containsKey(name)) {
            throw new StoreException("there are two attributes \"" + name + "\"");
        }
        try {
            FileMetadata.parse("attribute", () -> {
                ByteBuffer type = take(message, typeSize, padded);
                long namedType = FileMetadata.UNDEFINED;
                if (version > 1 && (flags & 1) != 0) {
                    namedType = addressOfNamed(file, type);
                    type = named(file, namedType);
                }
                ByteBuffer space = take(message, spaceSize, padded);
                if (version > 1 && (flags & 2) != 0) {
                    throw new StoreException("shared dataspaces are not supported");
                }
                DataSpace extents = DataSpace.readDataSpace(space, file.getSuperblock());
                boolean isNull = extents.getType() == NULL_SPACE;
                Shape shape = Shape.of(extents.getDimensionsAsLong());
                all.put(name, new Raw(order, type, namedType, shape, isNull, message.slice()));
                return "";
            });
        } catch (StoreException e) {
            omitted.put(name, String.valueOf(e.getMessage()));
        }
    }

    private static ByteBuffer take(ByteBuffer message, int size, boolean padded) {
        ByteBuffer taken = message.slice(message.position(), size).order(ByteOrder.LITTLE_ENDIAN);
        message.position(message.position() + (padded ? (size + 7) / 8 * 8 : size));
        return taken;
    }

    /** {@return the address of the named type that a shared message refers to} */
    static long addressOfNamed(FileMetadata file, ByteBuffer shared) {
        return new SharedMessage(shared, file.getSuperblock()).getObjectHeaderAddress();
    }

    /** {@return the datatype message of the named type at an address} */
    static ByteBuffer named(FileMetadata file, long address) throws IOException {
        ObjectHeader.Message message =
                ObjectHeader.read(file, address).require(ObjectHeader.DATATYPE, "datatype at address " + address);
        if (message.isShared()) {
            throw new StoreException("the named type at address " + address + " refers to another named type");
        }
        return message.body();
    }

    /** {@return the text of an attribute; empty if there is no such attribute, or it is not a text} */
    String text(String name) {
        return values.get(name) instanceof String text ? text : "";
    }
}
