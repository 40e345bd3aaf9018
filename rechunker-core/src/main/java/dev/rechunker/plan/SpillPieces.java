package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The pieces into which slabs are cut for a spill. */
final class SpillPieces {
    /** Pieces are cut at the borders of units if they then have at least this size. */
    private static final long LEAST_PIECE_BYTES = 128 << 10;

    /** The largest size of a piece. */
    static final long MOST_PIECE_BYTES = 16L << 20;

    /** The most cuts of an axis that are listed, in 8 MiB. */
    private static final long MOST_LISTED = 1 << 20;

    private SpillPieces() {}

    /** {@return the layout of the largest possible pieces} */
    static UnitLayout largest(Problem problem) {
        UnitLayout units = UnitLayout.of(problem);
        return new UnitLayout(MOST_PIECE_BYTES, MOST_PIECE_BYTES, false, Long.MAX_VALUE).inside(units);
    }

    /**
     * {@return the pieces of slabs} A piece is the part of a slab in one write unit, which can be read straight into
     * its place there. If that would be too small, it is the part of the slab in one window. Empty if there are too
     * many cuts to be listed.
     *
     * @param mostBytes the largest size of a piece
     */
    static Optional<ChunkGrid> between(
            ChunkGrid slabs, ChunkGrid windows, boolean byUnits, Problem problem, long mostBytes) {
        ChunkGrid units = problem.target();
        boolean worthwhile = problem.bytes() / slabs.pieces(units) >= LEAST_PIECE_BYTES;
        ChunkGrid regions = byUnits && worthwhile && isListable(slabs, units) ? units : windows;
        if (!isListable(slabs, regions)) {
            return Optional.empty();
        }
        return cut(slabs.combine(regions, Partition::refine), (double) mostBytes / problem.itemSize());
    }

    /** {@return whether units are the concatenation of their pieces} */
    static boolean join(ChunkGrid pieces, ChunkGrid units) {
        int cut = pieces.rank() - 1;
        while (cut > 0 && pieces.axis(cut).count() == units.axis(cut).count()) {
            cut--;
        }
        return pieces.refines(units)
                && pieces.axes().subList(0, Math.max(0, cut)).stream().allMatch(axis -> axis.maxSize() <= 1);
    }

    /** {@return whether on each axis the cuts of two grids together need not be listed, or are few enough} */
    private static boolean isListable(ChunkGrid one, ChunkGrid other) {
        return IntStream.range(0, one.rank()).allMatch(axis -> isListable(one.axis(axis), other.axis(axis)));
    }

    private static boolean isListable(Partition a, Partition b) {
        long pieces = a.pieces(b);
        return pieces <= MOST_LISTED || pieces == Math.max(a.count(), b.count());
    }

    /**
     * {@return a grid with further cuts on the slowest axes, so that no chunk has more than {@code elements}; empty if
     * an axis would have too many cuts to be listed}
     */
    static Optional<ChunkGrid> cut(ChunkGrid grid, double elements) {
        List<Partition> axes = new ArrayList<>(grid.axes());
        double left = elements;
        for (int axis = axes.size() - 1; axis >= 0; axis--) {
            Partition cuts = axes.get(axis);
            if (cuts.maxSize() > left) {
                Partition further = Partition.regular(cuts.length(), Math.max(1, (long) left));
                if (!isListable(cuts, further)) {
                    return Optional.empty();
                }
                axes.set(axis, cuts.refine(further));
                left = 1;
            } else {
                left /= cuts.maxSize();
            }
        }
        return Optional.of(ChunkGrid.of(axes));
    }
}
