package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads the chunk index of a dataset, of any kind. */
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

    /** Receives every chunk that was written. */
    interface Visitor {
        /**
         * Receives a chunk.
         *
         * @param index the index of the chunk in the grid
         * @param position the position of the chunk in the file
         * @param size the stored size of a filtered chunk in bytes, or 0 if chunks are not filtered
         * @param mask a bit for each filter that was not applied
         */
        void chunk(long[] index, long position, long size, int mask) throws StoreException;
    }

    private IndexLoader(FileMetadata file, Dataset dataset, StoredLayout.Chunks layout, Visitor visitor) {
        this.file = file;
        this.grid = dataset.chunks();
        this.layout = layout;
        this.filtered = !dataset.filters().isEmpty();
        this.chunkBytes = grid.chunkShape().elements() * dataset.type().type().itemSize();
        this.visitor = visitor;
    }

    /** {@return the index, in memory} */
    static ChunkIndex load(FileMetadata file, Dataset dataset, StoredLayout.Chunks layout) throws IOException {
        ChunkIndex index = new ChunkIndex(dataset.chunks(), !dataset.filters().isEmpty());
        visit(file, dataset, layout, index);
        return index;
    }

    /** Visits every chunk, without keeping anything in memory. */
    static void visit(FileMetadata file, Dataset dataset, StoredLayout.Chunks layout, Visitor visitor)
            throws IOException {
        if (layout.address() != FileMetadata.UNDEFINED && dataset.chunks().count() > 0) {
            new IndexLoader(file, dataset, layout, visitor).load();
        }
    }

    private void load() throws IOException {
        long address = layout.address();
        switch (layout.index()) {
            case TREE_1 -> visitTree1(address);
            case TREE_2 -> visitTree2(address);
            case SINGLE ->
                report(
                        new long[grid.rank()],
                        address,
                        filtered ? layout.singleSize() : chunkBytes,
                        layout.singleMask());
            case IMPLICIT -> visitImplicit(address);
            case FIXED_ARRAY -> ArrayIndex.visitFixed(file, address, filtered, this::reportElement);
            case EXTENSIBLE_ARRAY -> ArrayIndex.visitExtensible(file, address, filtered, this::reportElement);
        }
    }

    /**
     * Visits a B-tree of version 1. A key has the stored size (4 bytes), the mask (4), and the origin of the chunk and
     * a zero (8 each).
     */
    private void visitTree1(long address) throws IOException {
        int rank = grid.rank();
        BTree1.walk(file, address, TREE_1_CHUNKS, 8 + 8 * (rank + 1), (key, chunk) -> {
            long size = key.getInt(0) & 0xFFFFFFFFL;
            long[] at = new long[rank];
            for (int axis = 0; axis < rank; axis++) {
                long origin = key.getLong(8 + 8 * axis);
                if (origin < 0 || origin % grid.axis(axis).step() != 0) {
                    throw new StoreException("a chunk has its origin at " + origin + " on axis " + axis
                            + ", which is not a multiple of the chunk extent");
                }
                at[axis] = origin / grid.axis(axis).step();
            }
            report(at, chunk, size, key.getInt(4));
        });
    }

    /**
     * Visits a B-tree of version 2. A record has the address (8 bytes); for filtered chunks, the stored size and the
     * mask (4); and the index of the chunk (8 each).
     */
    private void visitTree2(long address) throws IOException {
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
            report(at, chunk, size, mask);
        });
    }

    private static long size(ByteBuffer bytes, int count) throws StoreException {
        if (count < 1 || count > Long.BYTES) {
            throw new StoreException("chunk sizes of " + count + " bytes in an index are not valid");
        }
        return ObjectHeader.number(bytes, count);
    }

    private void visitImplicit(long address) throws StoreException {
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
            if (file.position(chunk) > file.size() - chunkBytes) {
                throw new StoreException("the file is cut off before the end of chunk " + ordinal);
            }
            report(found, chunk, chunkBytes, 0);
        }
    }

    /** {@return the number of chunks on each axis for the largest shape of the array; 1 for an unlimited axis} */
    private long[] maxCounts() throws StoreException {
        List<Long> max = layout.maxShape();
        long[] counts = new long[grid.rank()];
        for (int axis = 0; axis < counts.length; axis++) {
            long step = grid.axis(axis).step();
            counts[axis] = max.get(axis) == FileMetadata.UNDEFINED ? 1 : (max.get(axis) - 1) / step + 1;
            if (max.get(axis) != FileMetadata.UNDEFINED
                    && max.get(axis) < grid.axis(axis).length()) {
                throw new StoreException(
                        "axis " + axis + " has more than its maximum of " + max.get(axis) + " elements");
            }
        }
        return counts;
    }

    /**
     * Reports an element of an array index. Elements are numbered in C order over the chunks of the largest shape, with
     * the unlimited axis first.
     */
    private void reportElement(long number, ByteBuffer bytes, int elementSize) throws IOException {
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
            throw new StoreException(
                    "the index has a chunk " + number + ", which is beyond the largest shape of the array");
        }
        report(at, chunk, size, mask);
    }

    /** Reports a chunk. Ignores a chunk outside of the grid, which remains in the index when an array shrinks. */
    private void report(long[] at, long address, long size, int mask) throws StoreException {
        for (int axis = 0; axis < at.length; axis++) {
            if (at[axis] < 0 || at[axis] >= grid.axis(axis).count()) {
                return;
            }
        }
        if (!filtered && (size != chunkBytes || mask != 0)) {
            throw new StoreException("a chunk without filters has " + size + " bytes instead of " + chunkBytes);
        }
        if (address != FileMetadata.UNDEFINED) {
            visitor.chunk(at, file.position(address), filtered ? size : 0, mask);
        }
    }
}
