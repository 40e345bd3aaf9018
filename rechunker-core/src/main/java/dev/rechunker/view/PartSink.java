package dev.rechunker.view;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ArrayReader.RunSink;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A sink for the elements of a whole chunk that passes on those of a part of the chunk. */
final class PartSink implements RunSink {
    private final RunSink sink;
    private final int itemSize;
    /** The extents of the chunk in memory on the axes before those of a row. */
    private final long[] counts;

    /** The first row of the part on each of these axes. */
    private final long[] from;
    /** The end of the rows of the part on each of these axes. */
    private final long[] to;
    /** The number of elements in a row. */
    private final long row;
    /** The range of elements of a row that belong to the part. */
    private final long rowFrom;

    private final long rowTo;
    private long position;

    /**
     * Creates a sink that expects the first element of the chunk.
     *
     * @param chunk the region of the chunk
     * @param layout the extents of the chunk in memory, which are larger if edge chunks are padded
     * @param part the region of the part, inside the chunk
     * @param sink receives the elements of the part
     */
    PartSink(Region chunk, Shape layout, Region part, int itemSize, RunSink sink) {
        this.sink = sink;
        this.itemSize = itemSize;
        int outer = part.rank();
        long whole = 1;
        while (outer > 0 && part.extent(outer - 1) == layout.extent(outer - 1)) {
            outer--;
            whole *= layout.extent(outer);
        }
        int rows = Math.max(0, outer - 1);
        long start = outer == 0 ? 0 : part.start(rows) - chunk.start(rows);
        this.row = outer == 0 ? whole : whole * layout.extent(rows);
        this.rowFrom = whole * start;
        this.rowTo = outer == 0 ? whole : whole * (start + part.extent(rows));
        this.counts = new long[rows];
        this.from = new long[rows];
        this.to = new long[rows];
        for (int axis = 0; axis < rows; axis++) {
            counts[axis] = layout.extent(axis);
            from[axis] = part.start(axis) - chunk.start(axis);
            to[axis] = from[axis] + part.extent(axis);
        }
    }

    @Override
    public void accept(ByteBuffer run) throws IOException {
        int start = run.position();
        long end = position + run.remaining() / itemSize;
        for (long at = position; at < end; ) {
            long rowStart = at - at % row;
            long first = Math.max(at, rowStart + rowFrom);
            long last = Math.min(end, rowStart + rowTo);
            if (first < last && isWanted(rowStart / row)) {
                int offset = start + (int) (first - position) * itemSize;
                sink.accept(run.slice(offset, (int) (last - first) * itemSize));
            }
            at = rowStart + row;
        }
        position = end;
    }

    private boolean isWanted(long rowIndex) {
        long rest = rowIndex;
        for (int axis = counts.length - 1; axis >= 0; axis--) {
            long index = rest % counts[axis];
            rest /= counts[axis];
            if (index < from[axis] || index >= to[axis]) {
                return false;
            }
        }
        return true;
    }
}
