package dev.rechunker.bench;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;

/**
 * An array and the chunks that it is wanted in, inside a bound.
 *
 * @param name what it is called
 * @param input the array
 * @param chunks the chunks that it is wanted in
 * @param target what it is wanted in
 * @param codec the codecs that it is wanted with, as {@code copy --codec} takes them
 * @param maxMem the bound
 */
public record Workload(String name, Input input, Shape chunks, Container target, String codec, ByteSize maxMem) {
    /** A bound that the least plans of the workloads here need, however small they are. */
    private static final long LEAST_BOUND = 32_000_000;

    /**
     * {@return a workload of the same kind with about {@code scale} times the bytes, and a bound that is smaller
     * likewise}
     *
     * <p>The first axis of 100 or more is scaled. Chunks that cover half of it or more cover the same share.
     */
    public Workload scaled(double scale) {
        if (scale == 1) {
            return this;
        }
        int axis = firstLongAxis();
        long before = input.shape().extent(axis);
        long after = Math.max(1, Math.round(before * scale));
        Input smaller = new Input(
                input.name(),
                with(input.shape(), axis, after),
                with(input.chunks(), axis, share(input.chunks().extent(axis), before, after)),
                input.type(),
                input.values(),
                input.container(),
                input.codec());
        Shape scaled = with(chunks, axis, share(chunks.extent(axis), before, after));
        ByteSize bound = ByteSize.of(Math.max((long) (maxMem.bytes() * scale), LEAST_BOUND));
        return new Workload(name, smaller, scaled, target, codec, bound);
    }

    private int firstLongAxis() {
        int axis = 0;
        while (axis < input.shape().rank() - 1 && input.shape().extent(axis) < 100) {
            axis++;
        }
        return axis;
    }

    private static long share(long chunk, long before, long after) {
        return 2 * chunk >= before ? Math.max(1, chunk * after / before) : Math.min(chunk, after);
    }

    private static Shape with(Shape shape, int axis, long extent) {
        long[] extents = shape.toArray();
        extents[axis] = extent;
        return Shape.of(extents);
    }

    /** {@return the chunks that it is wanted in} */
    public ChunkGrid grid() {
        return ChunkGrid.regular(input.shape(), chunks);
    }
}
