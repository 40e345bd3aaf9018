package dev.rechunker.verify;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;

/**
 * The cut of a box into pieces that are read one by one. On the axes before {@code axis} a piece has one index, on
 * {@code axis} it has {@code extent} indices, and on the axes after it has all of them.
 *
 * @param axis the axis that is cut, or 0 if the box has no axes
 * @param extent the extent of a piece on this axis
 */
record Cut(int axis, long extent) {
    /**
     * {@return the cut into pieces of about equal size on the first possible axis}
     *
     * @param box the extents of the box
     * @param axis the first axis that may be cut
     * @param whole the extents that are read on the axes after the cut, at least those of the box
     * @param mostElements the most elements of a piece
     */
    static Cut of(long[] box, int axis, long[] whole, long mostElements) {
        if (box.length == 0) {
            return new Cut(0, 1);
        }
        long most = mostElements;
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

    /** {@return a piece of a box of these extents, relative to the box; pieces are numbered in C order} */
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
