package dev.rechunker.io.zarr;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One level of sharding: the grid of shards, their inner chunks, and the encoding of their index.
 *
 * <p>Remembers a few shards with a valid index, so that the checksum of a large index is not computed again for every
 * chunk.
 */
final class ShardLevel {
    /** The memory of one level for remembered shards, in bytes. */
    static final long REMEMBERED_BYTES = 2048;

    private final ChunkGrid shards;
    private final Shape inner;
    private final ShardIndex index;
    private final AtomicLongArray verified = new AtomicLongArray((int) (REMEMBERED_BYTES / Long.BYTES));

    /**
     * Creates a level.
     *
     * @throws IllegalArgumentException if a shard does not consist of a whole number of inner chunks
     */
    ShardLevel(ChunkGrid shards, Shape inner, ShardIndex index) {
        this.shards = shards;
        this.inner = inner;
        this.index = index;
        if (inner.rank() != shards.rank()) {
            throw new IllegalArgumentException("chunks of " + inner + " are not in shards of " + shards.chunkText());
        }
        for (int axis = 0; axis < shards.rank(); axis++) {
            if (inner.extent(axis) == 0 || !shards.axis(axis).isInUnits(inner.extent(axis))) {
                throw new IllegalArgumentException(
                        "shards of " + shards.chunkText() + " do not consist of a whole number of chunks of " + inner);
            }
        }
    }

    /** {@return the nominal sizes of shards, for messages and comparisons} */
    String shards() {
        return shards.chunkText();
    }

    /** {@return the nominal shape of the shard that contains the origin of a region} */
    Shape shard(Region region) {
        return shards.nominalShape(region);
    }

    /** {@return the nominal shape of the largest shard} */
    Shape largestShard() {
        return shards.chunkShape();
    }

    Shape inner() {
        return inner;
    }

    /** {@return the number of inner chunks along each axis of the shard that contains the origin of a region} */
    Shape counts(Region region) {
        return counts(shard(region));
    }

    /** {@return the number of inner chunks of the largest shard} */
    long mostChunks() {
        return counts(largestShard()).elements();
    }

    private Shape counts(Shape shard) {
        return shard.combine(inner, (outer, n) -> outer / n);
    }

    ShardIndex index() {
        return index;
    }

    /** {@return the size of the index of the shard that contains the origin of a region, in bytes} */
    long indexSize(Region region) {
        return index.size(counts(region).elements());
    }

    /** {@return the size of the largest index, in bytes} */
    long mostIndexSize() {
        return index.size(mostChunks());
    }

    /** {@return the position in the index of the inner chunk that contains the origin of a region} */
    long entry(Region region) {
        long entry = 0;
        for (int axis = 0; axis < shards.rank(); axis++) {
            Partition along = shards.axis(axis);
            long shard = along.indexOf(region.start(axis));
            long inside = region.start(axis) - along.start(shard);
            entry = entry * (along.nominalSize(shard) / inner.extent(axis)) + inside / inner.extent(axis);
        }
        return entry;
    }

    /** {@return the ordinal of the shard that contains the origin of a region, modulo 2^64} */
    long ordinal(Region region) {
        long ordinal = 0;
        for (int axis = 0; axis < shards.rank(); axis++) {
            Partition along = shards.axis(axis);
            ordinal = ordinal * along.count() + along.indexOf(region.start(axis));
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
