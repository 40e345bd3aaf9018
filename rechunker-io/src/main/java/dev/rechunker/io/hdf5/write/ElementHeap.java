package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.io.codec.Utf8;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes the contents of the elements of an array of variable length to the global heap. The array itself consists of
 * references to them.
 *
 * <p>Each write unit has collections of its own, so that threads do not wait for each other. What is left at the end of
 * a unit, and is too short for a collection, is put into one that units share. Programs that replace an element free
 * its object, so each has one of its own; only empty texts of a collection share one, which is never freed.
 */
final class ElementHeap implements OutsideElements {
    /** The most bytes of a collection with more than one object. */
    static final int COLLECTION = 1 << 16;

    /** The memory that a heap holds, in bytes: the shared collection, and a copy of it while it is written. */
    static final long HELD_BYTES = 8L * GlobalHeap.MIN_COLLECTION;

    private static final int WORD = Long.BYTES;

    private final PartFile file;
    private final DataType type;
    private final int itemSize;
    private final GlobalHeap shared;

    /** Creates the heap of an array whose elements have a type of variable length. */
    ElementHeap(PartFile file, DataType type) {
        this.file = file;
        this.type = type;
        this.itemSize = type.items().itemSize();
        this.shared = new GlobalHeap(file);
    }

    @Override
    public Elements elements(ByteBuffer references, Scratch scratch) {
        return new Elements(references, scratch.take(COLLECTION));
    }

    @Override
    public Reader reader(Scratch scratch) {
        return new WrittenElements(file, type, scratch);
    }

    /** Writes the shared collection. */
    @Override
    public void flush() throws IOException {
        synchronized (shared) {
            shared.flush();
        }
    }

    /** {@return a reference to contents outside of an array, such as a fill value; the type of empty ones matters} */
    static MessageBytes reference(DataType type, byte[] contents, TextSink outside) throws IOException {
        return isNull(type, contents.length)
                ? TextSink.none()
                : outside.put(contents, contents.length / type.items().itemSize());
    }

    /**
     * {@return the contents of the element at the position of a buffer, which is advanced}
     *
     * @param itemSize the size of one of its items, in bytes
     */
    static ByteBuffer contents(ByteBuffer elements, DataType type, int itemSize) throws StoreException {
        int start = elements.position();
        int length = elements.order(ByteOrder.LITTLE_ENDIAN).getInt(start);
        if (length < 0 || length > type.longest() || length % itemSize != 0) {
            throw new StoreException("an element has the length " + length + ", not 0 to " + type.longest());
        }
        elements.position(start + type.itemSize());
        return elements.slice(start + DataType.LENGTH_SIZE, length);
    }

    /** {@return whether contents have no object: an empty sequence is null in HDF5, but an empty text is not} */
    static boolean isNull(DataType type, int length) {
        return length == 0 && type.kind() != DataType.Kind.TEXT;
    }

    /**
     * Refuses contents that are not valid in HDF5.
     *
     * @throws StoreException if a text is not UTF-8, or has a zero, where readers of HDF5 end it
     */
    static void requireStorable(DataType type, ByteBuffer contents) throws StoreException {
        if (type.kind() != DataType.Kind.TEXT) {
            return;
        }
        if (!Utf8.isValid(contents)) {
            throw new StoreException("a text is not valid UTF-8");
        }
        for (int at = contents.position(); at < contents.limit(); at++) {
            if (contents.get(at) == 0) {
                throw new StoreException("a text contains U+0000, where readers of HDF5 end it: \""
                        + StandardCharsets.UTF_8.decode(contents.duplicate().limit(Math.min(at + 40, contents.limit())))
                        + "\"; write to another format");
            }
        }
    }

    /** The elements of one write unit. */
    final class Elements implements Unit {
        private final ByteBuffer references;
        private final ByteBuffer objects;
        private int first;
        private int end;
        private int count;
        private int empty;
        private long storedBytes;

        Elements(ByteBuffer references, ByteBuffer objects) {
            this.references = references.duplicate().order(ByteOrder.LITTLE_ENDIAN);
            this.objects = objects.position(GlobalHeap.HEAD);
        }

        @Override
        public void add(ByteBuffer elements, int at) throws IOException {
            ByteBuffer contents = contents(elements, type, itemSize);
            int length = contents.remaining();
            requireStorable(type, contents);
            if (isNull(type, length)) {
                put(at, 0, 0, 0);
                return;
            }
            if (length == 0 && empty > 0) {
                end = at + TextSink.REFERENCE;
                put(at, 0, 0, empty);
                return;
            }
            long size = GlobalHeap.HEAD + padded(length);
            storedBytes += size;
            if (GlobalHeap.HEAD + size > COLLECTION) {
                put(at, length, writeAlone(contents), 1);
                return;
            }
            if (objects.remaining() < size) {
                close();
            }
            first = count == 0 ? at : first;
            end = at + TextSink.REFERENCE;
            count++;
            empty = length == 0 ? count : empty;
            putObject(objects, count, length);
            objects.put(contents).put(new byte[(int) padded(length) - length]);
            put(at, length, 0, count);
        }

        private void put(int at, int length, long collection, int object) {
            references.putInt(at, length / itemSize);
            references.putLong(at + Integer.BYTES, collection);
            references.putInt(at + Integer.BYTES + Long.BYTES, object);
        }

        /** Writes a collection of one object; {@return its address} */
        private long writeAlone(ByteBuffer contents) throws IOException {
            int length = contents.remaining();
            long size = 2L * GlobalHeap.HEAD + padded(length);
            long address = file.allocate(size);
            ByteBuffer head = ByteBuffer.allocate(2 * GlobalHeap.HEAD).order(ByteOrder.LITTLE_ENDIAN);
            putHead(head, size);
            putObject(head, 1, length);
            file.write(address, head.flip());
            file.write(address + head.limit(), contents);
            file.write(address + head.limit() + length, ByteBuffer.allocate((int) padded(length) - length));
            return address;
        }

        @Override
        public long finish() throws IOException {
            close();
            return storedBytes;
        }

        private void close() throws IOException {
            if (objects.position() < GlobalHeap.MIN_COLLECTION) {
                share();
            } else {
                int size = objects.position();
                long address = file.allocate(size);
                putHead(objects.position(0), size);
                file.write(address, objects.position(0).limit(size));
                for (int at = next(first); at < end; at = next(at + TextSink.REFERENCE)) {
                    references.putLong(at + Integer.BYTES, address);
                }
            }
            objects.clear().position(GlobalHeap.HEAD);
            count = 0;
            empty = 0;
            end = 0;
        }

        /** Moves all objects to the shared collection. */
        private void share() throws IOException {
            objects.flip().position(GlobalHeap.HEAD);
            byte[] toEmpty = new byte[TextSink.REFERENCE];
            int moved = 0;
            synchronized (shared) {
                for (int at = next(first); at < end; at = next(at + TextSink.REFERENCE)) {
                    if (object(at) <= moved) {
                        references.put(at, toEmpty);
                        continue;
                    }
                    moved++;
                    int length = (int) objects.getLong(objects.position() + WORD);
                    byte[] contents = new byte[length];
                    objects.get(objects.position() + GlobalHeap.HEAD, contents);
                    objects.position(objects.position() + GlobalHeap.HEAD + (int) padded(length));
                    byte[] reference = shared.put(contents, length / itemSize).toArray();
                    references.put(at, reference);
                    toEmpty = length == 0 ? reference : toEmpty;
                }
            }
        }

        private int object(int at) {
            return references.getInt(at + Integer.BYTES + Long.BYTES);
        }

        /** {@return the position of the first reference from {@code at} on whose collection has no address yet} */
        private int next(int at) {
            int next = at;
            while (next < end && (object(next) == 0 || references.getLong(next + Integer.BYTES) != 0)) {
                next += TextSink.REFERENCE;
            }
            return next;
        }
    }

    private static void putHead(ByteBuffer collection, long size) {
        collection.put(GlobalHeap.SIGNATURE).putInt(1).putLong(size);
    }

    private static void putObject(ByteBuffer objects, int number, int length) {
        objects.putShort((short) number).putShort((short) 0).putInt(0).putLong(length);
    }

    private static long padded(long length) {
        return (length + WORD - 1) / WORD * WORD;
    }
}
