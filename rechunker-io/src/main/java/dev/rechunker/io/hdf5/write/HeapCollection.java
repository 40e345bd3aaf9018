package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.file.PartFile;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads objects of the global heap that were written, for one thread. It holds one collection, whose objects are asked
 * for in ascending order.
 */
final class HeapCollection {
    /** The memory that it takes from a scratch. */
    static final int SCRATCH_BYTES = ElementHeap.COLLECTION;

    private final PartFile file;
    private final ByteBuffer collection;
    private long address;

    HeapCollection(PartFile file, Scratch scratch) {
        this.file = file;
        this.collection = scratch.take(SCRATCH_BYTES);
    }

    /** {@return the contents of an object, which are valid until the next one is asked for} */
    ByteBuffer object(long heap, int object) throws IOException {
        if (heap != address) {
            load(heap);
        }
        if (!skipTo(object)) {
            collection.position(GlobalHeap.HEAD);
            if (!skipTo(object)) {
                throw new StoreException("object " + object + " of the global heap at " + heap + " is missing");
            }
        }
        int size = (int) collection.getLong(collection.position() + Long.BYTES);
        return collection.slice(collection.position() + GlobalHeap.HEAD, size).order(ByteOrder.LITTLE_ENDIAN);
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
