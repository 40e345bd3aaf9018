package dev.rechunker.exec;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.order.NestedLayout;
import dev.rechunker.order.Odometer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The layout of the temporary copy of a block: window after window, and piece after piece in a window. The place of a
 * piece is computed from its index, whether pieces have the same size or not.
 */
final class SpillLayout {
    private final int itemSize;
    private final int headBytes;
    private final Nesting elements;
    private final Nesting pieces;

    /**
     * Creates the layout.
     *
     * @param region the region of the block
     * @param windows the windows that will be read
     * @param pieces the array in pieces, which do not cross windows
     * @param units the units of the windows; pieces that do not cross units are stored by unit
     * @param itemSize the bytes per element
     * @param headBytes the bytes of a piece in addition to those of its elements
     */
    SpillLayout(Region region, ChunkGrid windows, ChunkGrid pieces, ChunkGrid units, int itemSize, int headBytes) {
        boolean byUnit = pieces.refines(units);
        ChunkGrid inWindow = byUnit ? units : windows;
        this.itemSize = itemSize;
        this.headBytes = headBytes;
        this.elements = new Nesting(region, windows, inWindow, pieces);
        this.pieces = headBytes == 0
                ? elements
                : new Nesting(
                        pieces.chunksTouching(region),
                        counting(windows, pieces),
                        counting(inWindow, pieces),
                        counting(pieces, pieces));
    }

    /** {@return the grid of the indices of pieces, cut at the borders of a coarser grid} */
    private static ChunkGrid counting(ChunkGrid coarse, ChunkGrid pieces) {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < coarse.rank(); axis++) {
            Partition cuts = coarse.axis(axis);
            Partition fine = pieces.axis(axis);
            long[] counts = new long[Math.toIntExact(cuts.count())];
            Arrays.setAll(counts, i -> fine.indexOf(cuts.end(i) - 1) + 1 - fine.indexOf(cuts.start(i)));
            axes.add(Partition.ofSizes(counts));
        }
        return ChunkGrid.of(axes);
    }

    /** {@return the offset of a window in bytes} */
    long start(long[] window) {
        return bytes(nesting -> nesting.before(window));
    }

    /** {@return the offset of the end of a window in bytes} */
    long end(long[] window) {
        return start(window) + bytes(nesting -> nesting.in(window));
    }

    /** {@return the offset of a piece, or of the first of several, in bytes} */
    long offset(Region piece) {
        long[] window = elements.windows.chunksTouching(piece).origin();
        long[] outer = elements.inWindow.chunksTouching(piece).origin();
        long[] index = elements.pieces.chunksTouching(piece).origin();
        return bytes(nesting -> nesting.before(window, outer, index));
    }

    private long bytes(ToLongFunction<Nesting> count) {
        long heads = headBytes == 0 ? 0 : count.applyAsLong(pieces) * headBytes;
        return count.applyAsLong(elements) * itemSize + heads;
    }

    /** Nested boxes of elements, or of the indices of pieces. */
    private static final class Nesting {
        private final ChunkGrid windows;
        private final ChunkGrid inWindow;
        private final ChunkGrid pieces;
        private final List<Integer> order;
        private final NestedLayout outermost;

        Nesting(Region region, ChunkGrid windows, ChunkGrid inWindow, ChunkGrid pieces) {
            this.windows = windows;
            this.inWindow = inWindow;
            this.pieces = pieces;
            this.order = Odometer.naturalOrder(region.rank());
            this.outermost = new NestedLayout(windows, region, order);
        }

        long before(long[] window) {
            return outermost.offset(window);
        }

        long in(long[] window) {
            return windows.region(window).elements();
        }

        long before(long[] window, long[] outer, long[] piece) {
            return outermost.offset(window)
                    + new NestedLayout(inWindow, windows.region(window), order).offset(outer)
                    + new NestedLayout(pieces, inWindow.region(outer), order).offset(piece);
        }
    }
}
