package dev.rechunker.bench;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A copy to measure: an array, the chunks of its copy, and a memory bound.
 *
 * @param name the name
 * @param input the array
 * @param chunks the chunks of the copy
 * @param target the format of the copy
 * @param codec the codecs of the copy, in the form of {@code copy --codec}
 * @param maxMem the memory bound
 * @param shards the shards of the copy; empty for none
 * @param axes the axes of the input in the order of those of the copy; empty if the order stays the same
 * @param levels the number of levels of the copy, of which the first is the array itself; 0 for an array without levels
 */
public record Workload(
        String name,
        Input input,
        Shape chunks,
        Container target,
        String codec,
        ByteSize maxMem,
        Optional<Shape> shards,
        List<Integer> axes,
        int levels) {
    /** The smallest bound after scaling, which is enough for all workloads of any size. */
    private static final long LEAST_BOUND = 32_000_000;

    /** Copies the list. */
    public Workload {
        axes = List.copyOf(axes);
    }

    /** Creates a workload without shards and levels, with the axes in their order. */
    public Workload(String name, Input input, Shape chunks, Container target, String codec, ByteSize maxMem) {
        this(name, input, chunks, target, codec, maxMem, Optional.empty(), List.of(), 0);
    }

    /** {@return the same workload with shards} */
    Workload inShards(Optional<Shape> of) {
        return new Workload(name, input, chunks, target, codec, maxMem, of, axes, levels);
    }

    /** {@return the same workload with the axes of the input in this order; the chunks are in the new order already} */
    Workload transposed(Integer... order) {
        return new Workload(name, input, chunks, target, codec, maxMem, shards, List.of(order), levels);
    }

    /** {@return the same workload with a number of levels} */
    Workload withLevels(int number) {
        return new Workload(name, input, chunks, target, codec, maxMem, shards, axes, number);
    }

    /** {@return whether the axes keep their order, and there are no levels} */
    boolean isPlain() {
        return axes.isEmpty() && levels == 0;
    }

    /** {@return whether only the shards change, so that no chunk has to be decoded} */
    public boolean keepsChunks() {
        return chunks.equals(input.chunks()) && codec.equals(input.codec()) && isPlain();
    }

    /**
     * {@return a workload of the same kind with about {@code scale} times the bytes and {@code scale} times the bound}
     *
     * <p>The first axis of at least 100 elements is scaled. Chunks that cover at least half of it are scaled, too.
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
                input.codec(),
                input.shards().map(shard -> scaledShard(shard, input.chunks(), axis, before, after)));
        int put = axes.isEmpty() ? axis : axes.indexOf(axis);
        Shape scaled = with(chunks, put, share(chunks.extent(put), before, after));
        ByteSize bound = ByteSize.of(Math.max((long) (maxMem.bytes() * scale), LEAST_BOUND));
        Optional<Shape> inShards = shards.map(shard -> scaledShard(shard, chunks, put, before, after));
        return new Workload(name, smaller, scaled, target, codec, bound, inShards, axes, levels);
    }

    /** {@return a shard with as many chunks as before} */
    private static Shape scaledShard(Shape shard, Shape chunk, int axis, long before, long after) {
        long ratio = shard.extent(axis) / chunk.extent(axis);
        return with(shard, axis, ratio * share(chunk.extent(axis), before, after));
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

    /** {@return the grid of the chunks of the copy} */
    public ChunkGrid grid() {
        long[] extents = input.shape().toArray();
        for (int axis = 0; axis < axes.size(); axis++) {
            extents[axis] = input.shape().extent(axes.get(axis));
        }
        return ChunkGrid.regular(Shape.of(extents), chunks);
    }

    /** {@return the order of axes that makes that of the input from that of the copy} */
    List<Integer> inverse() {
        Integer[] inverse = new Integer[axes.size()];
        for (int axis = 0; axis < inverse.length; axis++) {
            inverse[axes.get(axis)] = axis;
        }
        return Arrays.asList(inverse);
    }
}
