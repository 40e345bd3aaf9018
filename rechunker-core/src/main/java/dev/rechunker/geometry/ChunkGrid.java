package dev.rechunker.geometry;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The partition of an array into chunks: a product of one {@link Partition} per axis.
 *
 * <p>A chunk is identified by its index (one number per axis) or by its ordinal: its position in row-major order.
 */
public final class ChunkGrid {
    private final List<Partition> axes;
    private final Shape shape;
    private final Shape counts;
    private final Shape chunkShape;
    private final boolean isRegular;

    private ChunkGrid(List<Partition> axes) {
        this.axes = List.copyOf(axes);
        this.shape = extents(Partition::length);
        this.counts = extents(Partition::count);
        this.chunkShape = extents(Partition::step);
        this.isRegular = this.axes.stream().allMatch(Partition::isRegular);
    }

    /**
     * {@return the regular grid of an array in chunks of at most {@code most} elements, each of which is contiguous in
     * C order}
     *
     * @param most the number of elements, at least 1
     */
    public static ChunkGrid contiguous(Shape shape, long most) {
        long[] extents = new long[shape.rank()];
        long left = most;
        for (int axis = extents.length - 1; axis >= 0; axis--) {
            extents[axis] = Math.max(1, Math.min(shape.extent(axis), left));
            left /= extents[axis];
        }
        return regular(shape, Shape.of(extents));
    }

    /** {@return the shape whose extents are {@code number} of each axis' partition} */
    private Shape extents(ToLongFunction<Partition> number) {
        long[] extents = new long[axes.size()];
        for (int axis = 0; axis < extents.length; axis++) {
            extents[axis] = number.applyAsLong(axes.get(axis));
        }
        return Shape.of(extents);
    }

    /** {@return the grid with these partitions, axis 0 first} */
    public static ChunkGrid of(List<Partition> axes) {
        return new ChunkGrid(axes);
    }

    /**
     * {@return the regular grid that cuts an array of {@code shape} into chunks of {@code chunk}; chunks at the end of
     * an axis are clipped to the array}
     *
     * @throws IllegalArgumentException if the ranks differ or a chunk extent is not positive
     */
    public static ChunkGrid regular(Shape shape, Shape chunk) {
        if (chunk.rank() != shape.rank()) {
            throw new IllegalArgumentException("chunks " + chunk + " have " + chunk.rank() + " axes, but the array has "
                    + shape.rank() + ": " + shape);
        }
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < shape.rank(); axis++) {
            axes.add(Partition.regular(shape.extent(axis), chunk.extent(axis)));
        }
        return new ChunkGrid(axes);
    }

    /** {@return the number of axes} */
    public int rank() {
        return axes.size();
    }

    /** {@return the partition of an axis} */
    public Partition axis(int axis) {
        return axes.get(axis);
    }

    /** {@return the partitions, axis 0 first} */
    public List<Partition> axes() {
        return axes;
    }

    /** {@return the shape of the array} */
    public Shape shape() {
        return shape;
    }

    /** {@return the number of chunks along each axis} */
    public Shape counts() {
        return counts;
    }

    /**
     * {@return the number of chunks}
     *
     * @throws ArithmeticException if it exceeds a {@code long}
     */
    public long count() {
        return counts.elements();
    }

    /**
     * {@return the number of pieces into which the cuts of both grids divide the array; a {@code double}, as it may
     * exceed a {@code long}}
     *
     * @throws IllegalArgumentException if the arrays differ in length on an axis
     */
    public double pieces(ChunkGrid other) {
        double pieces = 1;
        for (int axis = 0; axis < rank(); axis++) {
            pieces *= axes.get(axis).pieces(other.axes.get(axis));
        }
        return pieces;
    }

    /** {@return whether every cut of {@code coarse} is also a cut of this grid; both grids have the same shape} */
    public boolean refines(ChunkGrid coarse) {
        for (int axis = 0; axis < rank(); axis++) {
            if (!axes.get(axis).refines(coarse.axes.get(axis))) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether the partition of every axis is regular} */
    public boolean isRegular() {
        return isRegular;
    }

    /**
     * {@return the nominal shape of the largest chunk: {@link Partition#step()} of each axis, which may exceed the
     * array} In a regular grid, it is that of every chunk.
     */
    public Shape chunkShape() {
        return chunkShape;
    }

    /**
     * {@return the nominal shape of the chunk that contains the origin of a region} Formats that pad chunks store it in
     * full.
     *
     * @throws IndexOutOfBoundsException if the origin is outside of an axis that is irregular
     */
    public Shape nominalShape(Region region) {
        if (isRegular) {
            return chunkShape;
        }
        long[] extents = new long[rank()];
        for (int axis = 0; axis < extents.length; axis++) {
            Partition partition = axes.get(axis);
            extents[axis] = partition.isRegular()
                    ? partition.step()
                    : partition.nominalSize(partition.indexOf(region.start(axis)));
        }
        return Shape.of(extents);
    }

    /** {@return the regular grid of the same array, in which every chunk has the nominal shape of the largest} */
    public ChunkGrid toRegular() {
        return isRegular ? this : regular(shape, chunkShape);
    }

    /** {@return whether a chunk at the end of an axis is smaller than its nominal shape} */
    public boolean isClipped() {
        return axes.stream().anyMatch(Partition::isClipped);
    }

    /** {@return the largest extent of a chunk on each axis, counted inside the array} */
    public Shape largestChunk() {
        return extents(Partition::maxSize);
    }

    /**
     * {@return the region that a chunk covers, clipped to the array}
     *
     * @param index the index of the chunk, one number per axis
     * @throws IllegalArgumentException if the index is of another rank
     * @throws IndexOutOfBoundsException if there is no such chunk
     */
    public Region region(long... index) {
        requireRank(index.length);
        long[] origin = new long[rank()];
        long[] extents = new long[rank()];
        for (int axis = 0; axis < origin.length; axis++) {
            Partition partition = axes.get(axis);
            Objects.checkIndex(index[axis], partition.count());
            origin[axis] = partition.start(index[axis]);
            extents[axis] = partition.size(index[axis]);
        }
        return Region.of(origin, Shape.of(extents));
    }

    /**
     * {@return the region that the chunk with an ordinal covers, clipped to the array}
     *
     * @throws IndexOutOfBoundsException if there is no such chunk
     */
    public Region regionAt(long ordinal) {
        return region(index(ordinal));
    }

    /**
     * {@return the index of the chunk with this ordinal}
     *
     * @throws IndexOutOfBoundsException if there is no such chunk
     */
    public long[] index(long ordinal) {
        if (ordinal < 0 || ordinal >= count()) {
            throw new IndexOutOfBoundsException("chunk " + ordinal + " of a grid of " + count() + " chunks");
        }
        long[] index = new long[rank()];
        long rest = ordinal;
        for (int axis = rank() - 1; axis >= 0; axis--) {
            index[axis] = rest % counts.extent(axis);
            rest /= counts.extent(axis);
        }
        return index;
    }

    /**
     * {@return the ordinal of the chunk with this index}
     *
     * @param index the index of the chunk, one number per axis
     * @throws IllegalArgumentException if the index is of another rank
     * @throws ArithmeticException if the ordinal exceeds a {@code long}
     */
    public long ordinal(long... index) {
        requireRank(index.length);
        long ordinal = 0;
        for (int axis = 0; axis < rank(); axis++) {
            ordinal = Math.addExact(Math.multiplyExact(ordinal, counts.extent(axis)), index[axis]);
        }
        return ordinal;
    }

    /**
     * {@return the indices of the chunks that a region touches, as a region of the space of chunk indices}
     *
     * @param region a region with at least one element
     * @throws IllegalArgumentException if the region is of another rank
     * @throws IndexOutOfBoundsException if the region leaves the array
     */
    public Region chunksTouching(Region region) {
        requireRank(region.rank());
        long[] first = new long[rank()];
        long[] extents = new long[rank()];
        for (int axis = 0; axis < first.length; axis++) {
            first[axis] = axes.get(axis).indexOf(region.start(axis));
            extents[axis] = axes.get(axis).indexOf(region.end(axis) - 1) - first[axis] + 1;
        }
        return Region.of(first, Shape.of(extents));
    }

    /**
     * {@return the grid of which each axis is {@code combine(axis of this, axis of other)}}
     *
     * @throws IllegalArgumentException if the ranks differ
     */
    public ChunkGrid combine(ChunkGrid other, BiFunction<Partition, Partition, Partition> combine) {
        requireRank(other.rank());
        List<Partition> combined = new ArrayList<>();
        for (int axis = 0; axis < rank(); axis++) {
            combined.add(combine.apply(axes.get(axis), other.axes.get(axis)));
        }
        return new ChunkGrid(combined);
    }

    private void requireRank(int other) {
        if (other != rank()) {
            throw new IllegalArgumentException(
                    "index, region or grid has " + other + " axes, but the array has " + rank() + ": " + shape);
        }
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ChunkGrid other && axes.equals(other.axes);
    }

    @Override
    public int hashCode() {
        return axes.hashCode();
    }

    /**
     * {@return the nominal sizes of chunks along each axis, such as {@code (5, 720, 1440)}, or
     * {@code ([31,28,31,30,31,...], 72)} if chunks differ in size}
     */
    public String chunkText() {
        return axes.stream().map(Partition::briefText).collect(Collectors.joining(", ", "(", ")"));
    }

    /** {@return {@code (8901, 720, 1440) in chunks of (5, 720, 1440)}} */
    @Override
    public String toString() {
        return shape + " in chunks of " + chunkText();
    }
}
