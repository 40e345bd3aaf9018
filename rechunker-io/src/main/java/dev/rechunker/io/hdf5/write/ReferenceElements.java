package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Elements that are references to objects, which are texts outside of the file. */
final class ReferenceElements implements OutsideElements, OutsideElements.Reader {
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
                int start = elements.position();
                int length = elements.order(ByteOrder.LITTLE_ENDIAN).getInt(start);
                if (length < 0 || length > type.longest()) {
                    throw new StoreException("an element has the length " + length + ", not 0 to " + type.longest());
                }
                byte[] text = new byte[length];
                elements.get(start + DataType.LENGTH_SIZE, text);
                elements.position(start + type.itemSize());
                addresses.putLong(at, objects.of(group, new String(text, StandardCharsets.UTF_8)));
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
    public void read(ByteBuffer addresses, ByteBuffer target) throws IOException {
        ByteBuffer from = addresses.order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer to = target.order(ByteOrder.LITTLE_ENDIAN);
        while (from.hasRemaining()) {
            byte[] text = objects.text(group, from.getLong()).getBytes(StandardCharsets.UTF_8);
            to.putInt(text.length).put(text).put(new byte[type.longest() - text.length]);
        }
    }
}
