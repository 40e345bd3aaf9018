package dev.rechunker.order;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.util.List;

/**
 * A memory layout that stores the chunks of a box one after the other, without gaps, and the elements of each chunk in
 * C order. Chunks are ordered by index, with the axes in a given order.
 *
 * <p>The offset of a chunk is computed from its index. Let the axes be numbered from the slowest to the fastest, let
 * {@code size} be the extents of the chunk, {@code start} its distance from the origin of the box and {@code total} the
 * extents of the box. The offset in elements is the sum over all axes {@code j} of {@code size[0] * ... * size[j-1] *
 * start[j] * total[j+1] * ... * total[d-1]}.
 */
public final class NestedLayout {
    private final ChunkGrid grid;
    private final int[] slowestFirst;
    private final long[] origin;
    private final long[] total;

    /**
     * Creates the layout of the chunks of {@code grid} that make up {@code box}.
     *
     * @param box a region that consists of whole chunks
     * @param slowestFirst every axis once, the slowest first
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

    /** {@return the number of elements of all chunks together} */
    public long elements() {
        return Shape.of(total).elements();
    }

    /** {@return the number of elements before the chunk with this index} */
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
