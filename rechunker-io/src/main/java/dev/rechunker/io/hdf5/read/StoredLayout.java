package dev.rechunker.io.hdf5.read;

import dev.rechunker.store.StoreException;
import java.util.List;

/** Where the elements of a dataset are. */
sealed interface StoredLayout {
    /**
     * In one piece, in C order.
     *
     * @param address the first byte, or {@link FileMetadata#UNDEFINED} if nothing was ever written
     */
    record Whole(long address) implements StoredLayout {}

    /**
     * In chunks, each in one piece, at the array's ends too in its nominal shape.
     *
     * @param index how they are found
     * @param address of the index, or {@link FileMetadata#UNDEFINED} if nothing was ever written
     * @param maxShape the largest shape that the array may get, {@link FileMetadata#UNDEFINED} on an unlimited axis
     * @param plainEdges whether chunks at the array's ends are not filtered
     * @param singleSize the stored bytes of the only chunk, if {@code index} is {@link Index#SINGLE}
     * @param singleMask the filters that it went without
     */
    record Chunks(Index index, long address, List<Long> maxShape, boolean plainEdges, long singleSize, int singleMask)
            implements StoredLayout {
        /** Takes a copy. */
        public Chunks {
            maxShape = List.copyOf(maxShape);
        }
    }

    /** How chunks are found. */
    enum Index {
        /** A B-tree of version 1. */
        TREE_1,
        /** The address is that of the only chunk. */
        SINGLE,
        /** Chunks lie one behind the other. */
        IMPLICIT,
        /** An array with an element for every chunk. */
        FIXED_ARRAY,
        /** An array that grows along one axis. */
        EXTENSIBLE_ARRAY,
        /** A B-tree of version 2. */
        TREE_2;

        /** {@return the index that a layout message of version 4 names by its number} */
        static Index of(int number) throws StoreException {
            return switch (number) {
                case 1 -> SINGLE;
                case 2 -> IMPLICIT;
                case 3 -> FIXED_ARRAY;
                case 4 -> EXTENSIBLE_ARRAY;
                case 5 -> TREE_2;
                default -> throw new StoreException("an index of chunks of kind " + number + " is not supported");
            };
        }
    }
}
