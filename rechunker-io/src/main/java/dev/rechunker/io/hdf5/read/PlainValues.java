package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.format.BitField;
import dev.rechunker.io.netcdf.StoredText;
import dev.rechunker.store.StoreException;
import io.jhdf.GlobalHeap;
import io.jhdf.object.datatype.FloatingPoint;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads values of attributes as plain data: numbers, strings, booleans, and lists of them, with one level of lists per
 * axis.
 *
 * <p>Integers are {@code Long}, or {@code BigInteger} if they are larger. Floats are {@code Double}. Enumerations are
 * read as integers, but those of FALSE and TRUE as {@code Boolean}.
 *
 * <p>A few bytes can represent many values, because texts are stored in a heap and can be shared. Therefore the
 * attributes of one object are limited to 2^20 values and 64 MiB of text.
 */
final class PlainValues {
    /** The kinds of numbers that are plain data. */
    static final Set<DataType.Kind> NUMBERS =
            Set.of(DataType.Kind.BOOL, DataType.Kind.INT, DataType.Kind.UINT, DataType.Kind.FLOAT);

    private static final int HEAP_ID = 16;

    private static final long MOST_VALUES = 1 << 20;
    private static final long MOST_TEXT = 1 << 26;

    private final FileMetadata file;
    private long valuesLeft = MOST_VALUES;
    private long textLeft = MOST_TEXT;
    private @Nullable Heap lastHeap;

    /** A heap collection of texts, and its address. */
    private record Heap(long address, GlobalHeap objects) {}

    PlainValues(FileMetadata file) {
        this.file = file;
    }

    /**
     * Reads a value; {@return the value}
     *
     * @param type a datatype message
     * @param extents the extents of the dataspace; none for a single value
     * @param data the elements, in C order
     * @throws StoreException if the value cannot be represented as plain data
     */
    Object read(ByteBuffer type, Shape extents, ByteBuffer data) throws IOException {
        if (ElementType.classOf(type) == ElementType.ARRAY) {
            return array(type, extents, data);
        }
        long size = ElementType.sizeOf(type);
        long count = extents.elements();
        if (Math.multiplyExact(count, size) > data.remaining()) {
            throw new StoreException(count + " elements of " + size + " bytes are needed, but only " + data.remaining()
                    + " bytes are stored");
        }
        countValues(extents);
        Reader reader = reader(type, (int) size);
        ByteBuffer elements = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        return nest(extents.toArray(), 0, elements, (int) size, reader);
    }

    /** Counts values, and lists without values, which take no space in the file; refuses too many. */
    private void countValues(Shape extents) throws StoreException {
        long values = 1;
        for (int axis = 0; axis < extents.rank() && extents.extent(axis) > 0; axis++) {
            values = values > MOST_VALUES ? values : values * Math.min(extents.extent(axis), MOST_VALUES + 1);
        }
        if (values > valuesLeft) {
            throw new StoreException(
                    "attributes of more than " + MOST_VALUES + " values are not supported: " + extents);
        }
        valuesLeft -= values;
    }

    /** Reads the element at a position. */
    private interface Reader {
        Object at(ByteBuffer elements, int at) throws IOException;
    }

    private static Object nest(long[] extents, int axis, ByteBuffer elements, int size, Reader reader)
            throws IOException {
        if (axis == extents.length) {
            Object value = reader.at(elements, elements.position());
            elements.position(elements.position() + size);
            return value;
        }
        List<Object> list = new ArrayList<>();
        for (long i = 0; i < extents[axis]; i++) {
            list.add(nest(extents, axis + 1, elements, size, reader));
        }
        return list;
    }

    /** Reads a value whose elements are arrays, which adds their axes to those of the dataspace. */
    private Object array(ByteBuffer type, Shape extents, ByteBuffer data) throws IOException {
        List<Long> inner = new ArrayList<>();
        int base = ElementType.readArrayShape(type, 0, inner);
        long[] all = Arrays.copyOf(extents.toArray(), extents.rank() + inner.size());
        for (int i = 0; i < inner.size(); i++) {
            all[extents.rank() + i] = inner.get(i);
        }
        return read(type.slice(base, type.limit() - base).order(ByteOrder.LITTLE_ENDIAN), Shape.of(all), data);
    }

    private Reader reader(ByteBuffer type, int size) throws IOException {
        if (size <= 0) {
            throw new StoreException("elements of " + size + " bytes are not supported");
        }
        switch (ElementType.classOf(type)) {
            case ElementType.STRING -> {
                boolean spaces = (type.get(1) & 15) == 2;
                return (elements, at) -> text(elements.slice(at, size), spaces);
            }
            case ElementType.VARIABLE -> {
                if ((type.get(1) & 15) != 1) {
                    throw new StoreException("sequences of variable length are not supported");
                }
                return (elements, at) -> text(readHeap(elements, at), false);
            }
            case ElementType.REFERENCE -> {
                if (!ObjectReference.is(type)) {
                    throw ElementType.refuse(ElementType.className(type));
                }
                return ObjectReference.isRegion(type)
                        ? this::region
                        : (elements, at) -> ObjectReference.to(elements.getLong(at));
            }
            default -> {
                Optional<PartialNumbers> partial = PartialNumbers.of(type);
                if (partial.isPresent()) {
                    return partial(partial.get());
                }
                ElementType numbers = ElementType.read(type);
                if (numbers.hints().containsKey(BitField.HINT)) {
                    throw new StoreException("bit fields cannot be represented as plain data");
                }
                DataType.Kind kind = numbers.type().kind();
                if (!NUMBERS.contains(kind)) {
                    throw new StoreException(numbers.type() + " cannot be represented as plain data");
                }
                return (elements, at) -> number(numbers, elements.order(numbers.order()), at);
            }
        }
    }

    private ObjectReference region(ByteBuffer elements, int at) throws StoreException {
        ByteBuffer contents = readHeapObject(elements, at);
        return contents == null ? ObjectReference.to(0) : ObjectReference.toRegion(contents);
    }

    private static Reader partial(PartialNumbers numbers) {
        return (elements, at) -> {
            ByteBuffer whole = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            numbers.put(elements.duplicate().position(at), whole);
            return number(numbers.whole(), whole, 0);
        };
    }

    private static Object number(ElementType type, ByteBuffer elements, int at) {
        switch (type.type().kind()) {
            case FLOAT -> {
                return switch (type.type().itemSize()) {
                    case 2 -> (double) FloatingPoint.toFloat(elements.getShort(at));
                    case 4 -> (double) elements.getFloat(at);
                    default -> elements.getDouble(at);
                };
            }
            case BOOL -> {
                return elements.get(at) != 0;
            }
            default -> {
                long value = type.integer(elements, at);
                boolean huge = value < 0 && type.type().kind() == DataType.Kind.UINT;
                return huge ? (Object) new BigInteger(Long.toUnsignedString(value)) : (Object) value;
            }
        }
    }

    /** {@return a text without its terminating zero, or without the spaces at its end if it is space-padded} */
    private static String text(@Nullable ByteBuffer bytes, boolean spaces) {
        if (bytes == null) {
            return "";
        }
        int end = 0;
        while (end < bytes.limit() && (spaces || bytes.get(end) != 0)) {
            end++;
        }
        while (spaces && end > 0 && bytes.get(end - 1) == ' ') {
            end--;
        }
        byte[] text = new byte[end];
        bytes.get(0, text);
        return StoredText.of(text);
    }

    /** {@return the items of an element of variable length, which are in a heap; null if there are none} */
    private @Nullable ByteBuffer readHeap(ByteBuffer elements, int at) throws StoreException {
        long length = elements.getInt(at) & 0xFFFFFFFFL;
        ByteBuffer object = readHeapObject(elements, at + Integer.BYTES);
        if (object == null) {
            return null;
        }
        object.limit((int) Math.min(length, object.limit()));
        textLeft -= object.limit();
        if (textLeft < 0) {
            throw new StoreException("attributes with more than 64 MiB of text are not supported");
        }
        return object;
    }

    private @Nullable ByteBuffer readHeapObject(ByteBuffer bytes, int at) {
        ByteBuffer little = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        long address = little.getLong(at);
        if (address == 0 || address == FileMetadata.UNDEFINED) {
            return null;
        }
        Heap heap = lastHeap;
        if (heap == null || heap.address != address) {
            heap = new Heap(address, new GlobalHeap(file, address));
            lastHeap = heap;
        }
        return heap.objects
                .getObjectData(little.getInt(at + FileMetadata.WORD))
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * {@return the first address in each of {@code count} sequences of references; {@link FileMetadata#UNDEFINED} for
     * an empty sequence}
     */
    static long[] firstReferences(FileMetadata file, ByteBuffer data, int count) {
        PlainValues values = new PlainValues(file);
        long[] addresses = new long[count];
        for (int i = 0; i < count; i++) {
            int length = data.getInt(i * HEAP_ID);
            ByteBuffer object = length == 0 ? null : values.readHeapObject(data, i * HEAP_ID + Integer.BYTES);
            addresses[i] = object == null ? FileMetadata.UNDEFINED : object.getLong(0);
        }
        return addresses;
    }

    /** {@return the lengths of {@code count} sequences of references} */
    static int[] countReferences(ByteBuffer data, int count) {
        return IntStream.range(0, count).map(i -> data.getInt(i * HEAP_ID)).toArray();
    }
}
