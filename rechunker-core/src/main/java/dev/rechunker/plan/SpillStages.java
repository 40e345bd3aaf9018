package dev.rechunker.plan;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Problem.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The stages of a spill. What they take depends on how much of each block stays in memory.
 *
 * @param problem what they are for
 * @param resources within which they fit
 * @param lanes threads with buffers of their own
 * @param regions what they assemble, stage by stage: slabs, what is regrouped on the way, if anything is, windows
 * @param stages the stages
 */
record SpillStages(Problem problem, Resources resources, int lanes, List<ChunkGrid> regions, List<Stage> stages) {
    /** Pieces of windows are cut at the borders of units, if they are still so large. */
    private static final long LEAST_PIECE_BYTES = 128 << 10;

    /** A piece is not written more at once than this. */
    private static final long MOST_PIECE_BYTES = 16L << 20;

    /** No more cuts of an axis than this are listed, 8 MiB of them. */
    private static final long MOST_LISTED = 1 << 20;

    /** To keep a smaller share of a block in memory is not worth it. */
    static final double LEAST_KEPT = 0.02;

    /** Takes copies of the lists. */
    SpillStages {
        regions = List.copyOf(regions);
        stages = List.copyOf(stages);
    }

    /**
     * {@return the stages that assemble these regions, or empty if one of them does not fit into the bound, or there
     * are more pieces on an axis than are listed}
     */
    static Optional<SpillStages> of(Problem problem, Resources resources, int lanes, List<ChunkGrid> regions) {
        List<Stage> stages = new ArrayList<>();
        ChunkGrid source = problem.reads();
        int last = regions.size() - 1;
        long most =
                PackedPieces.of(resources, lanes).map(PackedPieces::mostBytes).orElse(MOST_PIECE_BYTES);
        for (int i = 0; i <= last; i++) {
            Stage.Kind kind = i == 0 ? Stage.Kind.SPLIT : i == last ? Stage.Kind.MERGE : Stage.Kind.REGROUP;
            boolean byUnits = i + 1 == last && resources.remoteSpill().isEmpty();
            Optional<ChunkGrid> units = i == last
                    ? Optional.of(problem.target())
                    : pieces(regions.get(i), regions.get(i + 1), byUnits, problem, most);
            if (units.isEmpty()) {
                return Optional.empty();
            }
            ChunkGrid written = units.get();
            Optional<Stage> stage = stage(problem, resources, lanes, kind, regions.get(i), source, written);
            if (stage.isEmpty()) {
                return Optional.empty();
            }
            stages.add(stage.get());
            boolean joins = byUnits && resources.readsBackAnyBytes() && joins(written, problem.target());
            source = joins ? problem.target() : written;
        }
        return Optional.of(new SpillStages(problem, resources, lanes, regions, stages));
    }

    private static Optional<Stage> stage(
            Problem problem,
            Resources resources,
            int lanes,
            Stage.Kind kind,
            ChunkGrid region,
            ChunkGrid source,
            ChunkGrid written) {
        int item = problem.itemSize();
        Optional<RemoteSpill> remote = resources.remoteSpill();
        UnitLayout units = UnitLayout.of(problem);
        StageBuilder builder = new StageBuilder(
                kind.name().toLowerCase(Locale.ROOT),
                kind,
                region,
                source,
                written,
                item,
                kind.readsSpill() ? resources.readsBackAnyBytes() : problem.reading() == Reading.ANY_BYTES,
                0,
                kind.writesSpill()
                        ? UnitLayout.of(written, item, problem.mostUnits()).inside(units)
                        : units,
                Frontier.of(source, written));
        if (kind.writesSpill() && remote.isPresent()) {
            builder.holdingWholeWindows();
        }
        return builder.build(lane(kind, problem, resources, lanes), lanes, resources.maxMem());
    }

    /** {@return the layout of the largest pieces that there can be} */
    static UnitLayout ofLargestPieces(Problem problem) {
        UnitLayout units = UnitLayout.of(problem);
        return new UnitLayout(MOST_PIECE_BYTES, MOST_PIECE_BYTES, false, Long.MAX_VALUE).inside(units);
    }

    private static Lane lane(Stage.Kind kind, Problem problem, Resources resources, int lanes) {
        return switch (kind) {
            case SPLIT -> Lane.split(problem, resources, lanes);
            case REGROUP -> Lane.regroup(problem, resources, lanes);
            default -> Lane.merge(problem, resources, lanes);
        };
    }

    /**
     * {@return what is written to a spill at once: the part of a slab in one write unit, which can be read back to its
     * place; if that would be too little, the part in one window; empty if there are too many to be listed}
     *
     * @param mostBytes what a piece has at most
     */
    private static Optional<ChunkGrid> pieces(
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
    private static boolean joins(ChunkGrid pieces, ChunkGrid units) {
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

    /** {@return regions that neither a slab nor a window crosses} */
    static ChunkGrid blocks(ChunkGrid slabs, ChunkGrid windows) {
        return slabs.combine(windows, (s, w) -> Partition.regular(s.length(), s.coupledSize(w)));
    }

    /** {@return the temporary copies, each with its blocks} */
    private List<Strategy.Spill.Copy> copies() {
        List<Strategy.Spill.Copy> copies = new ArrayList<>();
        ChunkGrid blocks = regions.get(regions.size() - 1);
        for (int copy = regions.size() - 2; copy >= 0; copy--) {
            blocks = blocks(regions.get(copy), blocks);
            copies.add(0, new Strategy.Spill.Copy(regions.get(copy + 1), blocks));
        }
        return copies;
    }

    private ChunkGrid blocks() {
        return copies().get(0).blocks();
    }

    /** {@return the bytes of the largest block of a copy} */
    private long blockBytes(ChunkGrid blocks) {
        return blocks.largestChunk().elements() * problem.itemSize();
    }

    /** {@return the draft that keeps in memory what both stages leave of the bound} */
    Draft keepingRest(long maxMem) {
        long block = blockBytes(blocks());
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
     * <p>One may take a larger workspace, the other larger spares; none take spares in a workspace of one segment.
     */
    long boundOfEach(long maxMem) {
        long excess = total(0) - maxMem;
        long largest = Stage.most(stages, Stage.Memory::total);
        boolean hasBorders = Stage.most(stages, Stage.Memory::workspaceBytes) > Workspace.MAX_BUFFER;
        return excess <= 0 ? maxMem : Math.max(hasBorders ? Workspace.MAX_BUFFER : 0, largest - excess);
    }

    /** {@return everything that is held if so many bytes of each block are} */
    long total(long residentBytes) {
        return Stage.heldBy(keepingStages(residentBytes));
    }

    private List<Stage> keepingStages(long residentBytes) {
        return stages.stream().map(stage -> stage.keeping(residentBytes)).toList();
    }

    /** {@return the draft that keeps so many bytes of each block in memory, or all of a block that has less} */
    Draft keeping(long residentBytes) {
        return new Draft(
                new Strategy.Spill(regions.get(0), copies(), residentBytes, isCompressed()),
                keepingStages(residentBytes),
                cost(residentBytes));
    }

    private boolean isCompressed() {
        return resources.compression().isPresent();
    }

    /** {@return what one more copy of everything takes besides requests} */
    double copySeconds() {
        return movingSeconds((double) problem.bytes());
    }

    /** {@return what writing so many bytes to a spill and reading them back takes besides requests} */
    private double movingSeconds(double bytes) {
        CostModel model = resources.costModel();
        return resources.remoteSpill().isPresent()
                ? bytes / model.writeBytesPerSecond() + bytes / model.readBytesPerSecond()
                : model.spillSeconds(bytes, isCompressed(), lanes);
    }

    private Cost cost(long residentBytes) {
        CostModel model = resources.costModel();
        double bytes = problem.bytes();
        List<Strategy.Spill.Copy> copies = copies();
        long kept = inMemory(copies.get(0).blocks(), residentBytes / problem.itemSize()) * problem.itemSize();
        long spilled = LongMath.saturatedMultiply(copies.size(), problem.bytes()) - kept;
        double share = spilled / (copies.size() * bytes);
        double[] pieces =
                IntStream.range(0, copies.size()).mapToDouble(this::pieces).toArray();
        ChunkGrid slabs = regions.get(0);
        ChunkGrid windows = regions.get(regions.size() - 1);
        Pieces bySlab = new Pieces(problem.reads());
        double sourceReads = WindowDrafter.requests(problem, slabs, bySlab);
        if (problem.reading() == Reading.ANY_BYTES) {
            sourceReads = Math.max(sourceReads, reads(0));
        }
        double chunks = sourceReads + problem.target().count();
        Spilling spilling = resources.remoteSpill().isPresent()
                ? remotely(resources.remoteSpill().get())
                : locally(pieces, (double) spilled, share);
        double seconds = bytes / model.readBytesPerSecond()
                + spilling.seconds
                + bytes / model.writeBytesPerSecond()
                + model.secondsOf(chunks, lanes)
                + problem.codecBytes(bytes) / (model.codecBytesPerSecond() * lanes);
        long atOnce =
                copies.stream().mapToLong(copy -> blockBytes(copy.blocks())).reduce(0, LongMath::saturatedAdd);
        // What stays in memory is assembled there, window by window.
        double operations = DoubleStream.of(pieces).sum() * share + windows.count() * (1 - share);
        return new Cost(
                bytes + spilled,
                bytes + spilled,
                spilled,
                Math.max(0, atOnce - residentBytes),
                bySlab.visits(slabs),
                operations,
                chunks + spilling.requests,
                seconds);
    }

    /** {@return the parts that the regions before and behind a copy make together} */
    double pieces(int copy) {
        return regions.get(copy).pieces(regions.get(copy + 1));
    }

    /** What writing a spill and reading it back takes. */
    private record Spilling(double requests, double seconds) {}

    private Spilling locally(double[] pieces, double spilled, double share) {
        double requests = 0;
        for (int copy = 0; copy < pieces.length; copy++) {
            requests += (pieces[copy] + Math.max(apart(copy), reads(copy + 1))) * share;
        }
        return new Spilling(
                requests,
                movingSeconds(spilled) + requests * resources.costModel().requestSeconds());
    }

    /** {@return what lies apart of a copy, where it is read back} */
    private double apart(int copy) {
        ChunkGrid source = stages.get(copy + 1).source();
        boolean joins = !source.equals(stages.get(copy).units());
        return joins ? source.count() : pieces(copy);
    }

    /** {@return the reads of a stage by what its lanes have room for} */
    private double reads(int stage) {
        return (double) problem.bytes()
                / Math.max(problem.itemSize(), stages.get(stage).readBytes(problem.itemSize()));
    }

    /** {@return the seconds that could be saved if lanes had all the room for reading that they ever get} */
    double shortReadSeconds() {
        CostModel model = resources.costModel();
        double fewest = (double) problem.bytes() / StageBuilder.MOST_READ_BYTES;
        double seconds = 0;
        if (problem.reading() == Reading.ANY_BYTES) {
            double chunks = WindowDrafter.requests(problem, regions.get(0), new Pieces(problem.reads()));
            seconds += model.secondsOf(Math.max(0, reads(0) - chunks), lanes);
        }
        for (int copy = 0; copy < regions.size() - 1 && resources.readsBackAnyBytes(); copy++) {
            double more = reads(copy + 1) - Math.max(fewest, apart(copy));
            seconds += model.requestSeconds() * Math.max(0, more);
        }
        return seconds;
    }

    private Spilling remotely(RemoteSpill spill) {
        double requests = 0;
        for (int copy = 0; copy < regions.size() - 1; copy++) {
            ChunkGrid slabs = regions.get(copy);
            requests += (double) slabs.count() * spill.putRequests(blockBytes(slabs))
                    + stages.get(copy + 1).source().count();
        }
        return new Spilling(
                requests,
                (regions.size() - 1) * copySeconds() + resources.costModel().secondsOf(requests, lanes));
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
