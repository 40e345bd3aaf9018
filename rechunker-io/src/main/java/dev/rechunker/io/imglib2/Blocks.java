package dev.rechunker.io.imglib2;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import net.imglib2.FinalInterval;
import net.imglib2.Interval;

/** Cuts regions into blocks of at most so many pixels that lie one behind the other, and turns axes round. */
final class Blocks {
    /** The most pixels that pass at once: enough to outweigh the start of a transfer. */
    static final int PIXELS = 1 << 14;

    private Blocks() {}

    /** Takes a block. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes the next block.
         *
         * @param block a region of the array
         * @param before the elements of the whole region that lie before it
         */
        void visit(Region block, long before);
    }

    /** Goes through the blocks of a region, in C order. */
    static void forEach(Region region, Visitor visitor) {
        ChunkGrid grid = ChunkGrid.regular(region.shape(), leading(region.shape(), PIXELS));
        Odometer index = new Odometer(Region.whole(grid.counts()));
        long before = 0;
        while (index.next()) {
            Region part = grid.region(index.index());
            visitor.visit(moved(part, region), before);
            before += part.elements();
        }
    }

    /** {@return the largest box of at most so many elements whose elements lie together in a dense array} */
    static Shape leading(Shape shape, long most) {
        long[] extents = new long[shape.rank()];
        long left = Math.max(1, most);
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            long extent = Math.max(1, shape.extent(axis));
            extents[axis] = Math.min(extent, left);
            left = extents[axis] < extent ? 1 : left / extents[axis];
        }
        return Shape.of(extents);
    }

    private static Region moved(Region part, Region origin) {
        long[] start = part.origin();
        for (int axis = 0; axis < start.length; axis++) {
            start[axis] += origin.start(axis);
        }
        return Region.of(start, part.shape());
    }

    /** {@return the part of an image that a region of its array is} */
    static Interval interval(Region region, Interval image) {
        int axes = region.rank();
        long[] min = new long[axes];
        long[] max = new long[axes];
        for (int d = 0; d < axes; d++) {
            int axis = axes - 1 - d;
            min[d] = image.min(d) + region.start(axis);
            max[d] = min[d] + region.extent(axis) - 1;
        }
        return new FinalInterval(min, max);
    }

    /** {@return the same numbers in the order of the other side} */
    static long[] reversed(long[] values) {
        long[] reversed = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            reversed[i] = values[values.length - 1 - i];
        }
        return reversed;
    }

    /**
     * Refuses an image without axes, of which ImgLib2 copies no blocks.
     *
     * @throws IllegalArgumentException if it has none
     */
    static void requireAxes(Interval image) {
        if (image.numDimensions() == 0) {
            throw new IllegalArgumentException(
                    "an image of one pixel that has no axes cannot be copied; Views.addDimension(image, 0, 0) has one");
        }
    }

    /** {@return the shape of an image as an array} */
    static Shape shape(Interval image) {
        return Shape.of(reversed(image.dimensionsAsLongArray()));
    }
}
