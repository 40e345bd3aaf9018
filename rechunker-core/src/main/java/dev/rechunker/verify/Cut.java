package dev.rechunker.verify;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;

/**
 * How a box is cut into pieces for reading: one index on the axes before one, some on that, all on the others.
 *
 * @param axis the axis, 0 of a box without axes
 * @param extent the indices on it
 */
record Cut(int axis, long extent) {
    /**
     * {@return an even cut on an axis, or on one behind it, where indices of that have too many elements}
     *
     * @param box the extents of the box
     * @param axis the first on which it may be cut
     * @param whole the extents that are read on the axes behind the cut, at least those of the box
     * @param room the elements that a piece may have
     */
    static Cut of(long[] box, int axis, long[] whole, long room) {
        if (box.length == 0) {
            return new Cut(0, 1);
        }
        long most = room;
        int cut = box.length - 1;
        while (cut > axis && whole[cut] <= most) {
            most /= whole[cut--];
        }
        long slices = (box[cut] - 1) / most + 1;
        return new Cut(cut, (box[cut] - 1) / slices + 1);
    }

    /** {@return the number of pieces of a box of these extents} */
    long pieces(long[] box) {
        long pieces = box.length == 0 ? 1 : slices(box);
        for (int before = 0; before < axis; before++) {
            pieces *= box[before];
        }
        return pieces;
    }

    private long slices(long[] box) {
        return (box[axis] - 1) / extent + 1;
    }

    /** {@return a piece of a box of these extents, by its number in C order, seen from the box's first element} */
    Region piece(long[] box, long number) {
        long[] origin = new long[box.length];
        long[] size = box.clone();
        if (box.length > 0) {
            origin[axis] = number % slices(box) * extent;
            size[axis] = Math.min(extent, box[axis] - origin[axis]);
            long rest = number / slices(box);
            for (int before = axis - 1; before >= 0; before--) {
                origin[before] = rest % box[before];
                size[before] = 1;
                rest /= box[before];
            }
        }
        return Region.of(origin, Shape.of(size));
    }
}
