package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.file.FileBytes;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads objects of global heaps, for one thread. The positions of the objects of the last collection are remembered, so
 * that each collection is scanned once if its objects are asked for one after the other.
 *
 * <p>A collection is the text {@code GCOL}, a version, its size, and objects: a number of 2 bytes, a count of
 * references, the size of the data, and the data, padded to a multiple of 8 bytes. Object 0 is free space at the end.
 */
final class HeapObjects {
    private static final int HEADER = 16;
    private static final int SIGNATURE = 'G' | 'C' << 8 | 'O' << 16 | 'L' << 24;
    private static final int MOST_OBJECTS = 1 << 16;
    private static final int WINDOW = 1 << 14;

    /** The scratch memory of one instance, in bytes. */
    static final long SCRATCH_BYTES = WINDOW + (long) Long.BYTES * MOST_OBJECTS;

    private final FileBytes file;
    private final FileMetadata metadata;
    private final LongAdder bytesRead;
    private final ByteBuffer window;
    /** The position of the header of each object of the collection that was found; 0 for the others. */
    private final ByteBuffer found;

    private long windowStart;
    private long collection;
    private long next;
    private long end;
    private int largest = MOST_OBJECTS - 1;

    HeapObjects(FileMetadata metadata, LongAdder bytesRead, Scratch scratch) {
        this.metadata = metadata;
        this.file = metadata.file();
        this.bytesRead = bytesRead;
        this.window = scratch.take(WINDOW).order(ByteOrder.LITTLE_ENDIAN).limit(0);
        this.found = scratch.take((long) Long.BYTES * MOST_OBJECTS).order(ByteOrder.nativeOrder());
    }

    /**
     * Reads the first bytes of an object to the position of a buffer.
     *
     * @param address the address of the collection
     * @param number the number of the object in it
     * @param bytes the number of bytes
     * @throws StoreException if there is no such object, or it is smaller
     */
    void read(long address, int number, int bytes, ByteBuffer target) throws IOException {
        long at = find(address, number);
        long size = at == 0 ? -1 : sizeAt(at);
        if (size < bytes) {
            throw new StoreException("an element of " + bytes + " bytes is object " + number
                    + " of the global heap at " + address
                    + (at == 0 ? ", which does not have it" : ", which has " + size + " bytes"));
        }
        copy(at + HEADER, bytes, target);
    }

    /**
     * Reads a whole object to the position of a buffer.
     *
     * @throws StoreException if there is no such object, or it is larger than what remains of the buffer
     */
    void readWhole(long address, int number, ByteBuffer target) throws IOException {
        long at = find(address, number);
        long size = at == 0 ? -1 : sizeAt(at);
        if (size < 0 || size > target.remaining()) {
            throw new StoreException("an element is object " + number + " of the global heap at " + address
                    + (at == 0
                            ? ", which does not have it"
                            : ", which has " + Long.toUnsignedString(size) + " bytes; at most " + target.remaining()
                                    + " are supported"));
        }
        copy(at + HEADER, (int) size, target);
    }

    /** {@return the position of the header of an object; 0 if there is none} */
    private long find(long address, int number) throws IOException {
        if (address != collection) {
            begin(address);
        }
        if (number <= 0 || number >= MOST_OBJECTS) {
            throw new StoreException("an element is object " + number
                    + " of a global heap, which has objects from 1 to " + (MOST_OBJECTS - 1));
        }
        return position(number);
    }

    private void begin(long address) throws IOException {
        if (address < 0 || metadata.position(address) > file.size() - HEADER) {
            throw new StoreException("an element is in a global heap at " + Long.toUnsignedString(address)
                    + ", after the end of the file");
        }
        forget();
        long start = metadata.position(address);
        load(start, HEADER);
        long size = window.getLong(offset(start) + Long.BYTES);
        if (window.getInt(offset(start)) != SIGNATURE || window.get(offset(start) + Integer.BYTES) != 1) {
            throw new StoreException("there is no global heap at " + address + ", where an element is stored");
        }
        if (size < HEADER || size > file.size() - start) {
            throw new StoreException("the global heap at " + address + " has " + Long.toUnsignedString(size)
                    + " bytes, which are not in the file");
        }
        collection = address;
        next = start + HEADER;
        end = start + size;
    }

    private void forget() {
        collection = 0;
        for (int i = 0; i <= largest; i++) {
            found.putLong(i * Long.BYTES, 0);
        }
        largest = 0;
    }

    /** {@return the position of the header of an object; 0 if there is none} */
    private long position(int number) throws IOException {
        while (found.getLong(number * Long.BYTES) == 0 && next <= end - HEADER) {
            load(next, HEADER);
            int other = window.getShort(offset(next)) & 0xFFFF;
            long size = sizeAt(next);
            if (other == 0) {
                next = end;
                break;
            }
            if (size < 0 || size > end - next - HEADER) {
                throw new StoreException("object " + other + " of the global heap at " + collection + " has "
                        + Long.toUnsignedString(size) + " bytes, which are not in the heap");
            }
            found.putLong(other * Long.BYTES, next);
            largest = Math.max(largest, other);
            next += HEADER + (size + 7) / 8 * 8;
        }
        return found.getLong(number * Long.BYTES);
    }

    private long sizeAt(long header) throws IOException {
        load(header, HEADER);
        return window.getLong(offset(header) + Long.BYTES);
    }

    private int offset(long position) {
        return (int) (position - windowStart);
    }

    /** Makes the window contain some bytes, which are not more than it takes. */
    private void load(long position, int bytes) throws IOException {
        if (position >= windowStart && position + bytes <= windowStart + window.limit()) {
            return;
        }
        window.clear().limit((int) Math.min(WINDOW, file.size() - position));
        if (window.limit() < bytes) {
            throw new StoreException("a global heap ends after the end of the file");
        }
        windowStart = position;
        file.read(position, window);
        bytesRead.add(window.limit());
        window.position(0);
    }

    private void copy(long position, int bytes, ByteBuffer target) throws IOException {
        if (bytes <= WINDOW / 2) {
            load(position, bytes);
            target.put(window.slice(offset(position), bytes));
            return;
        }
        int limit = target.limit();
        target.limit(target.position() + bytes);
        file.read(position, target);
        bytesRead.add(bytes);
        target.position(target.limit()).limit(limit);
    }
}
