package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.Problem.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The slabs and windows of a spill, and its stages. What they take depends on how much of each block stays in memory.
 *
 * @param problem what they are for
 * @param resources within which they fit
 * @param lanes threads with buffers of their own
 * @param slabs what the first stage reads
 * @param windows what the second stage assembles
 * @param split the first stage
 * @param merge the second stage
 */
record SpillStages(
        Problem problem, Resources resources, int lanes, ChunkGrid slabs, ChunkGrid windows, Stage split, Stage merge) {
    /** Pieces of windows are cut at the borders of units, if they are still so large. */
    private static final long LEAST_PIECE_BYTES = 128 << 10;

    /** A piece is not written more at once than this. */
    static final long MOST_PIECE_BYTES = 16L << 20;

    /** To keep a smaller share of a block in memory is not worth it. */
    static final double LEAST_KEPT = 0.02;

    /** {@return the stages for these slabs and windows, or empty if one of them does not fit into the bound} */
    static Optional<SpillStages> of(
            Problem problem, Resources resources, int lanes, ChunkGrid slabs, ChunkGrid windows) {
        int item = problem.itemSize();
        Optional<RemoteSpill> remote = resources.remoteSpill();
        UnitLayout units = UnitLayout.of(problem.target(), item, problem.mostUnits());
        ChunkGrid whole =
                remote.isPresent() ? slabs.combine(windows, Partition::refine) : pieces(slabs, windows, problem);
        ChunkGrid pieces = cut(whole, (double) MOST_PIECE_BYTES / item);
        StageBuilder splitting = new StageBuilder(
                "split",
                Stage.Kind.SPLIT,
                slabs,
                problem.source(),
                pieces,
                item,
                problem.reading() == Reading.ANY_BYTES,
                0,
                UnitLayout.of(pieces, item, problem.mostUnits()).inside(units),
                Frontier.of(problem.source(), pieces));
        Optional<Stage> split = (remote.isPresent() ? splitting.holdingWholeWindows() : splitting)
                .build(Lane.split(problem, remote), lanes, resources.maxMem());
        Optional<Stage> merge = new StageBuilder(
                        "merge",
                        Stage.Kind.MERGE,
                        windows,
                        pieces,
                        problem.target(),
                        item,
                        remote.isEmpty(),
                        0,
                        units,
                        Frontier.of(pieces, problem.target()))
                .build(Lane.merge(problem, remote), lanes, resources.maxMem());
        return split.flatMap(first ->
                merge.map(second -> new SpillStages(problem, resources, lanes, slabs, windows, first, second)));
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
    static ChunkGrid cut(ChunkGrid grid, double elements) {
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

    /** {@return regions that neither a slab nor a window crosses} */
    static ChunkGrid blocks(ChunkGrid slabs, ChunkGrid windows) {
        return slabs.combine(windows, (s, w) -> Partition.regular(s.length(), s.coupledSize(w)));
    }

    private ChunkGrid blocks() {
        return blocks(slabs, windows);
    }

    /** {@return the draft that keeps in memory what both stages leave of the bound} */
    Draft keepingRest(long maxMem) {
        long block = blocks().largestChunk().elements() * problem.itemSize();
        long rest = maxMem - total(0);
        // A larger workspace may have more borders between segments, each with a spare buffer.
        while (rest > 0 && total(rest) > maxMem) {
            rest -= total(rest) - maxMem;
        }
        // A block that fits is a window.
        boolean pays = rest >= block * LEAST_KEPT && rest < block;
        return keeping(pays ? rest / problem.itemSize() * problem.itemSize() : 0);
    }

    /**
     * {@return a bound within which the stages may fit together, or this one if they do}
     *
     * <p>One may take a larger workspace, the other larger spares.
     */
    long boundOfEach(long maxMem) {
        long excess = total(0) - maxMem;
        long largest = Math.max(split.memory().total(), merge.memory().total());
        return excess <= 0 ? maxMem : Math.max(0, largest - excess);
    }

    private long total(long residentBytes) {
        return Stage.heldBy(List.of(split.keeping(residentBytes), merge.keeping(residentBytes)));
    }

    /** {@return the draft that keeps so many bytes of each block in memory, or all of a block that has less} */
    Draft keeping(long residentBytes) {
        return new Draft(
                new Strategy.Spill(slabs, windows, blocks(), residentBytes),
                List.of(split.keeping(residentBytes), merge.keeping(residentBytes)),
                cost(residentBytes));
    }

    private Cost cost(long residentBytes) {
        CostModel model = resources.costModel();
        double bytes = problem.bytes();
        ChunkGrid blocks = blocks();
        long spilled = problem.bytes() - inMemory(blocks, residentBytes / problem.itemSize()) * problem.itemSize();
        double share = spilled / bytes;
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
        Spilling spilling = resources.remoteSpill().isPresent()
                ? remotely(resources.remoteSpill().get())
                : locally(pieces, spilled);
        double decoded = problem.reading() == Reading.WHOLE_CHUNKS ? 2 * bytes : 0;
        double seconds = bytes / model.readBytesPerSecond()
                + spilling.seconds
                + bytes / model.writeBytesPerSecond()
                + model.secondsOf(chunks, lanes)
                + decoded / (model.codecBytesPerSecond() * lanes);
        long peak = Math.max(0, blocks.largestChunk().elements() * problem.itemSize() - residentBytes);
        // What stays in memory is assembled there, window by window.
        double operations = pieces * share + windows.count() * (1 - share);
        return new Cost(
                bytes + spilled,
                bytes + spilled,
                spilled,
                peak,
                bySlab.visits(slabs),
                operations,
                chunks + spilling.requests,
                seconds);
    }

    /** What writing a spill and reading it back takes. */
    private record Spilling(double requests, double seconds) {}

    private Spilling locally(double pieces, long spilled) {
        double bytes = problem.bytes();
        double reads = Math.max(
                pieces, bytes / Math.max(problem.itemSize(), merge.memory().readBytes()));
        double requests = (pieces + reads) * spilled / bytes;
        CostModel model = resources.costModel();
        return new Spilling(requests, 2.0 * spilled / model.spillBytesPerSecond() + requests * model.requestSeconds());
    }

    private Spilling remotely(RemoteSpill spill) {
        double bytes = problem.bytes();
        long slab = slabs.largestChunk().elements() * problem.itemSize();
        double requests = (double) slabs.count() * spill.putRequests(slab)
                + merge.source().count();
        CostModel model = resources.costModel();
        return new Spilling(
                requests,
                bytes / model.writeBytesPerSecond()
                        + bytes / model.readBytesPerSecond()
                        + model.secondsOf(requests, lanes));
    }

    /** {@return the elements that stay in memory, of all blocks, if at most so many of each do} */
    static long inMemory(ChunkGrid blocks, long most) {
        return most == 0 ? 0 : inMemory(blocks, 0, 1, most);
    }

    /** The same of the blocks that have so many elements on the axes before one, per element of the others. */
    private static long inMemory(ChunkGrid blocks, int axis, long before, long most) {
        long least = before;
        long count = 1;
        for (Partition rest : blocks.axes().subList(axis, blocks.rank())) {
            least *= rest.size(rest.count() - 1);
            count *= rest.count();
        }
        if (least >= most || axis == blocks.rank()) {
            return Math.min(least, most) * count;
        }
        Partition cuts = blocks.axis(axis);
        long last = inMemory(blocks, axis + 1, before * cuts.size(cuts.count() - 1), most);
        return cuts.count() == 1
                ? last
                : (cuts.count() - 1) * inMemory(blocks, axis + 1, before * cuts.step(), most) + last;
    }
}
