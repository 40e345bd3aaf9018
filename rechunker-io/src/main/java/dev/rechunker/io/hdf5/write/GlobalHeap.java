package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.file.PartFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes the global heap: values of variable length, in collections that objects share.
 *
 * <p>A collection is written when it is full, or by {@link #flush}. Not thread-safe.
 */
final class GlobalHeap implements TextSink {
    /** The least size of a collection. */
    static final int MIN_COLLECTION = 4096;
    /** The size of the header of a collection, and of an object. */
    static final int HEAD = 16;

    static final byte[] SIGNATURE = "GCOL".getBytes(StandardCharsets.US_ASCII);

    private static final int MAX_INDEX = 0xFFFF;

    private final PartFile file;
    private MessageBytes objects = new MessageBytes();
    private long address;
    private int capacity;
    private int index;

    GlobalHeap(PartFile file) {
        this.file = file;
    }

    @Override
    public MessageBytes put(byte[] bytes, int elements) throws IOException {
        // An empty text is stored too, because a reference without an object is null.
        int padding = -bytes.length & 7;
        int size = Math.addExact(bytes.length, HEAD + padding);
        if (index == MAX_INDEX || HEAD + objects.size() + size > capacity) {
            flush();
            capacity = Math.max(MIN_COLLECTION, Math.addExact(HEAD, size));
            address = file.allocate(capacity);
        }
        index++;
        objects.u16(index).u16(0).u32(0).u64(bytes.length).put(bytes).zeros(padding);
        return TextSink.reference(elements, address, index);
    }

    /** Writes the last collection. */
    void flush() throws IOException {
        if (index == 0) {
            return;
        }
        MessageBytes collection =
                new MessageBytes().put(SIGNATURE).u8(1).zeros(3).u64(capacity).put(objects);
        int free = capacity - collection.size();
        if (free >= HEAD) {
            collection.zeros(8).u64(free);
        }
        collection.zeros(capacity - collection.size());
        file.write(address, ByteBuffer.wrap(collection.toArray()));
        objects = new MessageBytes();
        capacity = 0;
        index = 0;
    }
}
