package dev.rechunker.io.bytes;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads any part of a box of unencoded elements in C order. It reads run by run; a run is a sequence of elements that
 * are adjacent both in the box and in the part. Short runs are read together, with the bytes between them.
 */
public final class BoxReader {
    /** Runs of at least this many bytes are read one by one. */
    private static final int LONG_RUN = 1 << 12;

    private static final int SPAN = 1 << 16;

    /**
     * The whole range of a part is requested at once if it has at most this many bytes, or at most
     * {@link #NOT_MUCH_MORE} times the bytes of the part.
     */
    private static final long LITTLE = 1 << 22;

    private static final int NOT_MUCH_MORE = 4;

    private final Source source;
    private final Region part;
    private final long[] strides;
    private final long run;
    private final int span;
    private final ByteBuffer target;
    private final Scratch scratch;

    /** The bytes of the box. */
    @FunctionalInterface
    public interface Source {
        /** Reads from an offset, counted from the first byte of the box, until the buffer is full. */
        void read(long offset, ByteBuffer target) throws IOException;
    }

    private BoxReader(
            Source source, Region part, long[] strides, long run, int span, ByteBuffer target, Scratch scratch) {
        this.source = source;
        this.part = part;
        this.strides = strides;
        this.run = run;
        this.span = span;
        this.target = target;
        this.scratch = scratch;
    }

    /** {@return the bytes that reading takes from the scratch memory at most, for a box of the given size in bytes} */
    public static int scratchBytes(long boxBytes) {
        return (int) Math.min(SPAN, boxBytes);
    }

    /**
     * {@return the range to request first when a part of a box is read: from its first to its last element; or its
     * first row, if most of that range is not in the part}
     */
    public static Span first(Shape box, int itemSize, Region part) {
        long first = 0;
        long last = 0;
        for (int axis = 0; axis < box.rank(); axis++) {
            first = first * box.extent(axis) + part.start(axis);
            last = last * box.extent(axis) + part.end(axis) - 1;
        }
        long bytes = (last - first + 1) * itemSize;
        boolean together = bytes <= LITTLE || bytes / NOT_MUCH_MORE <= part.elements() * itemSize;
        long row = part.rank() == 0 ? itemSize : part.extent(part.rank() - 1) * itemSize;
        return new Span(first * itemSize, together ? bytes : row);
    }

    /**
     * Reads a part of a box into {@code target}, dense and in C order.
     *
     * @param part the part, relative to the origin of the box; not empty
     */
    public static void read(Source source, Shape box, int itemSize, Region part, ByteBuffer target, Scratch scratch)
            throws IOException {
        int rank = box.rank();
        long[] strides = new long[rank];
        long stride = itemSize;
        long offset = 0;
        long run = itemSize;
        int outer = rank;
        boolean joined = true;
        for (int axis = rank - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            offset += part.start(axis) * stride;
            stride *= box.extent(axis);
            if (joined) {
                run *= part.extent(axis);
                outer = axis;
                joined = part.extent(axis) == box.extent(axis);
            }
        }
        new BoxReader(source, part, strides, run, scratchBytes(stride), target, scratch).read(0, outer, offset);
    }

    /** Reads the part along the axes from {@code axis} on; a run spans the axes from {@code outer} on. */
    private void read(int axis, int outer, long offset) throws IOException {
        if (axis == outer) {
            run(offset);
        } else if (axis == outer - 1 && run < LONG_RUN && strides[axis] + run <= span) {
            together(axis, offset);
        } else {
            for (long i = 0; i < part.extent(axis); i++) {
                read(axis + 1, outer, offset + i * strides[axis]);
            }
        }
    }

    private void run(long offset) throws IOException {
        int end = target.limit();
        target.limit(Math.toIntExact(target.position() + run));
        source.read(offset, target);
        target.limit(end);
    }

    private void together(int axis, long offset) throws IOException {
        long stride = strides[axis];
        long most = (span - run) / stride + 1;
        for (long first = 0; first < part.extent(axis); first += most) {
            long count = Math.min(most, part.extent(axis) - first);
            int mark = scratch.mark();
            ByteBuffer between = scratch.take((count - 1) * stride + run);
            source.read(offset + first * stride, between);
            for (int i = 0; i < count; i++) {
                target.put(between.slice(Math.toIntExact(i * stride), (int) run));
            }
            scratch.release(mark);
        }
    }
}
