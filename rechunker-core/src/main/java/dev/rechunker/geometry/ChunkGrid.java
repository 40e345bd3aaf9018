package dev.rechunker.geometry;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/**
 * The partition of an array into chunks: a product of one {@link Partition} per axis.
 *
 * <p>Chunks are numbered by one index per axis, or in row-major order by one {@code long}, the ordinal.
 */
public final class ChunkGrid {
    private final List<Partition> axes;
    private final Shape shape;
    private final Shape counts;
    private final Shape chunkShape;

    private ChunkGrid(List<Partition> axes) {
        this.axes = List.copyOf(axes);
        this.shape = extents(Partition::length);
        this.counts = extents(Partition::count);
        this.chunkShape = extents(Partition::step);
    }

    /** {@return one number of each axis' partition} */
    private Shape extents(ToLongFunction<Partition> number) {
        long[] extents = new long[axes.size()];
        for (int axis = 0; axis < extents.length; axis++) {
            extents[axis] = number.applyAsLong(axes.get(axis));
        }
        return Shape.of(extents);
    }

    /** {@return the product of these partitions, one per axis} */
    public static ChunkGrid of(List<Partition> axes) {
        return new ChunkGrid(axes);
    }

    /**
     * {@return the regular grid of chunks of one shape, clipped at the array's ends}
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
     * {@return the number of pieces when the array is cut at the cuts of both grids}
     *
     * @throws IllegalArgumentException if the other grid is of another shape
     */
    public double pieces(ChunkGrid other) {
        double pieces = 1;
        for (int axis = 0; axis < rank(); axis++) {
            pieces *= axes.get(axis).pieces(other.axes.get(axis));
        }
        return pieces;
    }

    /** {@return whether every cut of {@code coarse}, a grid of the same shape, is one of this grid} */
    public boolean refines(ChunkGrid coarse) {
        for (int axis = 0; axis < rank(); axis++) {
            if (!axes.get(axis).refines(coarse.axes.get(axis))) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether every axis is cut regularly} */
    public boolean isRegular() {
        return axes.stream().allMatch(Partition::isRegular);
    }

    /** {@return the nominal shape of a chunk, {@link Partition#step()} on each axis; it may exceed the array} */
    public Shape chunkShape() {
        return chunkShape;
    }

    /** {@return the largest extents that a chunk has inside the array} */
    public Shape largestChunk() {
        return extents(Partition::maxSize);
    }

    /**
     * {@return the part of the array that the chunk with this index covers, clipped at the array's ends}
     *
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

    /** {@return the region of the chunk with this ordinal} */
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
            throw new IndexOutOfBoundsException("chunk " + ordinal + " of " + count());
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
     * @throws IllegalArgumentException if the index is of another rank
     * @throws ArithmeticException if it exceeds a {@code long}
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
     * {@return the box of chunk indices that a non-empty region touches, itself a region of index space}
     *
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
     * {@return the grid whose axes are {@code combine(this, other)}}
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
                    "an index, region or grid of " + other + " axes, but the array has " + rank() + ": " + shape);
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

    /** {@return {@code (8901, 720, 1440) in chunks of (5, 720, 1440)}} */
    @Override
    public String toString() {
        return shape + " in " + (isRegular() ? "chunks of " : "irregular chunks of at most ") + chunkShape();
    }
}
