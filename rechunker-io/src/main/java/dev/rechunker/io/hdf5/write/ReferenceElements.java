package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Elements that are references to objects, which are texts outside of the file. */
final class ReferenceElements implements OutsideElements {
    private final ObjectAddresses objects;
    private final DataType type;
    private final String group;

    /**
     * Creates the elements of an array.
     *
     * @param group the path of the group of the array
     */
    ReferenceElements(ObjectAddresses objects, DataType type, String group) {
        this.objects = objects;
        this.type = type;
        this.group = group;
    }

    @Override
    public Unit elements(ByteBuffer references, Scratch scratch) {
        ByteBuffer addresses = references.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return new Unit() {
            @Override
            public void add(ByteBuffer elements, int at) throws IOException {
                addresses.putLong(at, objects.of(group, text(elements, type)));
            }

            @Override
            public long finish() {
                return 0;
            }
        };
    }

    @Override
    public void flush() {}

    @Override
    public Reader reader(Scratch scratch) {
        return (addresses, target) -> {
            ByteBuffer from = addresses.order(ByteOrder.LITTLE_ENDIAN);
            while (from.hasRemaining()) {
                put(objects.text(group, from.getLong()), type, target);
            }
        };
    }

    /** {@return the size of a reference in the file, in bytes} */
    static int size(boolean isRegion) {
        return isRegion ? RegionElements.SIZE : Long.BYTES;
    }

    /** {@return the reference with a text outside of an array, such as the value of an attribute} */
    static MessageBytes reference(String text, boolean isRegion, TextSink outside) throws IOException {
        return isRegion
                ? RegionElements.reference(text, outside, outside::objectAddress)
                : new MessageBytes().u64(outside.objectAddress(text));
    }

    /** {@return the text at the position of a buffer of elements, which is advanced} */
    static String text(ByteBuffer elements, DataType type) throws StoreException {
        return StandardCharsets.UTF_8
                .decode(ElementHeap.contents(elements, type, 1))
                .toString();
    }

    /** Puts a text as an element, with its length and padding. */
    static void put(String text, DataType type, ByteBuffer target) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        target.order(ByteOrder.LITTLE_ENDIAN).putInt(utf8.length);
        target.put(utf8).put(new byte[type.longest() - utf8.length]);
    }
}
