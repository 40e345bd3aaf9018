package dev.rechunker.geometry;

import java.util.List;

/**
 * Places the chunks of a box one behind the other, without a gap, in row-major order of the chunks, each of which lies
 * dense in itself.
 *
 * <p>The place of a chunk follows from its index alone. With the axes in order, {@code size} the chunk's extents,
 * {@code start} its distance from the box's origin and {@code total} the box's extents, it is the sum over the axes
 * {@code j} of {@code size[0] ... size[j-1] * start[j] * total[j+1] ... total[d-1]}.
 */
public final class NestedLayout {
    private final ChunkGrid grid;
    private final int[] slowestFirst;
    private final long[] origin;
    private final long[] total;

    /**
     * Lays out the chunks of {@code grid} that make up {@code box}.
     *
     * @param box a region that no chunk crosses
     * @param slowestFirst the order of the axes
     */
    public NestedLayout(ChunkGrid grid, Region box, List<Integer> slowestFirst) {
        this.grid = grid;
        this.slowestFirst = Odometer.toArray(slowestFirst);
        this.origin = box.origin();
        this.total = new long[box.rank()];
        for (int axis = 0; axis < total.length; axis++) {
            total[axis] = box.extent(axis);
        }
    }

    /** {@return the elements of all chunks together} */
    public long elements() {
        return Shape.of(total).elements();
    }

    /** {@return the elements before a chunk} */
    public long offset(long... index) {
        long offset = 0;
        long sizes = 1;
        for (int j = 0; j < slowestFirst.length; j++) {
            int axis = slowestFirst[j];
            long rest = 1;
            for (int k = j + 1; k < slowestFirst.length; k++) {
                rest = Math.multiplyExact(rest, total[slowestFirst[k]]);
            }
            long start = grid.axis(axis).start(index[axis]) - origin[axis];
            offset = Math.addExact(offset, Math.multiplyExact(Math.multiplyExact(sizes, start), rest));
            sizes = Math.multiplyExact(sizes, extent(axis, index[axis]));
        }
        return offset;
    }

    private long extent(int axis, long index) {
        return grid.axis(axis).size(index);
    }
}
