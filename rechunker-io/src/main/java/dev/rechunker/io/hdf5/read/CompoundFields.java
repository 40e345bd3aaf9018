package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.NumpyNames;
import dev.rechunker.io.hdf5.format.OpaqueTag;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads compound types as records. A record type is described by NumPy's list of fields in JSON, as in Zarr 2. A field
 * is {@code [name, type]} or {@code [name, type, shape]}. Padding between fields, and after the last, is a field
 * without a name.
 *
 * <p>Enumerations in records are read as integers, and strings as null-padded. Their bytes are not changed.
 */
final class CompoundFields {
    private CompoundFields() {}

    /**
     * {@return the data type for a compound}
     *
     * @throws StoreException if a field is not supported; the message names the field
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
                throw ElementType.refuse("compounds whose field \"" + member.name() + "\" overlaps another");
            }
            addPadding(fields, member.offset() - end);
            end = Math.addExact(member.offset(), member.bytes());
            Object type = type(member);
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

    private static Object type(Member member) throws IOException {
        ByteBuffer message = member.type();
        try {
            if (ElementType.classOf(message) == ElementType.COMPOUND
                    && ElementType.complex(message).isEmpty()) {
                return fields(message);
            }
            ElementType type = ElementType.read(message);
            return NumpyNames.of(type.type(), type.order());
        } catch (StoreException e) {
            throw new StoreException("its compounds have a field \"" + member.name() + "\": " + e.getMessage(), e);
        }
    }

    /** {@return sentences about details of a compound that a list of fields cannot represent} */
    static List<String> omissions(ByteBuffer compound) throws IOException {
        List<String> omissions = new ArrayList<>();
        addOmissions("", compound, omissions);
        return omissions;
    }

    private static void addOmissions(String above, ByteBuffer compound, List<String> omissions) throws IOException {
        for (Member member : Member.of(compound)) {
            String field = above + member.name();
            String inField = " in the field \"" + field + "\" of its records ";
            ByteBuffer type = member.type();
            if (ElementType.classOf(type) == ElementType.COMPOUND) {
                addOmissions(field + ".", type, omissions);
            } else if (ElementType.names(type).isPresent()) {
                omissions.add("the names of values" + inField + "are left out");
            } else if (ElementType.classOf(type) == ElementType.OPAQUE) {
                String tag = ElementType.read(type).hints().getOrDefault(OpaqueTag.HINT, "");
                if (!tag.isEmpty()) {
                    omissions.add("the tag \"" + tag + "\" of opaque bytes" + inField + "is left out");
                }
            }
        }
    }
}
