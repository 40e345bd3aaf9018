package dev.rechunker.exec;

import dev.rechunker.copy.BoxCopier;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scatters a chunk, which arrives in runs of elements, into the units that receive it.
 *
 * <p>A run of elements in C order consists of at most two boxes per axis: incomplete rows at its ends, and complete
 * rows between them.
 */
final class RunScatter implements RunSink {
    private final Region part;
    private final ChunkGrid units;
    private final Receivers receivers;
    private final Region indices;
    private final int along;
    private final int itemSize;
    private final int swapWord;
    private final int rank;
    /** The axes in the order in which elements arrive, the slowest first. */
    private final int[] order;

    private final long[] extents;
    private final long[] origin;
    private final BoxCopier copier;
    private long next;
    private byte @Nullable [] filling;

    // The current box, from start to end, and its pieces in some units of a row: their extents, and their strides in
    // the
    // run. The axis that counts units follows after the axes of the array.
    private final long[] start;
    private final long[] end;
    private final long[] index;
    private final long[] piece;
    private final long[] strides;

    /**
     * Creates it for one chunk.
     *
     * @param extents the shape in which the chunk arrives, which is its nominal shape if it is padded
     * @param axisOrder the axes in the order in which elements arrive; empty for C order
     * @param units the grid of the units
     * @param receivers the units that touch the part of the read
     */
    RunScatter(
            ReadPlan.Read read,
            Shape extents,
            List<Integer> axisOrder,
            ChunkGrid units,
            Receivers receivers,
            int itemSize,
            int swapWord) {
        this.part = read.part();
        this.units = units;
        this.receivers = receivers;
        this.indices = receivers.indices();
        this.along = receivers.along();
        this.itemSize = itemSize;
        this.swapWord = swapWord;
        this.rank = extents.rank();
        this.order = new int[rank];
        for (int place = 0; place < rank; place++) { // a stream would take longer than small chunks do
            order[place] = axisOrder.isEmpty() ? place : axisOrder.get(place);
        }
        this.extents = extents.toArray();
        this.origin = read.region().origin();
        this.copier = new BoxCopier(rank + 1);
        this.start = new long[rank];
        this.end = new long[rank];
        this.index = new long[rank];
        this.piece = new long[rank + 1];
        this.strides = new long[rank + 1];
    }

    @Override
    public void accept(ByteBuffer run) {
        long end = next + run.remaining() / itemSize;
        int position = run.position();
        while (next < end) {
            long elements = takeBox(end - next);
            if (clip()) {
                scatter(run, position);
            }
            position += (int) (elements * itemSize);
            next += elements;
        }
    }

    /**
     * Checks that a reader has passed all elements of a region, and at most those of its chunk.
     *
     * @throws StoreException if it has not
     */
    void requireWhole(Region region) throws StoreException {
        long all = 1;
        long endOfRegion = 1;
        for (int place = rank - 1; place >= 0; place--) {
            endOfRegion += (region.extent(order[place]) - 1) * all;
            all *= extents[order[place]];
        }
        if (next < endOfRegion || next > all) {
            throw new StoreException("the reader has passed " + next + " elements, not " + endOfRegion);
        }
    }

    /** Fills the pieces in all units with an element, as if a chunk of such elements had arrived. */
    void fill(byte[] element) {
        for (int axis = 0; axis < rank; axis++) {
            start[axis] = part.start(axis);
            end[axis] = part.end(axis);
        }
        filling = element;
        clip();
        scatter(ByteBuffer.allocate(0), 0);
        filling = null;
    }

    /** Sets the box to the largest one from the next element with at most {@code most}; {@return its elements} */
    private long takeBox(long most) {
        long rest = next;
        for (int place = rank - 1; place >= 0; place--) {
            int axis = order[place];
            start[axis] = rest % extents[axis];
            rest /= extents[axis];
        }
        long inner = 1;
        int place = rank - 1;
        // The last axes are complete as long as they begin at 0 and fit. The axis before them is cut.
        for (; place > 0 && start[order[place]] == 0 && inner * extents[order[place]] <= most; place--) {
            take(order[place], extents[order[place]], inner);
            inner *= extents[order[place]];
        }
        if (place >= 0) {
            int axis = order[place];
            long cut = Math.min(extents[axis] - start[axis], most / inner);
            take(axis, cut, inner);
            inner *= cut;
        }
        for (place--; place >= 0; place--) {
            take(order[place], 1, inner);
        }
        return inner;
    }

    private void take(int axis, long extent, long inner) {
        start[axis] += origin[axis];
        end[axis] = start[axis] + extent;
        strides[axis] = inner * itemSize;
    }

    /** Sets the index to the first units of the wanted part of the box; {@return whether there is such a part} */
    private boolean clip() {
        for (int axis = 0; axis < rank; axis++) {
            long from = Math.max(start[axis], part.start(axis));
            if (from >= Math.min(end[axis], part.end(axis))) {
                return false;
            }
            index[axis] = units.axis(axis).indexOf(from);
        }
        return true;
    }

    /** Copies the pieces of the box into all units. */
    private void scatter(ByteBuffer run, int position) {
        int axis;
        do {
            for (Receivers.Row row : receivers.rows(index)) {
                scatter(run, position, row);
            }
            for (axis = rank - 1; axis >= 0; axis--) {
                if (axis == along) {
                    continue;
                }
                index[axis]++;
                if (index[axis] < indices.end(axis) && units.axis(axis).start(index[axis]) < end[axis]) {
                    break;
                }
                index[axis] = units.axis(axis).indexOf(Math.max(start[axis], part.start(axis)));
            }
        } while (axis >= 0);
    }

    /** Copies the pieces into the units of a row: at once into units with a complete extent, one by one into others. */
    private void scatter(ByteBuffer run, int position, Receivers.Row row) {
        if (along < 0) {
            copy(run, position, row, 0, 0, 1);
            return;
        }
        long begin = row.first.start(along);
        long extent = row.first.extent(along);
        long from = Math.max(begin, Math.max(start[along], part.start(along)));
        long to = Math.min(begin + row.count * extent, Math.min(end[along], part.end(along)));
        strides[rank] = extent * strides[along];
        while (from < to) {
            long unit = row.count == 1 ? 0 : (from - begin) / extent;
            long rest = begin + (unit + 1) * extent - from;
            long count = 1;
            piece[along] = Math.min(rest, to - from);
            if (rest == extent && to - from > extent) {
                count = (to - from) / extent;
            }
            copy(run, position, row, from, unit, count);
            from += count * piece[along];
        }
    }

    /**
     * Copies the pieces into some units of a row.
     *
     * @param from the start of the first piece on the axis of the row
     * @param unit the number of the first unit in the row
     * @param count the number of units
     */
    private void copy(ByteBuffer run, int position, Receivers.Row row, long from, long unit, long count) {
        long source = position;
        long target = unit * row.strides[rank];
        for (int axis = 0; axis < rank; axis++) {
            long lo = from;
            long before = row.first.start(axis);
            if (axis == along) {
                before += unit * row.first.extent(axis);
            } else {
                lo = Math.max(before, Math.max(start[axis], part.start(axis)));
                piece[axis] = Math.min(row.first.end(axis), Math.min(end[axis], part.end(axis))) - lo;
            }
            source += (lo - start[axis]) * strides[axis];
            target += (lo - before) * row.strides[axis];
        }
        piece[rank] = count;
        if (filling != null) {
            StridedCopy.fill(row.buffer, target, row.strides, piece, filling);
            return;
        }
        copier.copy(run, source, strides, row.buffer, target, row.strides, piece, itemSize, swapWord);
    }
}
