package dev.rechunker.io.imglib2;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import net.imglib2.FinalInterval;
import net.imglib2.Interval;

/**
 * Divides regions into blocks of at most {@link #PIXELS} adjacent pixels, and converts between the two orders of axes.
 */
final class PixelBlocks {
    /** The maximum number of pixels in one transfer: enough to make the cost of starting a transfer small. */
    static final int PIXELS = 1 << 14;

    private PixelBlocks() {}

    /** Receives the blocks of a region. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Receives the next block.
         *
         * @param block a region of the array
         * @param before the number of elements of the whole region before the block
         */
        void visit(Region block, long before);
    }

    /** Calls a visitor for each block of a region, in C order. */
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

    /** {@return the largest box of at most a number of elements that are adjacent in a dense array} */
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

    /** {@return the interval of an image for a region of its array} */
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

    /** {@return the numbers in the other order of axes} */
    static long[] reversed(long[] values) {
        long[] reversed = new long[values.length];
        for (int i = 0; i < values.length; i++) {
            reversed[i] = values[values.length - 1 - i];
        }
        return reversed;
    }

    /**
     * Refuses an image without axes, which ImgLib2 cannot copy by blocks.
     *
     * @throws IllegalArgumentException if the image has no axes
     */
    static void requireAxes(Interval image) {
        if (image.numDimensions() == 0) {
            throw new IllegalArgumentException(
                    "an image without axes cannot be copied; add one with Views.addDimension(image, 0, 0)");
        }
    }

    /** {@return the shape of an image as an array} */
    static Shape shape(Interval image) {
        return Shape.of(reversed(image.dimensionsAsLongArray()));
    }
}
