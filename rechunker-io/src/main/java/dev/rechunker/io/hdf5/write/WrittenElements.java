package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads elements that {@link ElementHeap} wrote, for one thread. It holds one collection, whose objects are asked for
 * in ascending order.
 */
final class WrittenElements implements OutsideElements.Reader {
    /** The memory that it takes from a scratch. */
    static final int SCRATCH_BYTES = ElementHeap.COLLECTION;

    private final PartFile file;
    private final DataType type;
    private final int itemSize;
    private final ByteBuffer collection;
    private long address;

    WrittenElements(PartFile file, DataType type, Scratch scratch) {
        this.file = file;
        this.type = type;
        this.itemSize = type.items().itemSize();
        this.collection = scratch.take(SCRATCH_BYTES);
    }

    @Override
    public void read(ByteBuffer references, ByteBuffer target) throws IOException {
        ByteBuffer from = references.order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer to = target.order(ByteOrder.LITTLE_ENDIAN);
        while (from.hasRemaining()) {
            int end = to.position() + type.itemSize();
            int length = Math.multiplyExact(from.getInt(), itemSize);
            long heap = from.getLong();
            int object = from.getInt();
            to.putInt(length);
            if (length > 0) {
                find(heap, object, length, to);
            }
            while (to.position() < end) {
                to.put((byte) 0);
            }
        }
    }

    private void find(long heap, int object, int length, ByteBuffer to) throws IOException {
        if (2 * GlobalHeap.HEAD + length > ElementHeap.COLLECTION) {
            int limit = to.limit();
            file.read(heap + 2 * GlobalHeap.HEAD, to.limit(to.position() + length));
            to.limit(limit);
            return;
        }
        if (heap != address) {
            load(heap);
        }
        if (!skipTo(object)) {
            collection.position(GlobalHeap.HEAD);
            if (!skipTo(object)) {
                throw new StoreException("object " + object + " of the global heap at " + heap + " is missing");
            }
        }
        to.put(collection.slice(collection.position() + GlobalHeap.HEAD, length));
    }

    private void load(long heap) throws IOException {
        address = 0;
        file.read(heap, collection.clear().limit(GlobalHeap.HEAD));
        int size = (int) Math.min(collection.capacity(), collection.getLong(Long.BYTES));
        file.read(heap + GlobalHeap.HEAD, collection.limit(size));
        collection.position(GlobalHeap.HEAD);
        address = heap;
    }

    /** Moves to the header of an object at or after the position; {@return whether there is one} */
    private boolean skipTo(int object) {
        while (collection.remaining() >= GlobalHeap.HEAD) {
            int number = collection.getShort(collection.position()) & 0xFFFF;
            long size = collection.getLong(collection.position() + Long.BYTES);
            if (number == object) {
                return true;
            }
            long next = collection.position() + GlobalHeap.HEAD + (size + 7) / 8 * 8;
            if (number == 0 || next > collection.limit()) {
                return false;
            }
            collection.position((int) next);
        }
        return false;
    }
}
