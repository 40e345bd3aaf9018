package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import java.util.List;
import java.util.OptionalInt;

/**
 * A way to copy an array from one grid into another: which regions are in memory at once, and what is written on the
 * way. A strategy says here whatever others have to know of it; its drafter, in this package, says what it takes.
 */
public sealed interface Strategy {
    /** {@return the name of the strategy, which is printed and never changes} */
    String name();

    /** {@return whether chunks are decoded} */
    default boolean decodes() {
        return true;
    }

    /** {@return the axis along which each window is traversed in slices of write units, if it is} */
    default OptionalInt sweptAxis() {
        return OptionalInt.empty();
    }

    /** {@return the temporary copies, the first to be written first; none if the source is copied to the target} */
    default List<Copy> copies() {
        return List.of();
    }

    /** {@return how many bytes of the temporary copy of a block, from its first window on, stay in memory} */
    default long residentBytes() {
        return 0;
    }

    /** {@return whether the pieces of temporary copies are compressed} */
    default boolean compressed() {
        return false;
    }

    /**
     * A temporary copy. It is written and read block by block, so that there is never more of it than a block.
     *
     * @param windows the regions that are read back at once
     * @param blocks regions that are crossed by no window of this copy or a later one, nor by what is written at once
     */
    record Copy(ChunkGrid windows, ChunkGrid blocks) {}

    /**
     * Copies encoded chunks as they are, because nothing about them changes, except for the shards that they are in.
     *
     * @param tasks groups of write units
     */
    record CopyEncoded(ChunkGrid tasks) implements Strategy {
        @Override
        public String name() {
            return "CopyEncoded";
        }

        @Override
        public boolean decodes() {
            return false;
        }
    }

    /**
     * Assembles one window of the target after the other in memory. A source chunk is read once for each window it
     * touches.
     *
     * @param windows groups of whole write units
     */
    record Window(ChunkGrid windows) implements Strategy {
        @Override
        public String name() {
            return "Window";
        }
    }

    /**
     * Goes along one axis of regions that are larger than memory, holding only the write units of which some but not
     * all source chunks have arrived. A source chunk is read once for each region it touches.
     *
     * @param windows the regions
     * @param axis the axis along which each is swept
     */
    record Sweep(ChunkGrid windows, int axis) implements Strategy {
        @Override
        public String name() {
            return "Sweep";
        }

        @Override
        public OptionalInt sweptAxis() {
            return OptionalInt.of(axis);
        }
    }

    /**
     * Reads the source once, slab by slab, writing the pieces to a temporary copy in the order of the windows; then
     * assembles the windows from it. Where pieces would be too small, they are regrouped once or more on the way: the
     * windows of a copy are the slabs of the next.
     *
     * @param slabs groups of whole source chunks
     * @param copies the temporary copies; the windows of the last are groups of whole write units
     * @param residentBytes 0 if there is more than one copy, or if it is compressed
     */
    record Spill(ChunkGrid slabs, List<Copy> copies, long residentBytes, boolean compressed) implements Strategy {
        /** Takes a copy of the list. */
        public Spill {
            copies = List.copyOf(copies);
        }

        @Override
        public String name() {
            return "Spill";
        }

        /** {@return the regions that are assembled in the end: groups of whole write units} */
        public ChunkGrid windows() {
            return copies.get(copies.size() - 1).windows();
        }

        /** {@return regions that nothing crosses: one is done after the other} */
        public ChunkGrid blocks() {
            return copies.get(0).blocks();
        }
    }
}
