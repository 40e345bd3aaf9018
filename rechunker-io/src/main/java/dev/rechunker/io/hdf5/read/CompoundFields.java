package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.FieldHints;
import dev.rechunker.io.hdf5.format.NumpyNames;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads compound types as records. A record type is described by NumPy's list of fields in JSON, as in Zarr 2. A field
 * is {@code [name, type]} or {@code [name, type, shape]}. Padding between fields, and after the last, is a field
 * without a name.
 *
 * <p>What such a list cannot say, such as the names of values, are {@link FieldHints}.
 */
final class CompoundFields {
    /** The type of fields that are texts of variable length, if that is supported. */
    private final Optional<String> text;

    private CompoundFields(Optional<String> text) {
        this.text = text;
    }

    /**
     * {@return the type for a compound}
     *
     * @throws StoreException if a field is not supported; the message names the field
     */
    static ElementType read(ByteBuffer compound) throws IOException {
        long size = ElementType.sizeOf(compound);
        if (size == 0 || size > DataType.LARGEST) {
            throw ElementType.refuse("compounds of " + size + " bytes");
        }
        Map<String, Map<String, String>> hints = new LinkedHashMap<>();
        List<Object> fields = new CompoundFields(Optional.empty()).fields(compound, hints);
        DataType type = DataType.opaque((int) size, Json.compact(fields));
        return new ElementType(type, ByteOrder.LITTLE_ENDIAN, FieldHints.hints(hints));
    }

    /**
     * What a compound with texts of variable length is.
     *
     * @param fields the description, in which texts are objects
     * @param hints the hints of fields, by the name of the field
     */
    record WithTexts(String fields, Map<String, String> hints) {}

    /**
     * {@return what a compound with texts of variable length is}
     *
     * @param text the NumPy type of texts
     */
    static WithTexts withTexts(ByteBuffer compound, String text) throws IOException {
        Map<String, Map<String, String>> hints = new LinkedHashMap<>();
        List<Object> fields = new CompoundFields(Optional.of(text)).fields(compound, hints);
        return new WithTexts(Json.compact(fields), FieldHints.hints(hints));
    }

    /** {@return the members of a compound by their position} */
    static List<Member> sorted(ByteBuffer compound) throws StoreException {
        List<Member> members = new ArrayList<>(Member.of(compound));
        members.sort(Comparator.comparingLong(Member::offset));
        return members;
    }

    /** {@return the fields of a compound} Adds their hints by name. */
    private List<Object> fields(ByteBuffer compound, Map<String, Map<String, String>> hints) throws IOException {
        List<Member> members = sorted(compound);
        long size = ElementType.sizeOf(compound);
        List<Object> fields = new ArrayList<>();
        long end = 0;
        Set<String> names = new HashSet<>();
        for (Member member : members) {
            if (!names.add(member.name())) {
                throw ElementType.refuse("compounds with two names \"" + member.name() + "\"");
            }
            if (member.offset() < end) {
                throw ElementType.refuse("compounds whose field \"" + member.name() + "\" overlaps another");
            }
            addPadding(fields, member.offset() - end);
            end = Math.addExact(member.offset(), member.bytes());
            Object type = type(member, hints);
            List<Long> shape = member.shape();
            fields.add(shape.isEmpty() ? List.of(member.name(), type) : List.of(member.name(), type, shape));
        }
        if (end > size) {
            throw ElementType.refuse("compounds of " + size + " bytes with fields of " + end + " bytes");
        }
        addPadding(fields, size - end);
        return fields;
    }

    private static void addPadding(List<Object> fields, long bytes) {
        if (bytes > 0) {
            fields.add(List.of("", "|V" + bytes));
        }
    }

    private Object type(Member member, Map<String, Map<String, String>> hints) throws IOException {
        ByteBuffer message = member.type();
        try {
            if (text.isPresent() && TextFields.isText(message)) {
                hints.put(member.name(), TextFields.hints(message));
                return text.get();
            }
            if (ElementType.classOf(message) == ElementType.COMPOUND
                    && ElementType.complex(message).isEmpty()) {
                Map<String, Map<String, String>> inner = new LinkedHashMap<>();
                List<Object> fields = fields(message, inner);
                hints.put(member.name(), FieldHints.hints(inner));
                return fields;
            }
            ElementType type = ElementType.read(message);
            hints.put(member.name(), type.hints());
            return NumpyNames.of(type.type(), type.order());
        } catch (StoreException e) {
            throw new StoreException("its compounds have a field \"" + member.name() + "\": " + e.getMessage(), e);
        }
    }
}
