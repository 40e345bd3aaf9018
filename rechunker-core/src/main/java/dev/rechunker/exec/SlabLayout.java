package dev.rechunker.exec;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.order.NestedLayout;
import dev.rechunker.order.Odometer;
import java.util.List;

/**
 * The layout of pieces in the value of a slab: window after window, piece after piece in a window, and the elements of
 * a piece in C order. So the part of a slab that a window needs is contiguous.
 */
final class SlabLayout {
    private final ChunkGrid slabs;
    private final ChunkGrid parts;
    private final ChunkGrid pieces;
    private final int itemSize;
    private final List<Integer> order;

    /**
     * Creates the layout.
     *
     * @param pieces the pieces, which do not cross slabs or windows
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

    /** {@return the size of a region in bytes} */
    long bytes(Region region) {
        return region.elements() * itemSize;
    }

    /** {@return the offset of a piece in the value of its slab, in bytes} */
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
