package dev.rechunker.geometry;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts through the indices of a box, one axis slowest, another fastest.
 *
 * <p>Starts before the first index; {@link #next()} moves on. A box of rank 0 has one index, an empty box none.
 */
public final class Odometer {
    private final Region box;
    private final int[] slowestFirst;
    private final long[] index;
    private boolean started;
    private boolean done;

    /** Counts in row-major order: axis 0 slowest. */
    public Odometer(Region box) {
        this(box, indices(box.rank()));
    }

    /**
     * Counts with the axes in a given order.
     *
     * @param slowestFirst every axis once, the slowest first
     */
    public Odometer(Region box, List<Integer> slowestFirst) {
        this(box, toArray(slowestFirst));
    }

    private Odometer(Region box, int[] slowestFirst) {
        this.box = box;
        this.slowestFirst = slowestFirst;
        this.index = box.origin();
        this.done = box.shape().isEmpty();
    }

    /** {@return the axes 0, 1, ... of a rank} */
    public static List<Integer> naturalOrder(int rank) {
        List<Integer> order = new ArrayList<>();
        for (int axis = 0; axis < rank; axis++) {
            order.add(axis);
        }
        return List.copyOf(order);
    }

    private static int[] indices(int rank) {
        int[] indices = new int[rank];
        for (int axis = 0; axis < rank; axis++) {
            indices[axis] = axis;
        }
        return indices;
    }

    /** {@return the axes as an array: a stream would take longer than most of the counting} */
    static int[] toArray(List<Integer> axes) {
        int[] array = new int[axes.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = axes.get(i);
        }
        return array;
    }

    /** {@return whether there is a next index, to which it has moved} */
    public boolean next() {
        if (done) {
            return false;
        }
        if (!started) {
            started = true;
            return true;
        }
        for (int i = slowestFirst.length - 1; i >= 0; i--) {
            int axis = slowestFirst[i];
            if (++index[axis] < box.end(axis)) {
                return true;
            }
            index[axis] = box.start(axis);
        }
        done = true;
        return false;
    }

    /** {@return the coordinate on an axis} */
    public long at(int axis) {
        return index[axis];
    }

    /** {@return a copy of the index} */
    public long[] index() {
        return index.clone();
    }
}
