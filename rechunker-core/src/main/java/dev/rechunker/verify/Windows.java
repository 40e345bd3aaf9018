package dev.rechunker.verify;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import java.util.SplittableRandom;

/**
 * The windows that are compared: all, or a share of them, spread over the array. Of a share, the first and the last
 * window are always among them, and the same ones each time. Not thread-safe.
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

    /** {@return the next window: one of each of as many runs of windows as are taken} */
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
