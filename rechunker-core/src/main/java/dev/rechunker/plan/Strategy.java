package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import java.util.List;

/** A way to get an array from one grid into another; says which regions are in memory at once. */
public sealed interface Strategy {
    /** {@return the name: {@code CopyEncoded}, {@code Window}, {@code Sweep} or {@code Spill}} */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Copies encoded chunks as they are, because nothing about them changes.
     *
     * @param tasks groups of chunks
     */
    record CopyEncoded(ChunkGrid tasks) implements Strategy {}

    /**
     * Assembles one window of the target after the other in memory. A source chunk is read once for each window it
     * touches.
     *
     * @param windows whole write units each
     */
    record Window(ChunkGrid windows) implements Strategy {}

    /**
     * Goes along one axis of regions that are larger than memory, holding only the write units that some but not all of
     * their source chunks have arrived for. A source chunk is read once for each region it touches.
     *
     * @param windows the regions
     * @param axis the axis along which each is swept
     */
    record Sweep(ChunkGrid windows, int axis) implements Strategy {}

    /**
     * Reads the source once, slab by slab, writing the pieces to a temporary copy in the order of the windows; then
     * assembles the windows from it. Where pieces would be too small, they are regrouped once or more on the way: the
     * windows of a copy are the slabs of the next.
     *
     * @param slabs whole source chunks each
     * @param copies the temporary copies, the first to be written first; the windows of the last are whole write units
     * @param residentBytes how much of a block's copy, from its first window on, stays in memory; 0 if there is more
     *     than one copy, or if it is compressed
     * @param compressed whether the pieces of the copies are
     */
    record Spill(ChunkGrid slabs, List<Copy> copies, long residentBytes, boolean compressed) implements Strategy {
        /** Takes a copy of the list. */
        public Spill {
            copies = List.copyOf(copies);
        }

        /** {@return what is read back at once in the end: whole write units each} */
        public ChunkGrid windows() {
            return copies.get(copies.size() - 1).windows();
        }

        /** {@return regions that nothing crosses: one is done after the other} */
        public ChunkGrid blocks() {
            return copies.get(0).blocks();
        }

        /**
         * A temporary copy. Goes block by block, so that there is never more of it than a block.
         *
         * @param windows what is read back at once
         * @param blocks regions that no window of this copy or a later one crosses, nor what is written to it at once
         */
        public record Copy(ChunkGrid windows, ChunkGrid blocks) {}
    }
}
