package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.io.file.PartFile;
import dev.rechunker.io.hdf5.format.ReferencePath;
import dev.rechunker.io.hdf5.format.ReferredRegion;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Elements that are references to regions of datasets, which are texts outside of the file. Each refers to an object of
 * the global heap, which is the address of the dataset and the selection.
 */
final class RegionElements implements OutsideElements {
    /** The size of an element in the file: the address of a heap, and the number of an object in it. */
    static final int SIZE = Long.BYTES + Integer.BYTES;

    /** The memory that a thread takes to write or read elements, in bytes. */
    static final long SCRATCH_BYTES = HeapCollection.SCRATCH_BYTES + ReferredRegion.WORK_BYTES;

    private final PartFile file;
    private final ObjectAddresses objects;
    private final DataType type;
    private final String group;
    private final GlobalHeap heap;

    /**
     * Creates the elements of an array.
     *
     * @param group the path of the group of the array
     */
    RegionElements(PartFile file, ObjectAddresses objects, DataType type, String group) {
        this.file = file;
        this.objects = objects;
        this.type = type;
        this.group = group;
        this.heap = new GlobalHeap(file);
    }

    /**
     * {@return the reference to a region with a text}
     *
     * @param heap stores what it refers to
     * @param address finds the address of the dataset
     */
    static MessageBytes reference(String text, TextSink heap, Addresses address) throws IOException {
        if (text.isEmpty()) {
            return new MessageBytes().zeros(SIZE);
        }
        ReferencePath.Region region = ReferencePath.Region.parse(text);
        MessageBytes contents =
                new MessageBytes().u64(address.of(region.path())).put(ReferredRegion.bytes(region.region()));
        byte[] withCount = heap.put(contents.toArray()).toArray();
        return new MessageBytes().put(Arrays.copyOfRange(withCount, Integer.BYTES, withCount.length));
    }

    /** Finds the address of the object that a text refers to. */
    @FunctionalInterface
    interface Addresses {
        long of(String path) throws StoreException;
    }

    @Override
    public Unit elements(ByteBuffer references, Scratch scratch) {
        ByteBuffer stored = references.duplicate();
        return new Unit() {
            @Override
            public void add(ByteBuffer elements, int at) throws IOException {
                String text = ReferenceElements.text(elements, type);
                synchronized (heap) {
                    stored.put(
                            at,
                            reference(text, heap, path -> objects.of(group, path))
                                    .toArray());
                }
            }

            @Override
            public long finish() {
                return 0;
            }
        };
    }

    @Override
    public void flush() throws IOException {
        synchronized (heap) {
            heap.flush();
        }
    }

    @Override
    public Reader reader(Scratch scratch) {
        HeapCollection collection = new HeapCollection(file, scratch);
        return (references, target) -> {
            ByteBuffer from = references.order(ByteOrder.LITTLE_ENDIAN);
            while (from.hasRemaining()) {
                long address = from.getLong();
                int object = from.getInt();
                ReferenceElements.put(address == 0 ? "" : text(collection.object(address, object)), type, target);
            }
        };
    }

    private String text(ByteBuffer contents) throws StoreException {
        String path = objects.text(group, contents.getLong());
        return new ReferencePath.Region(ReferredRegion.of(contents), path).toString();
    }
}
