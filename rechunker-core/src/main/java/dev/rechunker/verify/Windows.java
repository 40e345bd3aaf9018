package dev.rechunker.verify;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import java.util.SplittableRandom;

/**
 * An iterator over the windows that are compared: all of them, or a sample that is spread over the array. A sample is
 * always the same, and contains the first and the last window. Not thread-safe.
 */
final class Windows {
    private static final long SEED = 0x5EED;

    private final ChunkGrid grid;
    private final long taken;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private long next;

    Windows(ChunkGrid grid, double share) {
        this.grid = grid;
        this.taken = taken(grid, share);
    }

    private static long taken(ChunkGrid grid, double share) {
        return share >= 1 ? grid.count() : Math.min(grid.count(), Math.max(2, (long) Math.ceil(grid.count() * share)));
    }

    boolean hasNext() {
        return next < taken;
    }

    /** {@return the next window; a sample has one window of each of several equal ranges of windows} */
    Region next() {
        long length = grid.count() / taken;
        long longer = grid.count() % taken;
        long start = next * length + Math.min(next, longer);
        long size = length + (next < longer ? 1 : 0);
        long within = next == 0 ? 0 : next == taken - 1 ? size - 1 : random.nextLong(size);
        next++;
        return grid.regionAt(start + within);
    }
}
