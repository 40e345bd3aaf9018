package dev.rechunker.exec;

import dev.rechunker.copy.BoxCopier;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.StoreException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Scatters a chunk that comes run by run into the units that receive it.
 *
 * <p>A run of elements in C order is at most two boxes per axis: rows that are cut off at its ends, and whole ones
 * between.
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
    private final long[] extents;
    private final long[] origin;
    private final BoxCopier copier;
    private long next;
    private byte @Nullable [] filling;

    // The box that is being scattered, from start to end, and the pieces of it in some units of a row: their extents,
    // and their strides in the run. Behind the axes of the array comes the axis that counts units.
    private final long[] start;
    private final long[] end;
    private final long[] index;
    private final long[] piece;
    private final long[] strides;

    /**
     * Creates it for one chunk.
     *
     * @param extents the shape in which the chunk comes, its nominal one if it is padded
     * @param units the grid of the units
     * @param receivers those that touch the read's part
     */
    RunScatter(ReadPlan.Read read, Shape extents, ChunkGrid units, Receivers receivers, int itemSize, int swapWord) {
        this.part = read.part();
        this.units = units;
        this.receivers = receivers;
        this.indices = receivers.indices();
        this.along = receivers.along();
        this.itemSize = itemSize;
        this.swapWord = swapWord;
        this.rank = extents.rank();
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
        long behind = next + run.remaining() / itemSize;
        int position = run.position();
        while (next < behind) {
            long elements = takeBox(behind - next);
            if (clip()) {
                scatter(run, position);
            }
            position += (int) (elements * itemSize);
            next += elements;
        }
    }

    /**
     * Refuses a reader that has handed over less of a region than there is, or more than a chunk of it.
     *
     * @throws StoreException if so
     */
    void requireWhole(Region region) throws StoreException {
        long all = 1;
        long behindLast = 1;
        for (int axis = rank - 1; axis >= 0; axis--) {
            behindLast += (region.extent(axis) - 1) * all;
            all *= extents[axis];
        }
        if (next < behindLast || next > all) {
            throw new StoreException("the reader has handed over " + next + " elements, not " + behindLast);
        }
    }

    /** Gives every element of the units' pieces these bytes, as if a whole chunk of them had come. */
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

    /** Makes the box the largest one that begins with the next element and has at most so many; {@return how many} */
    private long takeBox(long most) {
        long rest = next;
        for (int axis = rank - 1; axis >= 0; axis--) {
            start[axis] = rest % extents[axis];
            rest /= extents[axis];
        }
        long inner = 1;
        int axis = rank - 1;
        // Axes that begin at 0 and of which there is all are whole; the one before them is cut.
        for (; axis > 0 && start[axis] == 0 && inner * extents[axis] <= most; axis--) {
            take(axis, extents[axis], inner);
            inner *= extents[axis];
        }
        if (axis >= 0) {
            long cut = Math.min(extents[axis] - start[axis], most / inner);
            take(axis, cut, inner);
            inner *= cut;
        }
        for (axis--; axis >= 0; axis--) {
            take(axis, 1, inner);
        }
        return inner;
    }

    private void take(int axis, long extent, long inner) {
        start[axis] += origin[axis];
        end[axis] = start[axis] + extent;
        strides[axis] = inner * itemSize;
    }

    /** Goes to the units of what is wanted of the box; {@return whether that is anything} */
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

    /** Gives all units their pieces of the box. */
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

    /** Gives the units of a row their pieces: those that get all of their extent at once, the others one by one. */
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
     * Copies the pieces in units of a row.
     *
     * @param from where the piece of the first of them begins along the row's axis
     * @param unit which of the row is the first
     * @param count how many
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
