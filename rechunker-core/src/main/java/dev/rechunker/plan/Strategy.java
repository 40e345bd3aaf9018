package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;

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
     * assembles the windows from it. Goes block by block, so that there is never more spill than a block.
     *
     * @param slabs whole source chunks each
     * @param windows whole write units each
     * @param blocks regions that neither a slab nor a window crosses
     * @param residentBytes how much of a block's copy, from its first window on, stays in memory
     */
    record Spill(ChunkGrid slabs, ChunkGrid windows, ChunkGrid blocks, long residentBytes) implements Strategy {}
}
