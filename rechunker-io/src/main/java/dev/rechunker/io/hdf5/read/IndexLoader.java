package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Goes through the index of a dataset's chunks, of whichever kind it is. */
final class IndexLoader {
    private static final int TREE_1_CHUNKS = 1;
    private static final int TREE_2_PLAIN = 10;
    private static final int TREE_2_FILTERED = 11;

    private final FileMetadata file;
    private final ChunkGrid grid;
    private final StoredLayout.Chunks layout;
    private final boolean filtered;
    private final long chunkBytes;
    private final Visitor visitor;

    /** What is told of every chunk that was written. */
    interface Visitor {
        /**
         * Takes note of a chunk.
         *
         * @param index of the chunk in the grid
         * @param place of its first byte in the file
         * @param size the stored bytes of a chunk that is filtered, else 0
         * @param mask a bit for each filter that it went without
         */
        void chunk(long[] index, long place, long size, int mask) throws StoreException;
    }

    private IndexLoader(FileMetadata file, Dataset dataset, StoredLayout.Chunks layout, Visitor visitor) {
        this.file = file;
        this.grid = dataset.chunks();
        this.layout = layout;
        this.filtered = !dataset.filters().isEmpty();
        this.chunkBytes = grid.chunkShape().elements() * dataset.type().type().itemSize();
        this.visitor = visitor;
    }

    /** {@return the index, held in memory} */
    static ChunkIndex load(FileMetadata file, Dataset dataset, StoredLayout.Chunks layout) throws IOException {
        ChunkIndex index = new ChunkIndex(dataset.chunks(), !dataset.filters().isEmpty());
        visit(file, dataset, layout, index);
        return index;
    }

    /** Tells of every chunk, and holds nothing. */
    static void visit(FileMetadata file, Dataset dataset, StoredLayout.Chunks layout, Visitor visitor)
            throws IOException {
        if (layout.address() != FileMetadata.UNDEFINED && dataset.chunks().count() > 0) {
            new IndexLoader(file, dataset, layout, visitor).load();
        }
    }

    private void load() throws IOException {
        long address = layout.address();
        switch (layout.index()) {
            case TREE_1 -> tree1(address);
            case TREE_2 -> tree2(address);
            case SINGLE ->
                put(new long[grid.rank()], address, filtered ? layout.singleSize() : chunkBytes, layout.singleMask());
            case IMPLICIT -> implicit(address);
            case FIXED_ARRAY -> ArrayIndex.fixed(file, address, filtered, this::element);
            case EXTENSIBLE_ARRAY -> ArrayIndex.extensible(file, address, filtered, this::element);
        }
    }

    /** A key is: stored bytes (4), mask (4), origin of the chunk and a zero (8 each). */
    private void tree1(long address) throws IOException {
        int rank = grid.rank();
        BTree1.walk(file, address, TREE_1_CHUNKS, 8 + 8 * (rank + 1), (key, chunk) -> {
            long size = key.getInt(0) & 0xFFFFFFFFL;
            long[] at = new long[rank];
            for (int axis = 0; axis < rank; axis++) {
                long origin = key.getLong(8 + 8 * axis);
                if (origin < 0 || origin % grid.axis(axis).step() != 0) {
                    throw new StoreException("a chunk at " + origin + " on axis " + axis + " cannot be");
                }
                at[axis] = origin / grid.axis(axis).step();
            }
            put(at, chunk, size, key.getInt(4));
        });
    }

    /** A record is: address (8); if filtered, stored bytes and mask (4); index of the chunk (8 each). */
    private void tree2(long address) throws IOException {
        int rank = grid.rank();
        int type = filtered ? TREE_2_FILTERED : TREE_2_PLAIN;
        BTree2.walk(file, address, type, filtered ? 0 : FileMetadata.WORD * (1 + rank), record -> {
            int sizeBytes = record.limit() - FileMetadata.WORD * (1 + rank) - Integer.BYTES;
            long chunk = record.getLong();
            long size = filtered ? size(record, sizeBytes) : chunkBytes;
            int mask = filtered ? record.getInt() : 0;
            long[] at = new long[rank];
            for (int axis = 0; axis < rank; axis++) {
                at[axis] = record.getLong();
            }
            put(at, chunk, size, mask);
        });
    }

    private static long size(ByteBuffer bytes, int count) throws StoreException {
        if (count < 1 || count > Long.BYTES) {
            throw new StoreException("the sizes of chunks take " + count + " bytes");
        }
        return ObjectHeader.number(bytes, count);
    }

    private void implicit(long address) throws StoreException {
        if (filtered) {
            throw new StoreException("an implicit index of filtered chunks is not supported");
        }
        long[] maxCounts = maxCounts();
        for (long ordinal = 0; ordinal < grid.count(); ordinal++) {
            long[] found = grid.index(ordinal);
            long number = 0;
            for (int axis = 0; axis < found.length; axis++) {
                number = Math.addExact(Math.multiplyExact(number, maxCounts[axis]), found[axis]);
            }
            long chunk = Math.addExact(address, Math.multiplyExact(number, chunkBytes));
            if (file.place(chunk) > file.size() - chunkBytes) {
                throw new StoreException("the file is cut off before chunk " + ordinal);
            }
            put(found, chunk, chunkBytes, 0);
        }
    }

    /** {@return the number of chunks on each axis when the array is as large as it may get; 1 on an unlimited one} */
    private long[] maxCounts() throws StoreException {
        List<Long> max = layout.maxShape();
        long[] counts = new long[grid.rank()];
        for (int axis = 0; axis < counts.length; axis++) {
            long step = grid.axis(axis).step();
            counts[axis] = max.get(axis) == FileMetadata.UNDEFINED ? 1 : (max.get(axis) - 1) / step + 1;
            if (max.get(axis) != FileMetadata.UNDEFINED
                    && max.get(axis) < grid.axis(axis).length()) {
                throw new StoreException("axis " + axis + " is longer than it may get: " + max.get(axis));
            }
        }
        return counts;
    }

    /**
     * Notes an element of an array. They are numbered in C order over the largest grid that may get, the unlimited axis
     * put first.
     */
    private void element(long number, ByteBuffer bytes, int elementSize) throws IOException {
        long chunk = bytes.getLong();
        if (chunk == FileMetadata.UNDEFINED) {
            return;
        }
        long size = filtered ? size(bytes, elementSize - FileMetadata.WORD - Integer.BYTES) : chunkBytes;
        int mask = filtered ? bytes.getInt() : 0;
        List<Long> max = layout.maxShape();
        long[] counts = maxCounts();
        long[] at = new long[counts.length];
        int unlimited = -1;
        long rest = number;
        for (int axis = counts.length - 1; axis >= 0; axis--) {
            if (max.get(axis) == FileMetadata.UNDEFINED) {
                unlimited = axis;
            } else {
                at[axis] = rest % counts[axis];
                rest /= counts[axis];
            }
        }
        if (unlimited >= 0) {
            at[unlimited] = rest;
        } else if (rest > 0) {
            throw new StoreException("chunk " + number + " is more than there may be");
        }
        put(at, chunk, size, mask);
    }

    /** Notes a chunk; one outside of the grid was left behind when the array shrank, and is ignored. */
    private void put(long[] at, long address, long size, int mask) throws StoreException {
        for (int axis = 0; axis < at.length; axis++) {
            if (at[axis] < 0 || at[axis] >= grid.axis(axis).count()) {
                return;
            }
        }
        if (!filtered && (size != chunkBytes || mask != 0)) {
            throw new StoreException("a chunk has " + size + " bytes where " + chunkBytes + " belong");
        }
        if (address != FileMetadata.UNDEFINED) {
            visitor.chunk(at, file.place(address), filtered ? size : 0, mask);
        }
    }
}
