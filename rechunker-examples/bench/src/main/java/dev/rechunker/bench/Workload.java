package dev.rechunker.bench;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
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
 */
public record Workload(
        String name,
        Input input,
        Shape chunks,
        Container target,
        String codec,
        ByteSize maxMem,
        Optional<Shape> shards) {
    /** The smallest bound after scaling, which is enough for all workloads of any size. */
    private static final long LEAST_BOUND = 32_000_000;

    /** Creates a workload without shards. */
    public Workload(String name, Input input, Shape chunks, Container target, String codec, ByteSize maxMem) {
        this(name, input, chunks, target, codec, maxMem, Optional.empty());
    }

    /** {@return whether only the shards change, so that no chunk has to be decoded} */
    public boolean keepsChunks() {
        return chunks.equals(input.chunks()) && codec.equals(input.codec());
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
        Shape scaled = with(chunks, axis, share(chunks.extent(axis), before, after));
        ByteSize bound = ByteSize.of(Math.max((long) (maxMem.bytes() * scale), LEAST_BOUND));
        Optional<Shape> inShards = shards.map(shard -> scaledShard(shard, chunks, axis, before, after));
        return new Workload(name, smaller, scaled, target, codec, bound, inShards);
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
        return ChunkGrid.regular(input.shape(), chunks);
    }
}
