package dev.rechunker.plan;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import dev.rechunker.plan.ProductSearch.State;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleFunction;

/**
 * Drafts {@link Strategy.Sweep}. It is like a window, but A = 1 on the axis of the sweep, though the window is not in
 * memory as a whole. {@link Frontier} says which part is in memory: whole write units, or parts of units if the target
 * takes them. With parts, units that are far larger than memory grow as the sweep proceeds.
 *
 * <p>For several workers, the axis of the sweep is cut between units, so that there are tasks for all of them. A chunk
 * that such a cut crosses is read once more. A unit is never cut, as one task assembles it.
 */
final class SweepDrafter implements Planner.Drafter {
    /**
     * How many times faster a sweep by parts must be than one by whole units, because a file is opened for each part.
     */
    private static final double PARTS_GAIN = 1.25;

    /** The number of cuts of the swept axis for each worker at most. */
    private static final long CUTS_PER_WORKER = 4;

    /**
     * What a sweep passes to the target.
     *
     * @param kind the kind of the stage
     * @param grid the regions that are passed at once
     * @param lane the memory of a thread
     * @param unitBytes the additional bytes of a write unit while it is incomplete
     */
    private record Pace(Stage.Kind kind, ChunkGrid grid, Lane lane, long unitBytes) {}

    /**
     * The part of searches that is the same for each pace, number of lanes and memory limit.
     *
     * @param pieces the numbers of pieces of the source
     * @param choices the choices by search and by axis
     */
    private record Searches(Pieces pieces, List<List<List<Choice>>> choices) {
        static Searches of(ChunkGrid reads, Problem problem) {
            Pieces pieces = new Pieces(reads);
            return new Searches(pieces, WindowDrafter.searches(problem, pieces::of));
        }
    }

    /** By the regions that are read at once. */
    private final Map<ChunkGrid, Searches> searches = new HashMap<>();

    @Override
    public Optional<Draft> draft(Problem problem, Resources resources, int lanes) {
        Pace units = new Pace(Stage.Kind.DIRECT, problem.target(), Lane.direct(problem), 0);
        Optional<Draft> whole = fastest(units, problem, resources, lanes);
        Optional<Draft> inParts = problem.parts()
                .map(parts -> new Pace(Stage.Kind.PARTS, parts.grid(), Lane.parts(problem, parts), parts.unitBytes()))
                .flatMap(pace -> fastest(pace, problem, resources, lanes));
        boolean together = whole.isPresent()
                && (inParts.isEmpty()
                        || whole.get().weightedSeconds() <= inParts.get().weightedSeconds() * PARTS_GAIN);
        return together ? whole : inParts;
    }

    @Override
    public boolean dependsOnReading() {
        return true;
    }

    @Override
    public boolean isFrugal(Problem problem, Resources resources) {
        return problem.parts().isPresent() || !problem.target().isRegular();
    }

    @Override
    public boolean isFrugalIfReadOtherwise() {
        return true;
    }

    /** {@return the fastest sweep of a pace along any axis} */
    private Optional<Draft> fastest(Pace pace, Problem problem, Resources resources, int lanes) {
        Frontier frontier = Frontier.of(problem.reads(), pace.grid);
        Searches common = searches.computeIfAbsent(problem.reads(), reads -> Searches.of(reads, problem));
        Draft best = null;
        for (int axis = 0; axis < problem.reads().rank(); axis++) {
            long units = problem.target().axis(axis).count();
            long most = resources.workers() == 1 ? 1 : Math.min(units, resources.workers() * CUTS_PER_WORKER);
            for (long runs = 1; runs <= most && pace.grid.axis(axis).count() > 1; runs *= 2) {
                for (long window : windows(problem, axis, runs)) {
                    Optional<Draft> draft = along(axis, window, pace, common, frontier, problem, resources, lanes);
                    if (draft.isPresent()
                            && (best == null || seconds(draft.get(), resources) < seconds(best, resources))) {
                        best = draft.get();
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** {@return the units of a task if an axis is cut into a number of runs: anywhere, and only between chunks} */
    private static Set<Long> windows(Problem problem, int axis, long runs) {
        Partition units = problem.target().axis(axis);
        Partition chunks = problem.reads().axis(axis);
        long window = LongMath.divide(units.count(), runs, RoundingMode.CEILING);
        if (runs == 1 || !units.isRegular() || !chunks.isRegular()) {
            return Set.of(window);
        }
        long common = chunks.step() / LongMath.gcd(units.step(), chunks.step());
        long aligned = LongMath.divide(window, common, RoundingMode.CEILING) * common;
        return new TreeSet<>(List.of(window, Math.min(aligned, units.count())));
    }

    private static double seconds(Draft draft, Resources resources) {
        return draft.sharedBy(resources.workers()).weightedSeconds();
    }

    /**
     * {@return the fastest sweep along an axis}
     *
     * @param window the number of units of the axis that a task sweeps through
     */
    private static Optional<Draft> along(
            int swept,
            long window,
            Pace pace,
            Searches common,
            Frontier frontier,
            Problem problem,
            Resources resources,
            int lanes) {
        UnitLayout layout = UnitLayout.of(pace.grid, problem.itemSize());
        long limit = layout.ringLimit(pace.lane, lanes, resources.maxMem());
        Partition cuts = problem.target().axis(swept).group(window);
        double reads = AxisChoices.elementsRead(problem.reads().axis(swept), cuts)
                / (double) problem.reads().axis(swept).length();
        // The weight of the swept axis is a lower bound; the stage is checked with the real memory.
        Choice whole = new Choice(new Parts(0, window), reads, cuts.count(), Math.max(1, frontier.leastRows(swept)), 1);
        ProductSearch search =
                new ProductSearch((double) Math.max(0, limit) / problem.itemSize(), Double.POSITIVE_INFINITY);
        boolean anyBytes = problem.reading() == Reading.ANY_BYTES;
        if (anyBytes && reads > 1) {
            return Optional.empty(); // the searches count pieces, not elements
        }
        Draft best = null;
        for (List<List<Choice>> choices : common.choices) {
            List<List<Choice>> axes = new ArrayList<>(choices);
            axes.set(swept, List.of(whole));
            for (State state : search.solve(axes)) {
                ChunkGrid windows = WindowDrafter.windows(problem.target(), state.parts());
                double read = anyBytes ? 1 : state.cost();
                DoubleFunction<Cost> cost = busyLanes -> WindowDrafter.cost(
                        problem, resources.costModel(), busyLanes, windows, pace.grid, read, common.pieces);
                if (best != null
                        && resources.workers() == 1
                        && cost.apply(lanes).seconds() >= best.cost().seconds()) {
                    continue;
                }
                long openBytes = openBytes(problem.target(), state.parts(), pace);
                StageBuilder builder = new StageBuilder(
                        "sweep",
                        pace.kind,
                        windows,
                        problem.reads(),
                        pace.grid,
                        problem.itemSize(),
                        anyBytes,
                        swept,
                        layout,
                        frontier);
                Optional<Stage> stage = builder.build(pace.lane, lanes, resources.maxMem() - openBytes);
                if (stage.isPresent()) {
                    Cost takes = cost.apply(builder.busyLanes(stage.get()));
                    Draft draft = new Draft(
                            new Strategy.Sweep(windows, swept),
                            List.of(stage.get().withOpenBytes(openBytes)),
                            takes);
                    if (best == null || seconds(draft, resources) < seconds(best, resources)) {
                        best = draft;
                    }
                    if (takes.bytesRead() <= problem.bytes()) {
                        break;
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** {@return the bytes of the units of unfinished windows, each of which has received some of its parts} */
    private static long openBytes(ChunkGrid units, List<Parts> window, Pace pace) {
        double inWindow = 1;
        for (int axis = 0; axis < window.size(); axis++) {
            inWindow *= Math.min(window.get(axis).window(), units.axis(axis).count());
        }
        return (long) (pace.unitBytes * Math.min(Stage.OPEN_WINDOWS * inWindow, (double) units.count()));
    }
}
