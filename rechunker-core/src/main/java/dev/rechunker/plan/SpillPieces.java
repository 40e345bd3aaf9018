package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The pieces in which slabs go into a spill. */
final class SpillPieces {
    /** Pieces of windows are cut at the borders of units, if they are still so large. */
    private static final long LEAST_PIECE_BYTES = 128 << 10;

    /** A piece is not written more at once than this. */
    static final long MOST_PIECE_BYTES = 16L << 20;

    /** No more cuts of an axis than this are listed, 8 MiB of them. */
    private static final long MOST_LISTED = 1 << 20;

    private SpillPieces() {}

    /** {@return the layout of the largest pieces that there can be} */
    static UnitLayout largest(Problem problem) {
        UnitLayout units = UnitLayout.of(problem);
        return new UnitLayout(MOST_PIECE_BYTES, MOST_PIECE_BYTES, false, Long.MAX_VALUE).inside(units);
    }

    /**
     * {@return what is written to a spill at once: the part of a slab in one write unit, which can be read back to its
     * place; if that would be too little, the part in one window; empty if there are too many to be listed}
     *
     * @param mostBytes what a piece has at most
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

    /** {@return whether pieces, one after the other, are the units as they lie in memory} */
    static boolean join(ChunkGrid pieces, ChunkGrid units) {
        int cut = pieces.rank() - 1;
        while (cut > 0 && pieces.axis(cut).count() == units.axis(cut).count()) {
            cut--;
        }
        return pieces.refines(units)
                && pieces.axes().subList(0, Math.max(0, cut)).stream().allMatch(axis -> axis.maxSize() <= 1);
    }

    /** {@return whether the common cuts of two grids have to be listed on no axis, or are few enough for that} */
    private static boolean isListable(ChunkGrid one, ChunkGrid other) {
        return IntStream.range(0, one.rank()).allMatch(axis -> isListable(one.axis(axis), other.axis(axis)));
    }

    private static boolean isListable(Partition a, Partition b) {
        long pieces = a.pieces(b);
        return pieces <= MOST_LISTED || pieces == Math.max(a.count(), b.count());
    }

    /**
     * {@return the grid, cut further on the slowest axes where a chunk has more elements; empty if an axis would have
     * more cuts than are listed}
     */
    static Optional<ChunkGrid> cut(ChunkGrid grid, double elements) {
        List<Partition> axes = new ArrayList<>(grid.axes());
        double room = elements;
        for (int axis = axes.size() - 1; axis >= 0; axis--) {
            Partition cuts = axes.get(axis);
            if (cuts.maxSize() > room) {
                Partition further = Partition.regular(cuts.length(), Math.max(1, (long) room));
                if (!isListable(cuts, further)) {
                    return Optional.empty();
                }
                axes.set(axis, cuts.refine(further));
                room = 1;
            } else {
                room /= cuts.maxSize();
            }
        }
        return Optional.of(ChunkGrid.of(axes));
    }
}
