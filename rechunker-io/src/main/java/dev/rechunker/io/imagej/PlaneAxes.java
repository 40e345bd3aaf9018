package dev.rechunker.io.imagej;

import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Which axes of an array are the channels, slices and frames of a stack, by their indices in C order. Axes that ImageJ
 * does not know become what is left of slices, frames and channels, in this order, or frames.
 *
 * @param y the axis of the rows of a plane
 * @param x the axis of its columns
 * @param channels the axes that are numbered as channels, the slowest first
 */
record PlaneAxes(Shape shape, int y, int x, List<Integer> channels, List<Integer> slices, List<Integer> frames) {
    /**
     * {@return the assignment for an array}
     *
     * @throws StoreException if the array has too few axes, or more planes or larger ones than ImageJ can number
     */
    static PlaneAxes of(String where, Shape shape, List<String> names) throws StoreException {
        if (shape.rank() < 2 || shape.isEmpty()) {
            throw new StoreException(
                    where + " has the shape " + shape + ", but an image of ImageJ has at least two axes, and pixels");
        }
        int x = find(names, List.of("x", "lon", "longitude"), shape.rank() - 1);
        int y = find(names, List.of("y", "lat", "latitude"), shape.rank() - (x == shape.rank() - 1 ? 2 : 1));
        if (x == y) {
            x = y == shape.rank() - 1 ? y - 1 : shape.rank() - 1;
        }
        PlaneAxes axes = new PlaneAxes(shape, y, x, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<Integer> others = new ArrayList<>();
        for (int axis = 0; axis < shape.rank(); axis++) {
            if (axis != x && axis != y) {
                String name = axis < names.size() ? names.get(axis).toLowerCase(Locale.ROOT) : "";
                switch (name) {
                    case "c", "ch", "channel" -> axes.channels.add(axis);
                    case "z" -> axes.slices.add(axis);
                    case "t", "time" -> axes.frames.add(axis);
                    default -> others.add(axis);
                }
            }
        }
        for (int i = others.size() - 1; i >= 0; i--) {
            List<Integer> free = axes.slices.isEmpty()
                    ? axes.slices
                    : axes.frames.isEmpty() || !axes.channels.isEmpty() ? axes.frames : axes.channels;
            free.add(others.get(i));
        }
        axes.frames.sort(null);
        requireCountable(where, shape, axes);
        return axes;
    }

    private static int find(List<String> names, List<String> wanted, int otherwise) {
        for (int axis = 0; axis < names.size(); axis++) {
            if (wanted.contains(names.get(axis).toLowerCase(Locale.ROOT))) {
                return axis;
            }
        }
        return otherwise;
    }

    private static void requireCountable(String where, Shape shape, PlaneAxes axes) throws StoreException {
        double pixels = (double) shape.extent(axes.y) * shape.extent(axes.x);
        double planes = shape.elements() / pixels;
        if (pixels > Integer.MAX_VALUE - 8 || planes > Integer.MAX_VALUE) {
            throw new StoreException(where + " has planes of " + shape.extent(axes.x) + " x " + shape.extent(axes.y)
                    + " pixels, " + (long) planes + " of them, but ImageJ takes at most 2^31 of each;"
                    + " open a smaller level of it");
        }
    }

    /** {@return the number of elements of some axes together} */
    int count(List<Integer> axes) {
        long count = 1;
        for (int axis : axes) {
            count *= shape.extent(axis);
        }
        return (int) count;
    }

    /** {@return the position in the array of the first element of a plane, which is counted from 1} */
    long[] position(int plane) {
        long[] position = new long[shape.rank()];
        long left = plane - 1L;
        for (List<Integer> axes : Arrays.asList(channels, slices, frames)) {
            for (int i = axes.size() - 1; i >= 0; i--) {
                long extent = shape.extent(axes.get(i));
                position[axes.get(i)] = left % extent;
                left /= extent;
            }
        }
        return position;
    }
}
