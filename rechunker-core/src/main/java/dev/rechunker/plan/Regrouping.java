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
 * Adds temporary copies to a spill whose pieces would be so small that requests take longer than moving everything once
 * more. On the way from slabs to windows it goes through regions whose extents are in between, where the pieces of the
 * one copy are put together to larger ones of the next: with k copies a piece has about M (M / L)^(1/k) bytes of a
 * block of L, where M bytes fit into memory.
 */
final class Regrouping {
    /** Groups of parts that differ less in size are not told apart. */
    private static final double LEAST_STEP = 1.1;

    private static final long ALL = 48;

    /** How often regions are chosen anew, each between its neighbours, after one was added. */
    private static final int ROUNDS = 4;

    private Regrouping() {}

    /**
     * {@return a draft with more copies that takes less than so many seconds, each of whose further copies makes it as
     * many times faster as a copy has to}
     *
     * @param stages what copies are added to
     * @param cost what these stages take
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
        double room = (double) room(stages) / problem.itemSize();
        List<ChunkGrid> regions = new ArrayList<>(stages.regions());
        int most = 0;
        for (int copy = 1; copy < regions.size() - 1; copy++) {
            most = stages.pieces(copy) > stages.pieces(most) ? copy : most;
        }
        regions.add(most + 1, regions.get(most + 1));
        for (int round = 0; round < ROUNDS; round++) {
            List<ChunkGrid> before = List.copyOf(regions);
            for (int i = 1; i < regions.size() - 1; i++) {
                Optional<ChunkGrid> between = between(regions.get(i - 1), regions.get(i + 1), room);
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

    /** {@return the bytes of the largest region, which leaves lanes room for reading back, but not most of it} */
    private static long room(SpillStages stages) {
        long maxMem = stages.resources().maxMem();
        int lanes = stages.lanes();
        Lane lane = Lane.regroup(stages.problem(), stages.resources(), lanes);
        UnitLayout pieces = SpillPieces.largest(stages.problem());
        long room = pieces.ringLimit(lane, lanes, maxMem);
        if (!stages.resources().readsBackAnyBytes()) {
            return room;
        }
        long readBack = Math.min(room / (4L * lanes), SpillDrafter.readBack(maxMem, lanes));
        return pieces.ringLimit(lane.withReadBytes(Math.max(0, readBack)), lanes, maxMem);
    }

    /** {@return the regions of at most so many elements that make the fewest pieces with those before and behind} */
    static Optional<ChunkGrid> between(ChunkGrid before, ChunkGrid behind, double elements) {
        List<List<Choice>> axes = new ArrayList<>();
        for (int axis = 0; axis < before.rank(); axis++) {
            axes.add(choices(before.axis(axis), behind.axis(axis)));
        }
        return new ProductSearch(elements, Double.POSITIVE_INFINITY)
                .solve(axes).stream()
                        .min(Comparator.comparingDouble((State state) -> state.cost() + state.otherWeight())
                                .thenComparingDouble(State::tie))
                        .map(state -> regions(before, behind, state.parts()));
    }

    /** {@return ways to cut an axis: cost and second weight are the pieces with what is before, and behind} */
    private static List<Choice> choices(Partition before, Partition behind) {
        List<Choice> choices = new ArrayList<>();
        for (long parts : AxisChoices.thin(AxisChoices.counts(before, behind, ALL), LEAST_STEP)) {
            choices.add(choice(before, behind, new Parts(parts, 0)));
        }
        for (long parts : AxisChoices.thin(AxisChoices.counts(behind, before, ALL), LEAST_STEP)) {
            choices.add(choice(before, behind, new Parts(0, parts)));
        }
        return ProductSearch.prune(choices);
    }

    private static Choice choice(Partition before, Partition behind, Parts parts) {
        Partition region = region(before, behind, parts);
        return new Choice(
                parts, before.pieces(region), region.coupledSize(behind), region.maxSize(), region.pieces(behind));
    }

    /** {@return groups of the parts before, or of those behind, whichever the way has a number of} */
    private static Partition region(Partition before, Partition behind, Parts parts) {
        return parts.slab() > 0 ? before.group(parts.slab()) : behind.group(parts.window());
    }

    private static ChunkGrid regions(ChunkGrid before, ChunkGrid behind, List<Parts> parts) {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < parts.size(); axis++) {
            axes.add(region(before.axis(axis), behind.axis(axis), parts.get(axis)));
        }
        return ChunkGrid.of(axes);
    }
}
