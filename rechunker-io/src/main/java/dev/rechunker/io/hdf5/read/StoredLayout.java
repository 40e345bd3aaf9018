package dev.rechunker.io.hdf5.read;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.io.hdf5.format.Hdf5Names;
import dev.rechunker.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The location of the elements of a dataset. */
sealed interface StoredLayout {
    /** {@return the axes that may grow without a limit} */
    default Set<Integer> unlimitedAxes() {
        return Set.of();
    }

    /**
     * Contiguous elements in C order.
     *
     * @param address the first byte, or {@link FileMetadata#UNDEFINED} if nothing was ever written
     */
    record Whole(long address) implements StoredLayout {}

    /** Contiguous elements in C order that are in other files. */
    record External(ExternalFiles files) implements StoredLayout {}

    /**
     * Elements of other datasets.
     *
     * @param mappings which of them are where; of two at one place, the later one is there
     * @param unlimitedAxes the axes that may grow without a limit
     */
    record Virtual(List<VirtualMapping> mappings, Set<Integer> unlimitedAxes) implements StoredLayout {
        /** Copies the list and the set. */
        public Virtual {
            mappings = List.copyOf(mappings);
            unlimitedAxes = Set.copyOf(unlimitedAxes);
        }
    }

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

        @Override
        public Set<Integer> unlimitedAxes() {
            return IntStream.range(0, maxShape.size())
                    .filter(axis -> maxShape.get(axis) == FileMetadata.UNDEFINED)
                    .boxed()
                    .collect(Collectors.toSet());
        }

        /**
         * {@return the largest shape as a hint; empty if no axis has a limit beyond its extent, or beyond its chunk
         * where that is larger, which is the least that the format allows}
         */
        Optional<String> limits(ChunkGrid chunks) {
            boolean isLimited = IntStream.range(0, maxShape.size())
                    .anyMatch(axis -> maxShape.get(axis)
                            > Math.max(
                                    chunks.axis(axis).length(),
                                    chunks.axis(axis).step()));
            return isLimited
                    ? Optional.of(maxShape.stream()
                            .map(extent ->
                                    extent == FileMetadata.UNDEFINED ? Hdf5Names.UNLIMITED : Long.toString(extent))
                            .collect(Collectors.joining(",")))
                    : Optional.empty();
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
