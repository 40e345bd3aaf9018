package dev.rechunker.io.zarr;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One level of sharding: the shards of one shape, their inner chunks, and the encoding of their index.
 *
 * <p>Remembers a few shards with a valid index, so that the checksum of a large index is not computed again for every
 * chunk.
 */
final class ShardLevel {
    /** The memory of one level for remembered shards, in bytes. */
    static final long REMEMBERED_BYTES = 2048;

    private final Shape shard;
    private final Shape inner;
    private final Shape counts;
    private final ShardIndex index;
    private final AtomicLongArray verified = new AtomicLongArray((int) (REMEMBERED_BYTES / Long.BYTES));

    /**
     * Creates a level.
     *
     * @throws IllegalArgumentException if a shard does not consist of a whole number of inner chunks
     */
    ShardLevel(Shape shard, Shape inner, ShardIndex index) {
        this.shard = shard;
        this.inner = inner;
        this.index = index;
        this.counts = shard.combine(inner, (outer, n) -> {
            if (n == 0 || outer % n != 0) {
                throw new IllegalArgumentException(
                        "shards of " + shard + " do not consist of a whole number of chunks of " + inner);
            }
            return outer / n;
        });
    }

    Shape shard() {
        return shard;
    }

    Shape inner() {
        return inner;
    }

    /** {@return the number of inner chunks along each axis of a shard} */
    Shape counts() {
        return counts;
    }

    ShardIndex index() {
        return index;
    }

    /** {@return the size of the index, in bytes} */
    long indexSize() {
        return index.size(counts.elements());
    }

    /** {@return the position in the index of the inner chunk that contains the origin of a region} */
    long entry(Region region) {
        long entry = 0;
        for (int axis = 0; axis < shard.rank(); axis++) {
            long inside = region.start(axis) % shard.extent(axis);
            entry = entry * counts.extent(axis) + inside / inner.extent(axis);
        }
        return entry;
    }

    /** {@return the ordinal of the shard that contains the origin of a region} */
    long ordinal(Region region, Shape array) {
        long ordinal = 0;
        for (int axis = 0; axis < shard.rank(); axis++) {
            long count = (array.extent(axis) - 1) / shard.extent(axis) + 1;
            ordinal = ordinal * count + region.start(axis) / shard.extent(axis);
        }
        return ordinal;
    }

    /** {@return whether the index of a shard is known to be valid; false if that was forgotten} */
    boolean isVerified(long ordinal) {
        return verified.get(slot(ordinal)) == ordinal + 1;
    }

    /** Remembers that the index of a shard is valid. */
    void markVerified(long ordinal) {
        verified.set(slot(ordinal), ordinal + 1);
    }

    private int slot(long ordinal) {
        return (int) Math.floorMod(ordinal, (long) verified.length());
    }
}
