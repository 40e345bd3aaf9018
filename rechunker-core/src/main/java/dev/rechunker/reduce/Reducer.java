package dev.rechunker.reduce;

import com.google.common.math.LongMath;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/**
 * Reduces each box of some elements to one element. Boxes begin at multiples of the factors; those at the end of the
 * array contain what is there. Immutable, and used by any number of threads.
 */
public final class Reducer {
    private final Method method;
    private final int[] factors;
    private final DataType type;
    private final ByteOrder order;
    private final FillValue missing;

    /**
     * Creates it.
     *
     * @param spec the array: its type, byte order, and missing value
     * @param factors the extents of a box, one for each axis
     * @throws IllegalArgumentException if elements of the type cannot be reduced by the method, or a factor is not
     *     positive
     */
    public Reducer(ArraySpec spec, Method method, int[] factors) {
        method.obstacle(spec.dataType()).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        if (factors.length != spec.shape().rank() || Arrays.stream(factors).anyMatch(factor -> factor < 1)) {
            throw new IllegalArgumentException(
                    "factors " + Arrays.toString(factors) + " for an array of " + spec.shape());
        }
        this.method = method;
        this.factors = factors.clone();
        this.type = spec.dataType();
        this.order = spec.byteOrder();
        this.missing = spec.missingValue();
    }

    /** {@return the method} */
    public Method method() {
        return method;
    }

    /** {@return the factor of an axis} */
    public int factor(int axis) {
        return factors[axis];
    }

    /** {@return the shape to which elements of a shape are reduced} */
    public Shape reduced(Shape shape) {
        return reduced(shape, factors);
    }

    /** {@return the shape to which elements of a shape are reduced by some factors} */
    public static Shape reduced(Shape shape, int[] factors) {
        return reduced(Region.whole(shape), factors).shape();
    }

    /** {@return the region to which a region is reduced, which begins a box on each axis} */
    public Region reduced(Region region) {
        return reduced(region, factors);
    }

    private static Region reduced(Region region, int[] factors) {
        long[] origin = region.origin();
        long[] extents = new long[origin.length];
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] /= factors[axis];
            extents[axis] = LongMath.divide(region.end(axis), factors[axis], RoundingMode.CEILING) - origin[axis];
        }
        return Region.of(origin, Shape.of(extents));
    }

    /**
     * {@return the elements that are reduced to a region}
     *
     * @param reduced the region
     * @param within the region that contains all elements
     */
    public Region box(Region reduced, Region within) {
        long[] origin = reduced.origin();
        long[] extents = new long[origin.length];
        for (int axis = 0; axis < origin.length; axis++) {
            origin[axis] *= factors[axis];
            extents[axis] = Math.min(within.end(axis), reduced.end(axis) * factors[axis]) - origin[axis];
        }
        return Region.of(origin, Shape.of(extents));
    }

    /** {@return the bytes that reducing elements of a shape takes outside of their buffers, at most} */
    public long workBytes(Shape shape) {
        if (method == Method.NEAREST || shape.rank() == 0) {
            return 0;
        }
        long row = shape.extent(shape.rank() - 1) * (type.kind() == DataType.Kind.COMPLEX ? 2 : 1);
        long perElement = isOfBytes() ? 2L * type.itemSize() + 64 : 5L * Long.BYTES;
        return Math.multiplyExact(row * perElement, method == Method.MEAN ? 1 : boxRows());
    }

    /** {@return the most rows of elements in a row of boxes} */
    private long boxRows() {
        long rows = 1;
        for (int axis = 0; axis < factors.length - 1; axis++) {
            rows = Math.multiplyExact(rows, (long) factors[axis]);
        }
        return rows;
    }

    /** {@return whether elements are compared byte by byte, because they are no numbers} */
    private boolean isOfBytes() {
        return switch (type.kind()) {
            case BOOL, INT, UINT, FLOAT, DATETIME, TIMEDELTA -> false;
            case COMPLEX -> method == Method.MODE;
            default -> true;
        };
    }

    /**
     * Reduces elements that are dense in C order; see {@link #reduce(ByteBuffer, long, long[], Shape, ByteBuffer, long,
     * long[])}.
     */
    public void reduce(ByteBuffer elements, Shape shape, ByteBuffer target, long at, long[] strides) {
        reduce(elements, 0, StridedCopy.denseStrides(shape.toArray(), type.itemSize()), shape, target, at, strides);
    }

    /**
     * Reduces elements.
     *
     * @param elements the elements, the first of which begin boxes
     * @param from where the first element is, in bytes
     * @param layout the strides of elements in bytes; those of the last axis lie one after the other
     * @param shape their shape
     * @param target takes the reduced elements
     * @param at where the first reduced element goes, in bytes
     * @param strides the strides of reduced elements in bytes; those of the last axis lie one after the other
     */
    public void reduce(
            ByteBuffer elements, long from, long[] layout, Shape shape, ByteBuffer target, long at, long[] strides) {
        if (shape.isEmpty()) {
            return;
        }
        int size = type.itemSize();
        if (method == Method.NEAREST || shape.rank() == 0) {
            nearest(elements, from, layout, shape, 0, target, at, strides, new long[shape.rank()]);
        } else if (type.kind() == DataType.Kind.COMPLEX && method == Method.MEAN) {
            DataType part = size == 8 ? DataType.FLOAT32 : DataType.FLOAT64;
            int[] boxes = Arrays.copyOf(factors, factors.length + 1);
            boxes[factors.length] = 1;
            new Loop(
                            Rows.of(method, new Elements(part, order, FillValue.UNDEFINED), 1, 2),
                            boxes,
                            with(shape.toArray(), 2),
                            with(layout, size / 2),
                            with(strides, size / 2))
                    .run(elements, from, target, at);
        } else {
            int last = factors.length - 1;
            int row = Math.toIntExact(shape.extent(last));
            Rows rows = isOfBytes()
                    ? new ByteRows(size, missing, factors[last], row)
                    : Rows.of(method, new Elements(type, order, missing), factors[last], row);
            new Loop(rows, factors, shape.toArray(), layout, strides).run(elements, from, target, at);
        }
    }

    private static long[] with(long[] numbers, long last) {
        long[] all = Arrays.copyOf(numbers, numbers.length + 1);
        all[numbers.length] = last;
        return all;
    }

    /** Takes the middle of each box. The last boxes may end before their middle, so they go alone on each axis. */
    private void nearest(
            ByteBuffer elements,
            long source,
            long[] from,
            Shape shape,
            int axis,
            ByteBuffer target,
            long at,
            long[] strides,
            long[] box) {
        int rank = shape.rank();
        if (axis == rank) {
            long[] steps = new long[rank];
            for (int i = 0; i < rank; i++) {
                steps[i] = from[i] * factors[i];
            }
            StridedCopy.copy(elements, source, steps, target, at, strides, box, type.itemSize(), 1);
            return;
        }
        long middle = Math.floorDiv(factors[axis] - 1, 2);
        long extent = shape.extent(axis);
        long regular = extent > middle ? (extent - 1 - middle) / factors[axis] + 1 : 0;
        if (regular > 0) {
            box[axis] = regular;
            nearest(elements, source + middle * from[axis], from, shape, axis + 1, target, at, strides, box);
        }
        if (regular * factors[axis] < extent) {
            box[axis] = 1;
            long last = source + (extent - 1) * from[axis];
            long to = at + regular * strides[axis];
            nearest(elements, last, from, shape, axis + 1, target, to, strides, box);
        }
    }

    /** The loop over rows of boxes, and over the rows of elements in each. */
    private static final class Loop {
        private final Rows rows;
        private final int[] factors;
        private final long[] extents;
        private final long[] from;
        private final long[] to;

        Loop(Rows rows, int[] factors, long[] extents, long[] from, long[] to) {
            this.rows = rows;
            this.factors = factors;
            this.extents = extents;
            this.from = from;
            this.to = to;
        }

        void run(ByteBuffer elements, long source, ByteBuffer target, long at) {
            int last = extents.length - 1;
            long[] box = new long[last];
            ByteBuffer read = elements.duplicate();
            ByteBuffer written = target.duplicate();
            do {
                rows.begin();
                long[] inside = new long[last];
                do {
                    long place = source;
                    for (int axis = 0; axis < last; axis++) {
                        place += (box[axis] * factors[axis] + inside[axis]) * from[axis];
                    }
                    rows.add(read, (int) place);
                } while (advance(inside, axis -> Math.min(factors[axis], extents[axis] - box[axis] * factors[axis])));
                long place = at;
                for (int axis = 0; axis < last; axis++) {
                    place += box[axis] * to[axis];
                }
                rows.end(written, (int) place);
            } while (advance(box, axis -> (extents[axis] + factors[axis] - 1) / factors[axis]));
        }
    }

    /** Moves on to the next index in C order; {@return false after the last} */
    private static boolean advance(long[] index, IntToLongFunction extent) {
        for (int axis = index.length - 1; axis >= 0; axis--) {
            if (++index[axis] < extent.applyAsLong(axis)) {
                return true;
            }
            index[axis] = 0;
        }
        return false;
    }
}
