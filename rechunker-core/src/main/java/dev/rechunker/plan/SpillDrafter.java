package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Drafts {@link Strategy.Spill}: 4 N bytes. The slabs and windows are those that fit and have the fewest pieces in
 * common, the product over the axes of the parts that both cuts together make. One drafter is for one problem.
 */
final class SpillDrafter implements Planner.Drafter {
    /** Pieces of windows are cut at the borders of units, if they are still so large. */
    private static final long LEAST_PIECE_BYTES = 128 << 10;

    /** A piece is not written more at once than this. */
    private static final long MOST_PIECE_BYTES = 16L << 20;

    /** By axis, and by how the source is cut there: it may be cut further. */
    private final List<Map<Partition, AxisPairs>> pairs = new ArrayList<>();

    /** The best choices with the last bound, by how the source is cut. */
    private final Map<ChunkGrid, List<Choice>> best = new HashMap<>();

    @Override
    public Optional<Draft> draft(Problem problem, Resources resources, int lanes) {
        if (!resources.spillAllowed()) {
            return Optional.empty();
        }
        boolean wholeChunks = problem.reading() == Reading.WHOLE_CHUNKS
                && resources.remoteSpill().isEmpty();
        // Reading back piece by piece needs some room, or it degenerates into rows; an exact fit is taken if need be.
        long reserve = wholeChunks
                ? Math.min(StageBuilder.MOST_READ_BYTES, Math.max(64 << 10, resources.maxMem() / (32L * lanes)))
                : 0;
        Optional<Draft> draft = draft(problem, resources, lanes, reserve);
        return draft.isPresent() || reserve == 0 ? draft : draft(problem, resources, lanes, 0);
    }

    @Override
    public double leastSeconds(Problem problem, CostModel model, int lanes) {
        double local = 2 / model.spillBytesPerSecond();
        double remote = 1 / model.readBytesPerSecond() + 1 / model.writeBytesPerSecond();
        return Planner.Drafter.super.leastSeconds(problem, model, lanes) + problem.bytes() * Math.min(local, remote);
    }

    private Optional<Draft> draft(Problem problem, Resources resources, int lanes, long reserve) {
        Optional<RemoteSpill> remote = resources.remoteSpill();
        Lane split = Lane.split(problem, remote);
        Lane merge = Lane.merge(problem, remote);
        long maxMem = resources.maxMem();
        UnitLayout units = UnitLayout.of(problem.target(), problem.itemSize(), problem.mostUnits());
        UnitLayout largestPieces = new UnitLayout(MOST_PIECE_BYTES, units.segmentBytes(), false, Long.MAX_VALUE);
        long slabLimit = largestPieces.ringLimit(split, lanes, maxMem);
        long windowLimit = units.ringLimit(merge.reading(reserve), lanes, maxMem);
        if (slabLimit <= 0 || windowLimit <= 0) {
            return Optional.empty();
        }
        double item = problem.itemSize();
        ChunkGrid readable = readable(problem, slabLimit);
        List<AxisWays> axes = new ArrayList<>();
        for (int axis = 0; axis < readable.rank(); axis++) {
            int current = axis;
            if (pairs.size() == axis) {
                pairs.add(new HashMap<>());
            }
            AxisPairs ways = pairs.get(axis)
                    .computeIfAbsent(
                            readable.axis(axis),
                            source -> new AxisPairs(
                                    source,
                                    problem.target().axis(current),
                                    count -> problem.bufferExtent(current, count)));
            axes.add(ways.within(slabLimit / item, windowLimit / item));
        }
        List<Choice> before = best.getOrDefault(readable, List.of());
        List<Choice> choices = new BestProduct(axes, slabLimit / item, windowLimit / item).solve(before);
        if (choices.isEmpty() && readable.rank() > 0) {
            return Optional.empty();
        }
        best.put(readable, choices);
        List<Parts> parts = choices.stream().map(Choice::parts).toList();
        ChunkGrid windows = WindowDrafter.windows(problem.target(), parts);
        List<Partition> slabAxes = new ArrayList<>();
        for (int axis = 0; axis < readable.rank(); axis++) {
            slabAxes.add(readable.axis(axis).group(parts.get(axis).slab()));
        }
        ChunkGrid slabs = ChunkGrid.of(slabAxes);
        ChunkGrid blocks = slabs.combine(windows, (s, w) -> Partition.regular(s.length(), s.coupledSize(w)));
        ChunkGrid whole =
                remote.isPresent() ? slabs.combine(windows, Partition::refine) : pieces(slabs, windows, problem);
        ChunkGrid pieces = cut(whole, MOST_PIECE_BYTES / item);
        boolean anyBytes = problem.reading() == Reading.ANY_BYTES;
        StageBuilder splitting = new StageBuilder(
                "split",
                Stage.Kind.SPLIT,
                slabs,
                problem.source(),
                pieces,
                problem.itemSize(),
                anyBytes,
                0,
                UnitLayout.of(pieces, problem.itemSize(), problem.mostUnits()).inside(units),
                Frontier.of(problem.source(), pieces));
        Optional<Stage> first =
                (remote.isPresent() ? splitting.holdingWholeWindows() : splitting).build(split, lanes, maxMem);
        Optional<Stage> second = new StageBuilder(
                        "merge",
                        Stage.Kind.MERGE,
                        windows,
                        pieces,
                        problem.target(),
                        problem.itemSize(),
                        remote.isEmpty(),
                        0,
                        units,
                        Frontier.of(pieces, problem.target()))
                .build(merge, lanes, maxMem);
        if (first.isEmpty() || second.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Draft(
                new Strategy.Spill(slabs, windows, blocks),
                List.of(first.get(), second.get()),
                cost(problem, resources, lanes, slabs, windows, blocks, first.get(), second.get())));
    }

    /** {@return what can be read on its own: chunks, or, of chunks too large for memory, rows or planes} */
    private static ChunkGrid readable(Problem problem, long limit) {
        if (problem.reading() == Reading.WHOLE_CHUNKS) {
            return problem.source();
        }
        return cut(problem.source(), (double) limit / problem.itemSize());
    }

    /**
     * {@return what is written to the spill at once: the part of a slab in one write unit, which can be read back to
     * its place; if that would be too little, the part in one window}
     */
    private static ChunkGrid pieces(ChunkGrid slabs, ChunkGrid windows, Problem problem) {
        ChunkGrid byUnit = slabs.combine(problem.target(), Partition::refine);
        return problem.bytes() / byUnit.count() >= LEAST_PIECE_BYTES
                ? byUnit
                : slabs.combine(windows, Partition::refine);
    }

    /** {@return the grid, cut further on the slowest axes where a chunk has more elements} */
    private static ChunkGrid cut(ChunkGrid grid, double elements) {
        List<Partition> axes = new ArrayList<>(grid.axes());
        double room = elements;
        for (int axis = axes.size() - 1; axis >= 0; axis--) {
            Partition cuts = axes.get(axis);
            if (cuts.maxSize() > room) {
                axes.set(axis, cuts.refine(Partition.regular(cuts.length(), Math.max(1, (long) room))));
                room = 1;
            } else {
                room /= cuts.maxSize();
            }
        }
        return ChunkGrid.of(axes);
    }

    private static Cost cost(
            Problem problem,
            Resources resources,
            int lanes,
            ChunkGrid slabs,
            ChunkGrid windows,
            ChunkGrid blocks,
            Stage split,
            Stage merge) {
        CostModel model = resources.costModel();
        double bytes = problem.bytes();
        double pieces = 1;
        for (int axis = 0; axis < slabs.rank(); axis++) {
            pieces *= slabs.axis(axis).pieces(windows.axis(axis));
        }
        Pieces bySlab = new Pieces(problem.source());
        double sourceReads = WindowDrafter.requests(problem, slabs, bySlab);
        if (problem.reading() == Reading.ANY_BYTES) {
            sourceReads = Math.max(
                    sourceReads,
                    bytes / Math.max(problem.itemSize(), split.memory().readBytes()));
        }
        double chunks = sourceReads + problem.target().count();
        double spillWrites;
        double spillReads;
        double spilling;
        if (resources.remoteSpill().isPresent()) {
            long slabBytes = slabs.largestChunk().elements() * problem.itemSize();
            spillWrites = (double) slabs.count() * resources.remoteSpill().get().putRequests(slabBytes);
            spillReads = merge.source().count();
            spilling = bytes / model.writeBytesPerSecond()
                    + bytes / model.readBytesPerSecond()
                    + model.secondsOf(spillWrites + spillReads, lanes);
        } else {
            spillWrites = pieces;
            spillReads = Math.max(
                    pieces, bytes / Math.max(problem.itemSize(), merge.memory().readBytes()));
            spilling = 2 * bytes / model.spillBytesPerSecond() + (spillWrites + spillReads) * model.requestSeconds();
        }
        double requests = chunks + spillWrites + spillReads;
        double decoded = problem.reading() == Reading.WHOLE_CHUNKS ? 2 * bytes : 0;
        double seconds = bytes / model.readBytesPerSecond()
                + spilling
                + bytes / model.writeBytesPerSecond()
                + model.secondsOf(chunks, lanes)
                + decoded / (model.codecBytesPerSecond() * lanes);
        Shape block = blocks.largestChunk();
        long peak = block.elements() * problem.itemSize();
        return new Cost(2 * bytes, 2 * bytes, problem.bytes(), peak, bySlab.visits(slabs), pieces, requests, seconds);
    }
}
