package dev.rechunker.copy;

import java.nio.ByteBuffer;

/**
 * {@link StridedCopy#copy} for many boxes of one rank, whose axes it keeps in the same place. Not for use by two
 * threads at once.
 */
public final class BoxCopier {
    private final LoopNest nest;

    /** Creates a copier of boxes of this rank, or less. */
    public BoxCopier(int rank) {
        nest = new LoopNest(rank + 1);
    }

    /** Copies the box; see {@link StridedCopy#copy}. */
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
                    "words of " + swapWord + " bytes cannot be reversed in elements of " + itemSize);
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
