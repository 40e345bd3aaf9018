package dev.rechunker.job;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Bands of an array of which any bytes can be read, but that is stored with its axes in another order.
 *
 * <p>Reading is fast if a band has long runs of elements that are stored together; putting it in order is fast if it
 * has many elements on the last axis, which are together in the target. A band has enough of the first, then as many of
 * the second as a write unit has, and fills up with what is stored next.
 */
final class StoredBands {
    /** The most bytes of a band. */
    private static final long MOST = 4 << 20;

    /** The bytes that are read together at least. */
    private static final long RUN = 128 << 10;

    private final List<Partition> chunks;
    private final List<Partition> units;
    private final long[] extents;
    private long left;

    private StoredBands(ChunkGrid chunks, ChunkGrid units, int itemSize) {
        this.chunks = chunks.axes();
        this.units = units.axes();
        this.extents = new long[chunks.rank()];
        this.left = Math.max(1, MOST / itemSize);
        Arrays.fill(extents, 1);
    }

    /**
     * {@return the bands}
     *
     * @param chunks the chunks of the array
     * @param units the write units of the target
     * @param order the axes in the order in which they are stored, the slowest first
     */
    static ChunkGrid of(ChunkGrid chunks, ChunkGrid units, List<Integer> order, int itemSize) {
        StoredBands bands = new StoredBands(inOrder(chunks, order), inOrder(units, order), itemSize);
        bands.fill(order.indexOf(order.size() - 1), Math.max(1, RUN / itemSize));
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < order.size(); axis++) {
            Partition whole = bands.chunks.get(axis);
            axes.add(
                    bands.extents[axis] >= whole.maxSize()
                            ? whole
                            : Partition.regular(whole.length(), bands.extents[axis]));
        }
        return inOrder(ChunkGrid.of(axes), inverse(order));
    }

    private void fill(int last, long run) {
        int axis = extents.length - 1;
        for (long together = 1; axis > last && together < run; axis--) {
            extents[axis] = extent(axis, Math.min(left, (run + together - 1) / together));
            left /= extents[axis];
            together *= extents[axis];
            if (extents[axis] < chunks.get(axis).maxSize()) {
                break;
            }
        }
        long unit = Math.min(units.get(last).maxSize(), chunks.get(last).maxSize());
        extents[last] = extent(last, Math.min(left, unit));
        left /= extents[last];
        for (axis = extents.length - 1; axis >= 0; axis--) {
            long more = Math.max(extents[axis], extent(axis, left * extents[axis]));
            left = left * extents[axis] / more;
            extents[axis] = more;
            if (more < chunks.get(axis).maxSize()) {
                break;
            }
        }
    }

    /**
     * {@return an extent of at most {@code most}, at least 1, that cuts chunks, or units if there is one, evenly if it
     * can}
     */
    private long extent(int axis, long most) {
        Partition chunk = chunks.get(axis);
        return Math.max(
                1, chunk.maxSize() <= most ? chunk.maxSize() : Problem.Way.evenExtent(chunk, units.get(axis), most));
    }

    /** {@return a grid with its axes in another order; an empty one for the order that it has} */
    static ChunkGrid inOrder(ChunkGrid grid, List<Integer> order) {
        return order.isEmpty()
                ? grid
                : ChunkGrid.of(order.stream().map(grid::axis).toList());
    }

    /** {@return the order that undoes another one} */
    static List<Integer> inverse(List<Integer> order) {
        return IntStream.range(0, order.size()).map(order::indexOf).boxed().toList();
    }
}
