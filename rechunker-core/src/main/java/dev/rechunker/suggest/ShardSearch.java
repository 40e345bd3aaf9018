package dev.rechunker.suggest;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import java.util.List;

/** Chooses the shards of chunks: as large as a size allows, and such that reads need the indexes of few of them. */
public final class ShardSearch {
    private final ArraySpec array;
    private final List<ReadCosts> ways;

    /** Creates a search. */
    public ShardSearch(ArraySpec array, List<ReadCosts> ways) {
        this.array = array;
        this.ways = ways;
    }

    /**
     * {@return the shards, each of which is a whole number of chunks}
     *
     * <p>Starting with one chunk, it doubles the axis on which that saves most indexes, relative to what each way
     * needs, until no axis can be doubled.
     *
     * @param most the largest size of a shard in bytes
     */
    public ChunkGrid of(Shape chunks, long most) {
        long[] shards = chunks.toArray();
        double bytes = (double) array.dataType().itemSize();
        for (long extent : shards) {
            bytes *= extent;
        }
        while (true) {
            int best = -1;
            double fewest = Double.POSITIVE_INFINITY;
            for (int axis = 0; axis < shards.length; axis++) {
                if (shards[axis] < array.shape().extent(axis) && 2 * bytes <= most) {
                    double indexes = indexes(doubled(shards, axis));
                    if (indexes < fewest) {
                        best = axis;
                        fewest = indexes;
                    }
                }
            }
            if (best < 0) {
                return grid(shards);
            }
            shards = doubled(shards, best);
            bytes *= 2;
        }
    }

    private static long[] doubled(long[] extents, int axis) {
        long[] doubled = extents.clone();
        doubled[axis] *= 2;
        return doubled;
    }

    private ChunkGrid grid(long[] extents) {
        return ChunkGrid.regular(array.shape(), Shape.of(extents));
    }

    /** {@return the product, over all ways, of the indexes that a read needs} */
    private double indexes(long[] shards) {
        double indexes = 1;
        for (ReadCosts way : ways) {
            indexes *= Math.pow(way.along(grid(shards)).parts(), way.way().weight());
        }
        return indexes;
    }
}
