package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import dev.rechunker.resource.CostModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Drafts {@link Strategy.Spill}: 4 N bytes, or less where part of a block stays in memory. The slabs and windows are
 * those that fit and have the fewest pieces in common, the product over the axes of the parts that both cuts together
 * make. One drafter is for one problem.
 */
final class SpillDrafter implements Planner.Drafter {
    /** Slabs and windows are also tried so much smaller than the bound, to keep more of a block in memory. */
    private static final List<Double> KEPT_SHARES = List.of(0.25, 0.5, 0.75);

    /** The shares of the bound that lanes have for reading at least. */
    private static final List<Double> READING_SHARES = List.of(0.0, 1 / 512.0, 1 / 128.0, 1 / 32.0, 1 / 8.0, 1 / 4.0);

    /** Lanes get more room for reading if so much of the time is due to what they have too little room for. */
    private static final double WORTH_ROOM = 0.2;

    /**
     * Where a request takes less time than so many bytes, as on a local solid-state disk, what short reads take is a
     * guess: they follow one another there, and are read ahead.
     */
    private static final double SLOW_REQUEST_BYTES = 64 << 10;

    /**
     * There a draft with a per cent more pieces than the one with the fewest has to save so many per cent of the time,
     * up to as much as a copy.
     */
    private static final double PIECES_MUST_SAVE = 4;

    /** What a piece more has to save of the spill: what a request costs is a guess, but nowhere as much as this. */
    private static final double WORTH_A_PIECE = 4 << 20;

    /** By axis, and by how the source is cut there: it may be cut further. */
    private final List<Map<Partition, AxisPairs>> pairs = new ArrayList<>();

    /** The best choices with the last bound, by how the source is cut, and by what the bound is also for. */
    private final Map<ChunkGrid, Map<Shares, List<Choice>>> best = new HashMap<>();

    /**
     * The shares of the bound that slabs and windows are not to take.
     *
     * @param kept for a block's first bytes
     * @param reading for what lanes read at once, where any bytes can be read
     */
    private record Shares(double kept, double reading) {}

    /** The best stages that leave shares of the bound, with nothing of a block in memory. */
    private record InFiles(Shares shares, SpillStages stages) {
        /** {@return the draft, which has to save for its pieces, if there are more than the fewest} */
        Draft draft(CostModel model, double fewest) {
            boolean slow = model.secondsOf(1, stages.lanes()) * model.readBytesPerSecond() >= SLOW_REQUEST_BYTES;
            double mustSave = Math.pow(stages.pieces(0) / fewest, slow ? 0 : PIECES_MUST_SAVE);
            return stages.draftKeeping(0).requiring(Math.min(mustSave, Draft.COPY_MUST_SAVE));
        }
    }

    @Override
    public Optional<Draft> draft(Problem problem, Resources resources, int lanes) {
        Optional<Draft> plain = drafted(problem, resources.withCompression(Optional.empty()), lanes);
        if (!compresses(problem, resources, lanes)) {
            return plain;
        }
        Optional<Draft> packed = drafted(problem, resources, lanes);
        return Stream.concat(plain.stream(), packed.stream()).min(Comparator.comparingDouble(Draft::weightedSeconds));
    }

    /** {@return whether a copy takes less time if it is compressed, however the pieces are} */
    private static boolean compresses(Problem problem, Resources resources, int lanes) {
        CostModel model = resources.costModel();
        return resources.compression().isPresent()
                && problem.itemSize() <= PackedPieces.LEAST_BYTES
                && model.spillSeconds(1, true, lanes) < model.spillSeconds(1, false, lanes);
    }

    private Optional<Draft> drafted(Problem problem, Resources resources, int lanes) {
        List<InFiles> found = resources.spillAllowed() ? withRoomForReading(problem, resources, lanes) : List.of();
        double fewest =
                found.stream().mapToDouble(some -> some.stages.pieces(0)).min().orElse(1);
        Optional<InFiles> chosen = found.stream()
                .min(Comparator.comparingDouble(
                        some -> some.draft(resources.costModel(), fewest).weightedSeconds()));
        if (chosen.isEmpty()) {
            return Optional.empty();
        }
        InFiles files = chosen.get();
        Draft plain = files.draft(resources.costModel(), fewest);
        // What is in the memory of one process is nothing to the others; and a slab in an object store is one value.
        boolean keeps = resources.workers() == 1 && resources.readsBackAnyBytes();
        Draft best = keeps ? keeping(problem, resources, files, plain) : plain;
        // Room is what mends short reads, so that another copy has to save without them.
        double most = (best.cost().seconds() - files.stages.cost().shortReadSeconds()) / Draft.COPY_MUST_SAVE;
        for (InFiles some : found) {
            SpillStages stages = some.stages;
            Optional<Draft> regrouped =
                    Regrouping.of(stages, stages.draftKeeping(0).cost(), resources.maxMem(), most);
            if (regrouped.isPresent()) {
                best = regrouped.get();
                most = best.cost().seconds();
            }
        }
        return Optional.of(best);
    }

    /**
     * {@return the best stages with nothing in memory, by the shares of the bound that lanes have for reading at least:
     * with none, and with others as long as short reads take much of the time}
     */
    private List<InFiles> withRoomForReading(Problem problem, Resources resources, int lanes) {
        List<InFiles> found = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (double reading : READING_SHARES) {
            Shares shares = new Shares(0, reading);
            Optional<SpillStages> stages = stages(problem, resources, shares, lanes, Double.POSITIVE_INFINITY);
            stages.ifPresent(some -> found.add(new InFiles(shares, some)));
            least = Math.min(least, stages.map(SpillDrafter::seconds).orElse(least));
            if (stages.isEmpty() || stages.get().cost().shortReadSeconds() < WORTH_ROOM * least) {
                break;
            }
        }
        return found;
    }

    private static double seconds(SpillStages stages) {
        return stages.draftKeeping(0).cost().seconds();
    }

    /** {@return the fastest draft that keeps some of each block in memory, or the one that does not} */
    private Draft keeping(Problem problem, Resources resources, InFiles files, Draft plain) {
        double spilled = leastSpilled(problem, resources.maxMem()) / problem.bytes();
        double pieces = (plain.cost().operations() + problem.bytes() * (1 - spilled) / WORTH_A_PIECE) / spilled;
        List<SpillStages> tried = new ArrayList<>(List.of(files.stages));
        if (1 - spilled >= SpillStages.LEAST_KEPT) {
            KEPT_SHARES.forEach(kept -> stages(
                            problem, resources, new Shares(kept, files.shares.reading), files.stages.lanes(), pieces)
                    .ifPresent(tried::add));
        }
        Draft best = plain;
        for (SpillStages stages : tried) {
            Draft keeping = stages.draftKeepingRest(resources.maxMem());
            if (keeping.cost().seconds() < best.cost().seconds() && isWorthItsPieces(keeping.cost(), plain.cost())) {
                best = keeping.requiring(plain.requiredSpeedup());
            }
        }
        return best;
    }

    /** {@return whether each piece that there is more saves so many bytes that they take longer on any device} */
    private static boolean isWorthItsPieces(Cost keeping, Cost plain) {
        double saved = (double) plain.spillBytes() - (double) keeping.spillBytes();
        return keeping.operations() <= plain.operations() + saved / WORTH_A_PIECE;
    }

    @Override
    public boolean makesCopies() {
        return true;
    }

    @Override
    public boolean isFrugal(Problem problem, Resources resources) {
        return resources.spillAllowed();
    }

    @Override
    public boolean fits(Problem problem, Resources resources, int lanes) {
        return stages(
                        problem,
                        resources.withCompression(Optional.empty()),
                        new Shares(0, 0),
                        lanes,
                        Double.POSITIVE_INFINITY)
                .isPresent();
    }

    @Override
    public double leastSeconds(Problem problem, Resources resources, int lanes) {
        CostModel model = resources.costModel();
        double spilling = resources.remoteSpill().isPresent()
                ? problem.bytes() * (1 / model.readBytesPerSecond() + 1 / model.writeBytesPerSecond())
                : leastSpillSeconds(problem, resources, lanes);
        return Planner.Drafter.super.leastSeconds(problem, resources, lanes) + spilling;
    }

    private static double leastSpillSeconds(Problem problem, Resources resources, int lanes) {
        CostModel model = resources.costModel();
        double plain = model.spillSeconds(leastSpilled(problem, resources.maxMem()), false, lanes);
        return resources.compression().isPresent()
                ? Math.min(plain, model.spillSeconds((double) problem.bytes(), true, lanes))
                : plain;
    }

    /** {@return the bytes that are spilled however slabs and windows are chosen} */
    private static double leastSpilled(Problem problem, long maxMem) {
        // Where chunks need not be read whole, blocks are at least as large as a write unit.
        ChunkGrid least = problem.reading() == Reading.WHOLE_CHUNKS ? problem.source() : problem.target();
        ChunkGrid blocks = SpillStages.blocks(least, problem.target());
        return (double) problem.bytes()
                - (double) SpillStages.inMemory(blocks, maxMem / problem.itemSize()) * problem.itemSize();
    }

    /** {@return the best stages within what is not kept of the bound} */
    private Optional<SpillStages> stages(
            Problem problem, Resources resources, Shares shares, int lanes, double mostPieces) {
        long maxMem = resources.maxMem() - (long) (resources.maxMem() * shares.kept);
        long fitting = maxMem;
        long each;
        long step = 1;
        Optional<SpillStages> stages;
        do {
            each = fitting;
            stages = within(problem, resources.withMemory(each), shares, lanes, mostPieces);
            fitting = stages.map(found -> found.boundOfEach(maxMem)).orElse(each);
            if (fitting < each) {
                fitting = Math.max(0, Math.min(fitting, each - step));
                step *= 2; // what is too much may be so by the same few bytes again and again
            }
        } while (fitting < each);
        return stages;
    }

    /** {@return the best stages each of which fits into the bound} */
    private Optional<SpillStages> within(
            Problem problem, Resources resources, Shares shares, int lanes, double mostPieces) {
        Lane merge = Lane.merge(problem, resources, lanes);
        UnitLayout units = UnitLayout.of(problem);
        long room = units.ringLimit(merge, lanes, resources.maxMem());
        // Reading back piece by piece needs some room, or it degenerates into rows; an exact fit is taken if need be.
        long beside = resources.readsBackAnyBytes()
                ? units.ringLimit(
                        merge.withReadBytes(readingBack(problem, resources, shares, lanes)), lanes, resources.maxMem())
                : room;
        Optional<SpillStages> stages = within(problem, resources, shares, lanes, mostPieces, beside);
        return stages.isPresent() || beside == room
                ? stages
                : within(problem, resources, shares, lanes, mostPieces, room);
    }

    private static long readingBack(Problem problem, Resources resources, Shares shares, int lanes) {
        long least = problem.reading() == Reading.WHOLE_CHUNKS ? readBack(resources.maxMem(), lanes) : 0;
        return Math.max(least, reading(resources, shares, lanes));
    }

    /** {@return what a lane has for reading at least} */
    private static long reading(Resources resources, Shares shares, int lanes) {
        return Math.min(StageBuilder.MOST_READ_BYTES, (long) (resources.maxMem() * shares.reading / lanes));
    }

    /** {@return what a lane should have for reading back at least} */
    static long readBack(long maxMem, int lanes) {
        return Math.min(StageBuilder.MOST_READ_BYTES, Math.max(64 << 10, maxMem / (32L * lanes)));
    }

    private Optional<SpillStages> within(
            Problem problem, Resources resources, Shares shares, int lanes, double mostPieces, long windowLimit) {
        Lane split = Lane.split(problem, resources, lanes);
        if (problem.reading() == Reading.ANY_BYTES) {
            split = split.withReadBytes(Math.min(reading(resources, shares, lanes), largestRead(problem)));
        }
        long slabLimit = SpillPieces.largest(problem).ringLimit(split, lanes, resources.maxMem());
        if (slabLimit <= 0 || windowLimit <= 0) {
            return Optional.empty();
        }
        Optional<ChunkGrid> cut = readable(problem, slabLimit);
        if (cut.isEmpty()) {
            return Optional.empty();
        }
        ChunkGrid readable = cut.get();
        double item = problem.itemSize();
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
        Map<Shares, List<Choice>> known = best.computeIfAbsent(readable, source -> new HashMap<>());
        List<Choice> before = known.getOrDefault(shares, List.of());
        List<Choice> choices = new BestProduct(axes, slabLimit / item, windowLimit / item).solve(before, mostPieces);
        if (choices.isEmpty() && readable.rank() > 0) {
            return Optional.empty();
        }
        known.put(shares, choices);
        List<Parts> parts = choices.stream().map(Choice::parts).toList();
        ChunkGrid windows = WindowDrafter.windows(problem.target(), parts);
        List<Partition> slabAxes = new ArrayList<>();
        for (int axis = 0; axis < readable.rank(); axis++) {
            slabAxes.add(readable.axis(axis).group(parts.get(axis).slab()));
        }
        return SpillStages.of(problem, resources, lanes, List.of(ChunkGrid.of(slabAxes), windows));
    }

    private static long largestRead(Problem problem) {
        return problem.reads().largestChunk().elements() * problem.itemSize();
    }

    /**
     * {@return what can be read on its own: chunks, or, of chunks too large for memory, rows or planes; empty if these
     * would be too many to be listed}
     */
    private static Optional<ChunkGrid> readable(Problem problem, long limit) {
        if (problem.reading() == Reading.WHOLE_CHUNKS) {
            return Optional.of(problem.source());
        }
        return SpillPieces.cut(problem.source(), (double) limit / problem.itemSize());
    }
}
