package dev.rechunker.order;

import dev.rechunker.geometry.Region;
import java.util.ArrayList;
import java.util.List;

/**
 * An iterator over all indices of a box. Starts before the first index; {@link #next()} moves to the next one.
 *
 * <p>A box of rank 0 has one index, an empty box has none.
 */
public final class Odometer {
    private final Region box;
    private final int[] slowestFirst;
    private final long[] index;
    private boolean started;
    private boolean done;

    /** Creates an iterator in row-major order: axis 0 is the slowest. */
    public Odometer(Region box) {
        this(box, indices(box.rank()));
    }

    /**
     * Creates an iterator with the axes in a given order.
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

    /** {@return the axes in row-major order: 0, 1, ..., {@code rank - 1}} */
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

    /** {@return the axes as an array} A loop, as a stream would take longer than most iterations do. */
    static int[] toArray(List<Integer> axes) {
        int[] array = new int[axes.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = axes.get(i);
        }
        return array;
    }

    /**
     * Moves to the next index.
     *
     * @return whether there was one; if not, {@link #at} and {@link #index()} are not defined
     */
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

    /** {@return the current index on an axis} */
    public long at(int axis) {
        return index[axis];
    }

    /** {@return a copy of the current index} */
    public long[] index() {
        return index.clone();
    }
}
