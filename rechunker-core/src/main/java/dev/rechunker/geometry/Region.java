package dev.rechunker.geometry;

import java.util.Arrays;
import java.util.Optional;

/** A half-open box of an array, {@code [origin, origin + shape)}, in elements and C order. */
public final class Region {
    private final long[] origin;
    private final Shape shape;

    private Region(long[] origin, Shape shape) {
        this.origin = origin;
        this.shape = shape;
    }

    /**
     * {@return the region that starts at {@code origin} and has {@code shape}}
     *
     * @throws IllegalArgumentException if the ranks differ or an origin is negative
     * @throws ArithmeticException if an end exceeds a {@code long}
     */
    public static Region of(long[] origin, Shape shape) {
        if (origin.length != shape.rank()) {
            throw new IllegalArgumentException(
                    "origin " + Shape.format(origin) + " and shape " + shape + " differ in rank");
        }
        for (int axis = 0; axis < origin.length; axis++) {
            if (origin[axis] < 0) {
                throw new IllegalArgumentException("origin " + Shape.format(origin) + " is negative");
            }
            Math.addExact(origin[axis], shape.extent(axis));
        }
        return new Region(origin.clone(), shape);
    }

    /** {@return the region of everything in {@code shape}} */
    public static Region whole(Shape shape) {
        return new Region(new long[shape.rank()], shape);
    }

    /** {@return the number of axes} */
    public int rank() {
        return origin.length;
    }

    /** {@return where it starts on an axis} */
    public long start(int axis) {
        return origin[axis];
    }

    /** {@return where it ends on an axis, exclusive} */
    public long end(int axis) {
        return origin[axis] + shape.extent(axis);
    }

    /** {@return its extent on an axis} */
    public long extent(int axis) {
        return shape.extent(axis);
    }

    /** {@return a copy of the origin} */
    public long[] origin() {
        return origin.clone();
    }

    /** {@return its extents} */
    public Shape shape() {
        return shape;
    }

    /** {@return the number of elements in it} */
    public long elements() {
        return shape.elements();
    }

    /**
     * {@return what both regions share, or empty if they share no element}
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
     * {@return this region elsewhere: every coordinate changed by so much}
     *
     * @throws IllegalArgumentException if it would start before 0
     */
    public Region moved(long... by) {
        long[] start = origin.clone();
        for (int axis = 0; axis < start.length; axis++) {
            start[axis] = Math.addExact(start[axis], by[axis]);
        }
        return of(start, shape);
    }

    /**
     * {@return the bytes before this region's first element in a buffer that holds {@code box}}
     *
     * @param strides of the buffer, in bytes
     */
    public long offsetIn(Region box, long[] strides) {
        long offset = 0;
        for (int axis = 0; axis < origin.length; axis++) {
            offset += (origin[axis] - box.origin[axis]) * strides[axis];
        }
        return offset;
    }

    /** {@return the place of an index that is in this box, counted from 0 in row-major order} */
    public long ordinal(long... index) {
        long ordinal = 0;
        for (int axis = 0; axis < origin.length; axis++) {
            ordinal = ordinal * extent(axis) + index[axis] - origin[axis];
        }
        return ordinal;
    }

    /** {@return the place behind the last element of a part of this box, counted likewise} */
    public long ordinalBehind(Region part) {
        long[] last = part.origin();
        for (int axis = 0; axis < last.length; axis++) {
            last[axis] += part.extent(axis) - 1;
        }
        return ordinal(last) + 1;
    }

    /**
     * {@return whether this is a part of a box without gaps in row-major order: one element on the first axes, some on
     * the next, and the box's extent on the others}
     */
    public boolean isStretchOf(Region box) {
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

    /** {@return the ranges as {@code [0:5, 0:720, 72:144]}} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int axis = 0; axis < origin.length; axis++) {
            text.append(axis == 0 ? "" : ", ").append(origin[axis]).append(':').append(end(axis));
        }
        return text.append(']').toString();
    }
}
