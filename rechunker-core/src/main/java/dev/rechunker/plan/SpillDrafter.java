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
 * Drafts {@link Strategy.Spill}, which moves 4 N bytes, or less if part of a block stays in memory. Of the slabs and
 * windows that fit, it takes those with the fewest pieces: the product over the axes of the numbers of parts into which
 * the cuts of both divide an axis. A drafter can be used for one problem only.
 */
final class SpillDrafter implements Planner.Drafter {
    /** The shares of the memory limit that are tried for a part of a block that stays in memory. */
    private static final List<Double> KEPT_SHARES = List.of(0.25, 0.5, 0.75);

    /** The least shares of the memory limit for reading that are tried. */
    private static final List<Double> READING_SHARES = List.of(0.0, 1 / 512.0, 1 / 128.0, 1 / 32.0, 1 / 8.0, 1 / 4.0);

    /** Lanes get more memory for reading if short reads take this share of the time. */
    private static final double WORTH_MEMORY = 0.2;

    /**
     * The number of bytes to which the time of a request is compared. If a request takes less time, as on a local
     * solid-state disk, the cost of short reads is a guess: they are sequential there, and read ahead.
     */
    private static final double SLOW_REQUEST_BYTES = 64 << 10;

    /**
     * If requests are fast, the percentage of time that a draft must save for each percent of pieces that it has more
     * than the draft with the fewest, up to the percentage that is required for a copy.
     */
    private static final double PIECES_MUST_SAVE = 4;

    /** The bytes of the spill that each additional piece must save. No device takes as long for a request. */
    private static final double WORTH_A_PIECE = 4 << 20;

    /** By axis, and by the cuts of the source on it, which may be more than those of its chunks. */
    private final List<Map<Partition, AxisPairs>> pairs = new ArrayList<>();

    /** The best choices with the last memory limit, by the cuts of the source, and by the shares of the limit. */
    private final Map<ChunkGrid, Map<Shares, List<Choice>>> best = new HashMap<>();

    /**
     * The shares of the memory limit that slabs and windows leave free.
     *
     * @param kept the share for the part of a block that stays in memory
     * @param reading the share for what lanes read at once, if any bytes can be read
     */
    private record Shares(double kept, double reading) {}

    /** The best stages that leave some shares of the memory limit free, with no part of a block in memory. */
    private record InFiles(Shares shares, SpillStages stages) {
        /** {@return the draft, with the speedup that is required for its pieces if it has more than {@code fewest}} */
        Draft draft(CostModel model, double fewest) {
            boolean slow = model.secondsOf(1, stages.lanes()) * model.readBytesPerSecond() >= SLOW_REQUEST_BYTES;
            double required = Math.pow(stages.pieces(0) / fewest, slow ? 0 : PIECES_MUST_SAVE);
            return stages.draftKeeping(0).requiring(Math.min(required, Draft.COPY_MUST_SAVE));
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

    /** {@return whether a compressed copy takes less time, for any size of pieces} */
    private static boolean compresses(Problem problem, Resources resources, int lanes) {
        CostModel model = resources.costModel();
        return resources.compression().isPresent()
                && problem.itemSize() <= PackedPieces.LEAST_BYTES
                && model.spillSeconds(1, true, lanes) < model.spillSeconds(1, false, lanes);
    }

    private Optional<Draft> drafted(Problem problem, Resources resources, int lanes) {
        List<InFiles> found = resources.spillAllowed() ? withMemoryForReading(problem, resources, lanes) : List.of();
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
        // Other processes cannot read the memory of this one, and a slab in an object store is a single value.
        boolean keeps = resources.workers() == 1 && resources.readsBackAnyBytes();
        Draft best = keeps ? keeping(problem, resources, files, plain) : plain;
        // More memory is the remedy for short reads, so their time does not count for another copy.
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
     * {@return the best stages with no part of a block in memory, for several least shares for reading} The first share
     * is none. Further ones follow as long as short reads take much of the time.
     */
    private List<InFiles> withMemoryForReading(Problem problem, Resources resources, int lanes) {
        List<InFiles> found = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (double reading : READING_SHARES) {
            Shares shares = new Shares(0, reading);
            Optional<SpillStages> stages = stages(problem, resources, shares, lanes, Double.POSITIVE_INFINITY);
            stages.ifPresent(some -> found.add(new InFiles(shares, some)));
            least = Math.min(least, stages.map(SpillDrafter::seconds).orElse(least));
            if (stages.isEmpty() || stages.get().cost().shortReadSeconds() < WORTH_MEMORY * least) {
                break;
            }
        }
        return found;
    }

    private static double seconds(SpillStages stages) {
        return stages.draftKeeping(0).cost().seconds();
    }

    /** {@return the fastest draft that keeps a part of each block in memory; {@code plain} if none is faster} */
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

    /** {@return whether each additional piece saves enough bytes} */
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

    /** {@return a lower bound of the bytes that are spilled, for any slabs and windows} */
    private static double leastSpilled(Problem problem, long maxMem) {
        // If chunks need not be read as a whole, blocks are at least as large as a write unit.
        ChunkGrid least = problem.reading() == Reading.WHOLE_CHUNKS ? problem.source() : problem.target();
        ChunkGrid blocks = SpillStages.blocks(least, problem.target());
        return (double) problem.bytes()
                - (double) SpillStages.inMemory(blocks, maxMem / problem.itemSize()) * problem.itemSize();
    }

    /** {@return the best stages that together fit into the memory limit without the kept share} */
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
                step *= 2; // the excess may be the same few bytes many times
            }
        } while (fitting < each);
        return stages;
    }

    /** {@return the best stages each of which fits into the memory limit} */
    private Optional<SpillStages> within(
            Problem problem, Resources resources, Shares shares, int lanes, double mostPieces) {
        Lane merge = Lane.merge(problem, resources, lanes);
        UnitLayout units = UnitLayout.of(problem);
        long whole = units.ringLimit(merge, lanes, resources.maxMem());
        // Reading back a piece needs some memory, or it becomes reading rows. If there is none, do without.
        long reduced = resources.readsBackAnyBytes()
                ? units.ringLimit(
                        merge.withReadBytes(readingBack(problem, resources, shares, lanes)), lanes, resources.maxMem())
                : whole;
        Optional<SpillStages> stages = within(problem, resources, shares, lanes, mostPieces, reduced);
        return stages.isPresent() || reduced == whole
                ? stages
                : within(problem, resources, shares, lanes, mostPieces, whole);
    }

    private static long readingBack(Problem problem, Resources resources, Shares shares, int lanes) {
        long least = problem.reading() == Reading.WHOLE_CHUNKS ? readBack(resources.maxMem(), lanes) : 0;
        return Math.max(least, reading(resources, shares, lanes));
    }

    /** {@return the least bytes that a lane has for reading} */
    private static long reading(Resources resources, Shares shares, int lanes) {
        return Math.min(StageBuilder.MOST_READ_BYTES, (long) (resources.maxMem() * shares.reading / lanes));
    }

    /** {@return the least bytes that a lane should have for reading back} */
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
     * {@return the regions that can be read on their own} These are chunks, or rows or planes of chunks that are too
     * large for memory. Empty if there would be too many to be listed.
     */
    private static Optional<ChunkGrid> readable(Problem problem, long limit) {
        if (problem.reading() == Reading.WHOLE_CHUNKS) {
            return Optional.of(problem.source());
        }
        return SpillPieces.cut(problem.source(), (double) limit / problem.itemSize());
    }
}
