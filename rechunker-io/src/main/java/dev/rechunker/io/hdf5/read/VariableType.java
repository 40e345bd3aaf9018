package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * A type of elements of variable length, from a datatype message. Each element is stored as a {@link #REFERENCE} to its
 * items in a global heap.
 *
 * @param type the data type in a spec; its longest element is not known
 * @param order the byte order of items
 */
record VariableType(DataType type, ByteOrder order) implements StoredElements {
    /** The type of references: the number of items, and the address and number of an object in a global heap. */
    static final ElementType REFERENCE = new ElementType(
            DataType.opaque(Integer.BYTES + Long.BYTES + Integer.BYTES, ""), ByteOrder.LITTLE_ENDIAN, Map.of());

    private static final int TEXT = 1;

    /**
     * {@return the type of a datatype message; empty if elements have one size}
     *
     * @throws StoreException if items are of a type that is not supported; the message names it
     */
    static Optional<VariableType> of(ByteBuffer message) throws IOException {
        if (ElementType.classOf(message) != ElementType.VARIABLE) {
            return Optional.empty();
        }
        if (ElementType.sizeOf(message) != REFERENCE.type().itemSize()) {
            throw new StoreException("references to elements of variable length have " + ElementType.sizeOf(message)
                    + " bytes, which is not supported");
        }
        if (isText(message)) {
            return Optional.of(new VariableType(DataType.text(), ByteOrder.LITTLE_ENDIAN));
        }
        ByteBuffer base = message.slice(ElementType.HEADER, message.limit() - ElementType.HEADER)
                .order(ByteOrder.LITTLE_ENDIAN);
        return Optional.of(sequence(base));
    }

    /** {@return whether a type of variable length is that of texts} */
    static boolean isText(ByteBuffer message) {
        return (message.get(1) & 15) == TEXT;
    }

    private static VariableType sequence(ByteBuffer base) throws IOException {
        int kind = ElementType.classOf(base);
        if (kind == ElementType.VARIABLE) {
            throw new StoreException("sequences of sequences of variable length are not supported");
        }
        ElementType items = ElementType.read(base);
        DataType number = items.type();
        boolean isBytes = number.equals(DataType.UINT8) || (kind == ElementType.OPAQUE && number.itemSize() == 1);
        if (isBytes) {
            return new VariableType(DataType.binary(), ByteOrder.LITTLE_ENDIAN);
        }
        try {
            return new VariableType(DataType.sequence(number), items.order());
        } catch (IllegalArgumentException e) {
            throw new StoreException("its elements are " + e.getMessage(), e);
        }
    }

    /** {@return the size of an item in bytes; 1 for text} */
    int itemSize() {
        return type.items().itemSize();
    }

    /** {@return the size of the words in which the byte order of items is to be changed; 1 if it is not} */
    int swappedWord() {
        return order == ByteOrder.LITTLE_ENDIAN ? 1 : type.items().wordSize();
    }

    @Override
    public ElementType stored() {
        return REFERENCE;
    }

    @Override
    public DataType type(int longest) {
        return type.upTo(longest);
    }

    @Override
    public Resolver resolver(FileMetadata file, DataType measured, LongAdder bytesRead, Scratch scratch) {
        if (!measured.isMeasured()) {
            return (stored, target) -> target.putInt(HeapContents.length(stored, itemSize()));
        }
        HeapContents heap = new HeapContents(this, file, bytesRead, scratch);
        return (stored, target) -> {
            int start = target.position();
            target.putInt(heap.next(stored, measured.longest()));
            target.putInt(start, heap.put(target));
            while (target.position() < start + measured.itemSize()) {
                target.put((byte) 0);
            }
        };
    }
}
