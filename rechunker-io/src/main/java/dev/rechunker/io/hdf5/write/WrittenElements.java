package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads elements that {@link ElementHeap} wrote, for one thread. */
final class WrittenElements implements OutsideElements.Reader {
    private final PartFile file;
    private final DataType type;
    private final int itemSize;
    private final HeapCollection collection;

    WrittenElements(PartFile file, DataType type, Scratch scratch) {
        this.file = file;
        this.type = type;
        this.itemSize = type.items().itemSize();
        this.collection = new HeapCollection(file, scratch);
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
        to.put(collection.object(heap, object).limit(length));
    }
}
