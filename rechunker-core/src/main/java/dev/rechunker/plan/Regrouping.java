package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import dev.rechunker.plan.ProductSearch.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Adds temporary copies to a spill whose pieces are so small that their requests take longer than copying everything
 * once more. Data then go from slabs to windows by way of regions with extents in between, in which the pieces of one
 * copy are joined to larger pieces of the next. With k copies, blocks of L bytes, and M bytes of memory, a piece has
 * about M (M / L)^(1/k) bytes.
 */
final class Regrouping {
    /** The least ratio between two sizes of groups that are both tried. */
    private static final double LEAST_STEP = 1.1;

    private static final long ALL = 48;

    /** The number of times that each region is chosen again between its neighbours after one was added. */
    private static final int ROUNDS = 4;

    private Regrouping() {}

    /**
     * {@return a draft with more copies that takes less than {@code seconds}; empty if there is none}
     *
     * <p>Each further copy makes the draft faster by the factor that is required for a copy.
     *
     * @param stages the stages to which copies are added
     * @param cost the cost of these stages
     */
    static Optional<Draft> of(SpillStages stages, Cost cost, long maxMem, double seconds) {
        double saved = stages.resources().costModel().secondsOf(cost.requests(), stages.lanes());
        if (cost.seconds() - saved + stages.cost().copySeconds() >= seconds) {
            return Optional.empty();
        }
        Optional<SpillStages> more = withOneMore(stages, maxMem);
        Optional<Draft> draft = more.map(found -> found.draftKeeping(0))
                .filter(found -> found.cost().seconds() < seconds);
        return draft.flatMap(found -> {
                    Cost reached = found.cost();
                    return of(more.get(), reached, maxMem, reached.seconds() / Draft.COPY_MUST_SAVE);
                })
                .or(() -> draft);
    }

    private static Optional<SpillStages> withOneMore(SpillStages stages, long maxMem) {
        Problem problem = stages.problem();
        double elements = (double) largestRegion(stages) / problem.itemSize();
        List<ChunkGrid> regions = new ArrayList<>(stages.regions());
        int most = 0;
        for (int copy = 1; copy < regions.size() - 1; copy++) {
            most = stages.pieces(copy) > stages.pieces(most) ? copy : most;
        }
        regions.add(most + 1, regions.get(most + 1));
        for (int round = 0; round < ROUNDS; round++) {
            List<ChunkGrid> before = List.copyOf(regions);
            for (int i = 1; i < regions.size() - 1; i++) {
                Optional<ChunkGrid> between = between(regions.get(i - 1), regions.get(i + 1), elements);
                if (between.isEmpty()) {
                    return Optional.empty();
                }
                regions.set(i, between.get());
            }
            if (regions.equals(before)) {
                break;
            }
        }
        long chunks = problem.source().count() + problem.target().count();
        return SpillStages.of(problem, stages.resources(), stages.lanes(), regions)
                .filter(more -> more.totalBytes(0) <= maxMem
                        && more.stages().stream().mapToLong(Stage::tasks).sum() <= chunks);
    }

    /** {@return the size of the largest region in bytes} It leaves lanes some memory for reading back, but not most. */
    private static long largestRegion(SpillStages stages) {
        long maxMem = stages.resources().maxMem();
        int lanes = stages.lanes();
        Lane lane = Lane.regroup(stages.problem(), stages.resources(), lanes);
        UnitLayout pieces = SpillPieces.largest(stages.problem());
        long most = pieces.ringLimit(lane, lanes, maxMem);
        if (!stages.resources().readsBackAnyBytes()) {
            return most;
        }
        long readBack = Math.min(most / (4L * lanes), SpillDrafter.readBack(maxMem, lanes));
        return pieces.ringLimit(lane.withReadBytes(Math.max(0, readBack)), lanes, maxMem);
    }

    /**
     * {@return regions of at most {@code elements} elements that have the fewest pieces with those before and after}
     */
    static Optional<ChunkGrid> between(ChunkGrid before, ChunkGrid after, double elements) {
        List<List<Choice>> axes = new ArrayList<>();
        for (int axis = 0; axis < before.rank(); axis++) {
            axes.add(choices(before.axis(axis), after.axis(axis)));
        }
        return new ProductSearch(elements, Double.POSITIVE_INFINITY)
                .solve(axes).stream()
                        .min(Comparator.comparingDouble((State state) -> state.cost() + state.otherWeight())
                                .thenComparingDouble(State::tie))
                        .map(state -> regions(before, after, state.parts()));
    }

    /** {@return ways to cut an axis} Cost and second weight are the pieces with the regions before, and after. */
    private static List<Choice> choices(Partition before, Partition after) {
        List<Choice> choices = new ArrayList<>();
        for (long parts : AxisChoices.thin(AxisChoices.counts(before, after, ALL), LEAST_STEP)) {
            choices.add(choice(before, after, new Parts(parts, 0)));
        }
        for (long parts : AxisChoices.thin(AxisChoices.counts(after, before, ALL), LEAST_STEP)) {
            choices.add(choice(before, after, new Parts(0, parts)));
        }
        return ProductSearch.prune(choices);
    }

    private static Choice choice(Partition before, Partition after, Parts parts) {
        Partition region = region(before, after, parts);
        return new Choice(
                parts, before.pieces(region), region.coupledSize(after), region.maxSize(), region.pieces(after));
    }

    /** {@return groups of the parts before, or of those after, depending on which number is given} */
    private static Partition region(Partition before, Partition after, Parts parts) {
        return parts.slab() > 0 ? before.group(parts.slab()) : after.group(parts.window());
    }

    private static ChunkGrid regions(ChunkGrid before, ChunkGrid after, List<Parts> parts) {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < parts.size(); axis++) {
            axes.add(region(before.axis(axis), after.axis(axis), parts.get(axis)));
        }
        return ChunkGrid.of(axes);
    }
}
