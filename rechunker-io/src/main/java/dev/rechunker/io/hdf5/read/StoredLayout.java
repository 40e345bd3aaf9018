package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import java.util.List;

/** The location of the elements of a dataset. */
sealed interface StoredLayout {
    /**
     * Contiguous elements in C order.
     *
     * @param address the first byte, or {@link FileMetadata#UNDEFINED} if nothing was ever written
     */
    record Whole(long address) implements StoredLayout {}

    /**
     * Chunks, each contiguous and of the nominal shape, also at the end of the array.
     *
     * @param index the kind of index
     * @param address the address of the index, or {@link FileMetadata#UNDEFINED} if nothing was ever written
     * @param maxShape the largest shape of the array; {@link FileMetadata#UNDEFINED} for an unlimited axis
     * @param plainEdges whether partial chunks at the end of the array are not filtered
     * @param singleSize the stored size of the only chunk in bytes, if {@code index} is {@link Index#SINGLE}
     * @param singleMask the filter mask of the only chunk
     */
    record Chunks(Index index, long address, List<Long> maxShape, boolean plainEdges, long singleSize, int singleMask)
            implements StoredLayout {
        /** Copies the list. */
        public Chunks {
            maxShape = List.copyOf(maxShape);
        }
    }

    /** The kind of a chunk index. */
    enum Index {
        /** A B-tree of version 1. */
        TREE_1,
        /** The address is that of the only chunk. */
        SINGLE,
        /** Chunks are contiguous, in C order. */
        IMPLICIT,
        /** An array with an element for every chunk. */
        FIXED_ARRAY,
        /** An array that is extensible along one axis. */
        EXTENSIBLE_ARRAY,
        /** A B-tree of version 2. */
        TREE_2;

        /** {@return the kind with a number in layout messages of version 4} */
        static Index of(int number) throws StoreException {
            return switch (number) {
                case 1 -> SINGLE;
                case 2 -> IMPLICIT;
                case 3 -> FIXED_ARRAY;
                case 4 -> EXTENSIBLE_ARRAY;
                case 5 -> TREE_2;
                default -> throw new StoreException("a chunk index of type " + number + " is not supported");
            };
        }
    }
}
