package dev.rechunker.copy;

import java.nio.ByteBuffer;

/**
 * A copier of many boxes of one rank: {@link StridedCopy#copy} without allocating its loop variables for each box. Not
 * thread-safe.
 */
public final class BoxCopier {
    private final LoopNest nest;

    /** Creates a copier of boxes of at most this rank. */
    public BoxCopier(int rank) {
        nest = new LoopNest(rank + 1);
    }

    /** Copies a box; parameters and exceptions are those of {@link StridedCopy#copy}. */
    public void copy(
            ByteBuffer source,
            long sourceOffset,
            long[] sourceStrides,
            ByteBuffer target,
            long targetOffset,
            long[] targetStrides,
            long[] extents,
            int itemSize,
            int swapWord) {
        boolean swap = swapWord > 1;
        if (swapWord < 1 || swapWord > 8 || Integer.bitCount(swapWord) != 1 || itemSize % swapWord != 0) {
            throw new IllegalArgumentException(
                    "cannot reverse words of " + swapWord + " bytes in elements of " + itemSize + " bytes");
        }
        nest.clear();
        for (int axis = 0; axis < StridedCopy.requireRank(extents, sourceStrides, targetStrides); axis++) {
            nest.add(extents[axis], sourceStrides[axis], targetStrides[axis]);
        }
        if (swap) {
            nest.add(itemSize / swapWord, swapWord, swapWord);
        }
        if (nest.normalize()) {
            nest.copy(source, sourceOffset, target, targetOffset, swap ? swapWord : itemSize, swap);
        }
    }
}
