package dev.rechunker.exec;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.NestedLayout;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import java.util.List;

/**
 * Where pieces lie in the value of a slab: window after window, in a window piece after piece, in a piece the elements
 * in C order. So what a window needs of a slab lies together.
 */
final class SlabLayout {
    private final ChunkGrid slabs;
    private final ChunkGrid parts;
    private final ChunkGrid pieces;
    private final int itemSize;
    private final List<Integer> order;

    /**
     * Lays out slabs.
     *
     * @param pieces cross neither a slab nor a window
     */
    SlabLayout(ChunkGrid slabs, ChunkGrid windows, ChunkGrid pieces, int itemSize) {
        this.slabs = slabs;
        this.parts = slabs.combine(windows, Partition::refine);
        this.pieces = pieces;
        this.itemSize = itemSize;
        this.order = Odometer.naturalOrder(slabs.rank());
    }

    /** {@return the slab that a piece is part of} */
    Region slab(Region piece) {
        return slabs.region(slabs.chunksTouching(piece).origin());
    }

    /** {@return the bytes of a region} */
    long bytes(Region region) {
        return region.elements() * itemSize;
    }

    /** {@return the bytes before a piece in the value of its slab} */
    long offset(Region piece) {
        long[] part = parts.chunksTouching(piece).origin();
        long[] index = pieces.chunksTouching(piece).origin();
        long elements = new NestedLayout(parts, slab(piece), order).offset(part)
                + new NestedLayout(pieces, parts.region(part), order).offset(index);
        return elements * itemSize;
    }

    /** {@return the name of a slab among those of its block} */
    String name(Region slab) {
        return String.valueOf(slabs.ordinal(slabs.chunksTouching(slab).origin()));
    }
}
