package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.io.netcdf.StringForm;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Compounds with texts of variable length, which become texts of a fixed length: that of the longest text of all
 * fields. Other fields stay as they are.
 *
 * @param compound the datatype message
 * @param stored the type of what is stored, with the hints of fields
 * @param type the type of elements, which is not measured
 * @param runs the number of bytes before each text, and after the last one
 */
record TextFields(ByteBuffer compound, ElementType stored, DataType type, List<Integer> runs)
        implements StoredElements {
    private static final int MOST_TEXTS = 1 << 12;
    private static final VariableType TEXT = new VariableType(DataType.text(), ByteOrder.LITTLE_ENDIAN);

    /** {@return a compound with texts of variable length; empty if a type is none} */
    static Optional<TextFields> of(ByteBuffer message) throws IOException {
        if (ElementType.classOf(message) != ElementType.COMPOUND || !hasTexts(message)) {
            return Optional.empty();
        }
        long size = ElementType.sizeOf(message);
        if (size > DataType.LARGEST) {
            throw ElementType.refuse("compounds of " + size + " bytes");
        }
        CompoundFields.WithTexts fields = CompoundFields.withTexts(message, "|O");
        Runs runs = new Runs();
        runs.addCompound(message);
        runs.all.add(Math.toIntExact(runs.bytes));
        ElementType stored = new ElementType(DataType.opaque((int) size, ""), ByteOrder.LITTLE_ENDIAN, fields.hints());
        return Optional.of(
                new TextFields(message, stored, DataType.unmeasured(fields.fields()), List.copyOf(runs.all)));
    }

    private static boolean hasTexts(ByteBuffer compound) throws StoreException {
        for (Member member : Member.of(compound)) {
            ByteBuffer type = member.type();
            if (isText(type) || (ElementType.classOf(type) == ElementType.COMPOUND && hasTexts(type))) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a datatype message is that of texts of variable length} */
    static boolean isText(ByteBuffer type) {
        return ElementType.classOf(type) == ElementType.VARIABLE
                && VariableType.isText(type)
                && ElementType.sizeOf(type) == VariableType.REFERENCE.type().itemSize();
    }

    /** {@return the hints of a text that has become one of a fixed length} */
    static Map<String, String> hints(ByteBuffer text) throws StoreException {
        int nullPadded = 1;
        int charset = text.get(2) & 15;
        return StringForm.hints(nullPadded | charset << 4);
    }

    /** Collects the bytes between texts. */
    private static final class Runs {
        private final List<Integer> all = new ArrayList<>();
        private long bytes;

        private void addCompound(ByteBuffer compound) throws StoreException {
            long end = 0;
            for (Member member : CompoundFields.sorted(compound)) {
                bytes += member.offset() - end;
                add(member);
                end = member.offset() + member.bytes();
            }
            bytes += ElementType.sizeOf(compound) - end;
        }

        private void add(Member member) throws StoreException {
            ByteBuffer type = member.type();
            boolean isText = isText(type);
            if (!isText && !(ElementType.classOf(type) == ElementType.COMPOUND && hasTexts(type))) {
                bytes += member.bytes();
                return;
            }
            long count = member.bytes() / ElementType.sizeOf(type);
            for (long i = 0; i < count; i++) {
                if (!isText) {
                    addCompound(type);
                    continue;
                }
                if (all.size() == MOST_TEXTS) {
                    throw ElementType.refuse("compounds of more than " + MOST_TEXTS + " texts of variable length");
                }
                all.add(Math.toIntExact(bytes));
                bytes = 0;
            }
        }
    }

    @Override
    public DataType type(int longest) throws IOException {
        int length = Math.max(1, longest);
        int texts = runs.size() - 1;
        long size = (long) texts * length + runs.stream().mapToLong(run -> run).sum();
        if (size > DataType.LARGEST) {
            throw new StoreException("its compounds have a text of " + length
                    + " bytes, to which all texts in them are padded; they would have " + size + " bytes, and at most "
                    + DataType.LARGEST + " are supported");
        }
        return DataType.opaque(
                (int) size, CompoundFields.withTexts(compound, "|S" + length).fields());
    }

    @Override
    public Optional<String> change() {
        return Optional.of("texts of variable length in compounds become texts of a fixed length, that of the longest");
    }

    @Override
    public Resolver resolver(FileMetadata file, DataType type, LongAdder bytesRead, Scratch scratch) {
        if (!type.isMeasured()) {
            return this::putLength;
        }
        int fixed = runs.stream().mapToInt(run -> run).sum();
        int length = (type.itemSize() - fixed) / (runs.size() - 1);
        HeapContents heap = new HeapContents(TEXT, file, bytesRead, scratch);
        return (stored, target) -> {
            putRun(stored, runs.get(0), target);
            for (int i = 1; i < runs.size(); i++) {
                int end = target.position() + length;
                heap.next(stored, length);
                heap.put(target);
                while (target.position() < end) {
                    target.put((byte) 0);
                }
                putRun(stored, runs.get(i), target);
            }
        };
    }

    /** Puts the length of the longest text. */
    private void putLength(ByteBuffer stored, ByteBuffer target) throws StoreException {
        int longest = 0;
        stored.position(stored.position() + runs.get(0));
        for (int i = 1; i < runs.size(); i++) {
            longest = Math.max(longest, HeapContents.length(stored, 1));
            stored.position(stored.position() + runs.get(i));
        }
        target.putInt(longest);
    }

    private static void putRun(ByteBuffer stored, int bytes, ByteBuffer target) {
        target.put(stored.slice(stored.position(), bytes));
        stored.position(stored.position() + bytes);
    }
}
