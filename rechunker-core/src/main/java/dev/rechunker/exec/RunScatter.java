package dev.rechunker.exec;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Odometer;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.RunSink;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Scatters a chunk that comes run by run into the units that receive it.
 *
 * <p>A run of elements in C order is at most two boxes per axis: rows that are cut off at its ends, and whole ones
 * between.
 */
final class RunScatter implements RunSink {
    private final Region chunk;
    private final Region part;
    private final long[] extents;
    private final ChunkGrid units;
    private final Region indices;
    private final List<Unit> receivers;
    private final int itemSize;
    private final int swapWord;
    private long next;

    /**
     * Creates it for one chunk.
     *
     * @param extents the shape in which the chunk comes, its nominal one if it is padded
     * @param units the grid of the units
     * @param receivers those that touch the read's part, row-major
     */
    RunScatter(ReadPlan.Read read, Shape extents, ChunkGrid units, List<Unit> receivers, int itemSize, int swapWord) {
        this.chunk = read.region();
        this.part = read.part();
        this.extents = extents.toArray();
        this.units = units;
        this.indices = units.chunksTouching(part);
        this.receivers = receivers;
        this.itemSize = itemSize;
        this.swapWord = swapWord;
    }

    @Override
    public void accept(ByteBuffer run) {
        long end = next + run.remaining() / itemSize;
        int position = run.position();
        while (next < end) {
            long done = box(run, position, end - next);
            position += (int) (done * itemSize);
            next += done;
        }
    }

    /** Scatters the largest box at the run's front that has at most so many elements; {@return how many it has} */
    private long box(ByteBuffer run, int position, long most) {
        int rank = extents.length;
        long[] start = new long[rank];
        long[] shape = new long[rank];
        long rest = next;
        for (int axis = rank - 1; axis >= 0; axis--) {
            start[axis] = rest % extents[axis];
            rest /= extents[axis];
        }
        // The axes behind the cut are whole: they begin at 0, and there is enough for all of them.
        long inner = 1;
        int cut = rank - 1;
        while (cut > 0 && start[cut] == 0 && inner * extents[cut] <= most) {
            shape[cut] = extents[cut];
            inner *= extents[cut--];
        }
        if (rank > 0) {
            shape[cut] = Math.min(extents[cut] - start[cut], most / inner);
            inner *= shape[cut];
        }
        for (int axis = 0; axis < cut; axis++) {
            shape[axis] = 1;
        }
        scatter(run, position, start, shape);
        return inner;
    }

    private void scatter(ByteBuffer run, int position, long[] start, long[] shape) {
        long[] strides = StridedCopy.denseStrides(shape, itemSize);
        for (int axis = 0; axis < start.length; axis++) {
            start[axis] += chunk.start(axis);
        }
        Region box = Region.of(start, Shape.of(shape));
        Optional<Region> wanted = box.intersect(part);
        if (wanted.isEmpty()) {
            return;
        }
        Odometer touched = new Odometer(units.chunksTouching(wanted.get()));
        while (touched.next()) {
            Unit unit = receiver(touched);
            Region piece = wanted.get().intersect(unit.region).orElseThrow();
            StridedCopy.copy(
                    run,
                    position + Unit.offset(piece, box, strides),
                    strides,
                    unit.buffer,
                    unit.offset(piece),
                    unit.strides(),
                    piece.shape().toArray(),
                    itemSize,
                    swapWord);
        }
    }

    private Unit receiver(Odometer index) {
        long ordinal = 0;
        for (int axis = 0; axis < indices.rank(); axis++) {
            ordinal = ordinal * indices.extent(axis) + index.at(axis) - indices.start(axis);
        }
        return receivers.get((int) ordinal);
    }
}
