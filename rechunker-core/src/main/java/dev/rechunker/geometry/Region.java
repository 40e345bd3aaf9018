package dev.rechunker.geometry;

import java.util.Arrays;
import java.util.Optional;

/** A box of elements of an array: the half-open range {@code [start, end)} on each axis. */
public final class Region {
    private final long[] origin;
    private final Shape shape;

    private Region(long[] origin, Shape shape) {
        this.origin = origin;
        this.shape = shape;
    }

    /**
     * {@return the region that starts at {@code origin} and has the extents {@code shape}}
     *
     * @throws IllegalArgumentException if the ranks differ or a start is negative
     * @throws ArithmeticException if an end exceeds a {@code long}
     */
    public static Region of(long[] origin, Shape shape) {
        if (origin.length != shape.rank()) {
            throw new IllegalArgumentException(
                    "origin " + Shape.format(origin) + " and shape " + shape + " differ in rank");
        }
        for (int axis = 0; axis < origin.length; axis++) {
            if (origin[axis] < 0) {
                throw new IllegalArgumentException("origin " + Shape.format(origin) + " is negative on axis " + axis);
            }
            Math.addExact(origin[axis], shape.extent(axis));
        }
        return new Region(origin.clone(), shape);
    }

    /** {@return the region of all elements of an array of {@code shape}} */
    public static Region whole(Shape shape) {
        return new Region(new long[shape.rank()], shape);
    }

    /** {@return the number of axes} */
    public int rank() {
        return origin.length;
    }

    /** {@return the first index on an axis} */
    public long start(int axis) {
        return origin[axis];
    }

    /** {@return the end of the range on an axis, exclusive} */
    public long end(int axis) {
        return origin[axis] + shape.extent(axis);
    }

    /** {@return the extent on an axis} */
    public long extent(int axis) {
        return shape.extent(axis);
    }

    /** {@return a copy of the first index} */
    public long[] origin() {
        return origin.clone();
    }

    /** {@return the extents} */
    public Shape shape() {
        return shape;
    }

    /**
     * {@return the number of elements}
     *
     * @throws ArithmeticException if it exceeds a {@code long}
     */
    public long elements() {
        return shape.elements();
    }

    /**
     * {@return the region that is in both, or empty if they have no element in common}
     *
     * @throws IllegalArgumentException if the ranks differ
     */
    public Optional<Region> intersect(Region other) {
        requireRank(other);
        long[] start = new long[rank()];
        long[] extent = new long[rank()];
        for (int axis = 0; axis < start.length; axis++) {
            start[axis] = Math.max(start(axis), other.start(axis));
            extent[axis] = Math.min(end(axis), other.end(axis)) - start[axis];
            if (extent[axis] <= 0) {
                return Optional.empty();
            }
        }
        return Optional.of(new Region(start, Shape.of(extent)));
    }

    /**
     * {@return whether every element of {@code other} is in this region}
     *
     * @throws IllegalArgumentException if the ranks differ
     */
    public boolean contains(Region other) {
        requireRank(other);
        for (int axis = 0; axis < origin.length; axis++) {
            if (other.start(axis) < start(axis) || other.end(axis) > end(axis)) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return a region of the same shape whose start is {@code start(axis) + by[axis]} on each axis}
     *
     * @throws IllegalArgumentException if a start would be negative
     */
    public Region moved(long... by) {
        long[] start = origin.clone();
        for (int axis = 0; axis < start.length; axis++) {
            start[axis] = Math.addExact(start[axis], by[axis]);
        }
        return of(start, shape);
    }

    /**
     * {@return the offset in bytes of this region's first element in a buffer that holds {@code box}}
     *
     * @param strides the distance in bytes between neighbouring elements in the buffer, one per axis
     */
    public long offsetIn(Region box, long[] strides) {
        long offset = 0;
        for (int axis = 0; axis < origin.length; axis++) {
            offset += (origin[axis] - box.origin[axis]) * strides[axis];
        }
        return offset;
    }

    /**
     * {@return the position of an element of this region in row-major order, counted from 0}
     *
     * @param index the index of the element in the array
     */
    public long ordinal(long... index) {
        long ordinal = 0;
        for (int axis = 0; axis < origin.length; axis++) {
            ordinal = ordinal * extent(axis) + index[axis] - origin[axis];
        }
        return ordinal;
    }

    /** {@return one more than the {@link #ordinal} of the last element of {@code part}, a region inside this one} */
    public long ordinalAfter(Region part) {
        long[] last = part.origin();
        for (int axis = 0; axis < last.length; axis++) {
            last[axis] += part.extent(axis) - 1;
        }
        return ordinal(last) + 1;
    }

    /**
     * {@return whether the elements of this region follow one another without gaps in a buffer that holds {@code box}
     * in row-major order}
     *
     * <p>That is so if the region has one element on the first axes, any extent on the next axis, and the extent of the
     * box on the others.
     */
    public boolean isContiguousIn(Region box) {
        boolean cut = false;
        for (int axis = rank() - 1; axis >= 0; axis--) {
            if (cut && extent(axis) > 1) {
                return false;
            }
            cut |= extent(axis) < box.extent(axis);
        }
        return box.contains(this);
    }

    private void requireRank(Region other) {
        if (other.rank() != rank()) {
            throw new IllegalArgumentException("regions differ in rank: " + this + " and " + other);
        }
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Region other && Arrays.equals(origin, other.origin) && shape.equals(other.shape);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(origin) + shape.hashCode();
    }

    /** {@return the ranges in the form {@code [0:5, 0:720, 72:144]}} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int axis = 0; axis < origin.length; axis++) {
            text.append(axis == 0 ? "" : ", ").append(origin[axis]).append(':').append(end(axis));
        }
        return text.append(']').toString();
    }
}
