package dev.rechunker.io.n5;

import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.Shape;
import java.nio.ByteBuffer;

/** Rearranges the elements of a block from its own shape to the nominal shape of blocks, inside of their buffer. */
final class BlockFit {
    private final ByteBuffer memory;
    private final int itemSize;

    private BlockFit(ByteBuffer memory, int itemSize) {
        this.memory = memory;
        this.itemSize = itemSize;
    }

    /**
     * Rearranges elements. Elements outside of the nominal shape are dropped; elements that the block lacks become
     * zero.
     *
     * @param memory contains the elements from byte 0, and is large enough for both shapes
     * @param from the shape of the block
     * @param to the nominal shape
     * @param needed the part of the nominal shape that is in the array; other elements may have any value
     */
    static void fit(ByteBuffer memory, Shape from, Shape to, Shape needed, int itemSize) {
        BlockFit fit = new BlockFit(memory, itemSize);
        Shape kept = from.combine(to, Math::min);
        // First compact, then expand: so no element is overwritten before it is moved.
        fit.move(kept, from, kept, false);
        fit.move(kept, kept, to, true);
        if (!kept.combine(needed, Math::min).equals(needed)) {
            fit.fill(kept, to, new byte[itemSize]);
        }
    }

    /**
     * Fills elements outside of the array.
     *
     * @param memory contains the elements from byte 0, in the nominal shape
     * @param inside the part of the nominal shape that is in the array
     */
    static void fillOutside(ByteBuffer memory, Shape inside, Shape nominal, byte[] fill) {
        new BlockFit(memory, fill.length).fill(inside, nominal, fill);
    }

    /** Moves a box from one dense layout to another, run by run; the last run first if {@code backward}. */
    private void move(Shape box, Shape from, Shape to, boolean backward) {
        if (from.equals(to)) {
            return;
        }
        long[] fromStrides = StridedCopy.denseStrides(from.toArray(), itemSize);
        long[] toStrides = StridedCopy.denseStrides(to.toArray(), itemSize);
        int inRun = box.rank() - 1;
        while (inRun > 0 && fromStrides[inRun - 1] == toStrides[inRun - 1]) {
            inRun--;
        }
        int length = Math.toIntExact(box.extent(inRun) * fromStrides[inRun]);
        long runs = 1;
        for (int axis = 0; axis < inRun; axis++) {
            runs *= box.extent(axis);
        }
        for (long i = 0; i < runs; i++) {
            long run = backward ? runs - 1 - i : i;
            memory.put(offset(run, box, inRun, toStrides), memory, offset(run, box, inRun, fromStrides), length);
        }
    }

    private static int offset(long run, Shape box, int axes, long[] strides) {
        long offset = 0;
        long rest = run;
        for (int axis = axes - 1; axis >= 0; axis--) {
            offset += rest % box.extent(axis) * strides[axis];
            rest /= box.extent(axis);
        }
        return Math.toIntExact(offset);
    }

    /** Fills the part of a dense layout outside of the box at its origin. */
    private void fill(Shape box, Shape layout, byte[] element) {
        long[] strides = StridedCopy.denseStrides(layout.toArray(), itemSize);
        long[] extents = layout.toArray();
        for (int axis = box.rank() - 1; axis >= 0; axis--) {
            long[] part = extents.clone();
            System.arraycopy(box.toArray(), 0, part, 0, axis);
            part[axis] -= box.extent(axis);
            StridedCopy.fill(memory, box.extent(axis) * strides[axis], strides, part, element);
        }
    }
}
