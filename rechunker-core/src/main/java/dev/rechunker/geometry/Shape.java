package dev.rechunker.geometry;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;

/**
 * The extents of an array or a box, one per axis. Axes are in C order: axis 0 varies slowest.
 *
 * <p>Extents are zero or positive. A shape of rank 0 is that of a scalar and has one element. A shape with an extent of
 * zero has no elements.
 */
public final class Shape {
    private final long[] extents;

    private Shape(long[] extents) {
        this.extents = extents;
    }

    /**
     * {@return the shape with these extents}
     *
     * @throws IllegalArgumentException if an extent is negative
     */
    public static Shape of(long... extents) {
        for (int axis = 0; axis < extents.length; axis++) {
            if (extents[axis] < 0) {
                throw new IllegalArgumentException(
                        "axis " + axis + " of shape " + format(extents) + " has a negative extent: " + extents[axis]);
            }
        }
        return new Shape(extents.clone());
    }

    /** {@return the number of axes; 0 for a scalar} */
    public int rank() {
        return extents.length;
    }

    /** {@return the extent of an axis} */
    public long extent(int axis) {
        return extents[axis];
    }

    /**
     * {@return the number of elements: the product of the extents, 1 for a scalar}
     *
     * @throws ArithmeticException if it exceeds a {@code long}
     */
    public long elements() {
        if (isEmpty()) {
            return 0;
        }
        long product = 1;
        for (long extent : extents) {
            product = Math.multiplyExact(product, extent);
        }
        return product;
    }

    /** {@return whether there are no elements: at least one extent is zero} */
    public boolean isEmpty() {
        for (long extent : extents) {
            if (extent == 0) {
                return true;
            }
        }
        return false;
    }

    /** {@return a copy of the extents} */
    public long[] toArray() {
        return extents.clone();
    }

    /**
     * {@return the shape whose extents are {@code operator(extent of this, extent of other)}, axis by axis}
     *
     * @throws IllegalArgumentException if the ranks differ
     */
    public Shape combine(Shape other, LongBinaryOperator operator) {
        if (other.rank() != rank()) {
            throw new IllegalArgumentException("shapes differ in rank: " + this + " and " + other);
        }
        long[] result = new long[rank()];
        for (int axis = 0; axis < result.length; axis++) {
            result[axis] = operator.applyAsLong(extents[axis], other.extents[axis]);
        }
        return of(result);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Shape other && Arrays.equals(extents, other.extents);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(extents);
    }

    /** {@return the extents in the form {@code (8901, 720, 1440)}} */
    @Override
    public String toString() {
        return format(extents);
    }

    static String format(long[] values) {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < values.length; i++) {
            text.append(i == 0 ? "" : ", ").append(values[i]);
        }
        return text.append(')').toString();
    }
}
