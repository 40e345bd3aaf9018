package dev.rechunker.exec;

import dev.rechunker.copy.BoxCopier;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.RunSink;
import java.nio.ByteBuffer;
import java.util.List;
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
    private final Region indices;
    private final List<@Nullable Unit> receivers;
    private final int itemSize;
    private final int swapWord;
    private final int rank;
    private final long[] extents;
    private final long[] origin;
    private final BoxCopier copier;
    private long next;

    // The box that is being scattered, from start to end, and the piece of it in one unit.
    private final long[] start;
    private final long[] end;
    private final long[] strides;
    private final long[] index;
    private final long[] piece;

    /**
     * Creates it for one chunk.
     *
     * @param extents the shape in which the chunk comes, its nominal one if it is padded
     * @param units the grid of the units
     * @param receivers those that touch the read's part, row-major; null for those that need nothing
     */
    RunScatter(
            ReadPlan.Read read,
            Shape extents,
            ChunkGrid units,
            List<@Nullable Unit> receivers,
            int itemSize,
            int swapWord) {
        this.part = read.part();
        this.units = units;
        this.indices = units.chunksTouching(part);
        this.receivers = receivers;
        this.itemSize = itemSize;
        this.swapWord = swapWord;
        this.rank = extents.rank();
        this.extents = extents.toArray();
        this.origin = read.region().origin();
        this.copier = new BoxCopier(rank);
        this.start = new long[rank];
        this.end = new long[rank];
        this.strides = new long[rank];
        this.index = new long[rank];
        this.piece = new long[rank];
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

    private void scatter(ByteBuffer run, int position) {
        int axis;
        do {
            copy(run, position);
            for (axis = rank - 1; axis >= 0; axis--) {
                index[axis]++;
                if (index[axis] < indices.end(axis) && units.axis(axis).start(index[axis]) < end[axis]) {
                    break;
                }
                index[axis] = units.axis(axis).indexOf(Math.max(start[axis], part.start(axis)));
            }
        } while (axis >= 0);
    }

    /** Copies the piece of the box in the unit at the index. */
    private void copy(ByteBuffer run, int position) {
        int ordinal = 0;
        for (int axis = 0; axis < rank; axis++) {
            ordinal = (int) (ordinal * indices.extent(axis) + index[axis] - indices.start(axis));
        }
        Unit unit = receivers.get(ordinal);
        if (unit == null) {
            return;
        }
        long from = position;
        long to = 0;
        for (int axis = 0; axis < rank; axis++) {
            long lo = Math.max(Math.max(start[axis], part.start(axis)), unit.region.start(axis));
            long hi = Math.min(Math.min(end[axis], part.end(axis)), unit.region.end(axis));
            piece[axis] = hi - lo;
            from += (lo - start[axis]) * strides[axis];
            to += (lo - unit.region.start(axis)) * unit.strides()[axis];
        }
        copier.copy(run, from, strides, unit.buffer, to, unit.strides(), piece, itemSize, swapWord);
    }
}
