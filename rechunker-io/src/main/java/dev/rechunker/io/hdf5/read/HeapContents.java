package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** Reads texts and sequences from global heaps, for one thread: {@link #next} and, for the contents, {@link #put}. */
final class HeapContents {
    private final VariableType type;
    private final HeapObjects heap;
    private long address;
    private int object;
    private int bytes;

    HeapContents(VariableType type, FileMetadata file, LongAdder bytesRead, Scratch scratch) {
        this.type = type;
        this.heap = new HeapObjects(file, bytesRead, scratch);
    }

    /** {@return the length in bytes that a reference at the position of a buffer has, which is advanced} */
    static int length(ByteBuffer references, int itemSize) throws StoreException {
        long items = references.getInt() & 0xFFFFFFFFL;
        long address = references.getLong();
        references.getInt();
        boolean isEmpty = address == 0 || address == FileMetadata.UNDEFINED;
        long bytes = isEmpty ? 0 : items * itemSize;
        if (bytes > DataType.LONGEST) {
            throw new StoreException("an element of " + bytes + " bytes is not supported");
        }
        return (int) bytes;
    }

    /**
     * Reads the reference at the position of a buffer, which is advanced; {@return the length of its contents in bytes}
     *
     * @param longest the length of the longest contents when the plan was made
     */
    int next(ByteBuffer references, int longest) throws StoreException {
        int at = references.position();
        bytes = length(references, type.itemSize());
        address = references.getLong(at + Integer.BYTES);
        object = references.getInt(at + Integer.BYTES + Long.BYTES);
        if (bytes > longest) {
            throw new StoreException("an element has " + bytes + " bytes, but the longest had " + longest
                    + " when the plan was made; the file has changed, so make a new plan");
        }
        return bytes;
    }

    /** Puts the contents of the last reference; {@return their length: a text ends at the first zero, as in C} */
    int put(ByteBuffer target) throws IOException {
        if (bytes == 0) {
            return 0;
        }
        int start = target.position();
        heap.read(address, object, bytes, target);
        if (type.type().kind() == DataType.Kind.TEXT) {
            int length = 0;
            while (length < bytes && target.get(start + length) != 0) {
                length++;
            }
            target.position(start + length);
            return length;
        }
        swap(target, start);
        return bytes;
    }

    /** Changes the byte order of numbers. */
    private void swap(ByteBuffer target, int start) {
        int word = type.swappedWord();
        for (int at = start; word > 1 && at < start + bytes; at += word) {
            for (int i = 0; i < word / 2; i++) {
                byte first = target.get(at + i);
                target.put(at + i, target.get(at + word - 1 - i)).put(at + word - 1 - i, first);
            }
        }
    }
}
