package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import dev.rechunker.plan.ProductSearch.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;

/**
 * Drafts {@link Strategy.Sweep}: as a window, but on the axis of the sweep A = 1 though the window is not held whole.
 * What is held follows from {@link Frontier}: whole write units or, where a target takes them, parts of units, so that
 * units far larger than memory grow as the sweep goes on.
 */
final class SweepDrafter implements Planner.Drafter {
    /** So many times as fast parts have to make a sweep that whole units can make: a file is opened for each. */
    private static final double PARTS_GAIN = 1.25;

    /**
     * What a sweep hands over to the target.
     *
     * @param kind of the stage
     * @param grid what is handed over at once
     * @param unitBytes what a write unit holds besides while it is incomplete
     */
    private record Pace(Stage.Kind kind, ChunkGrid grid, Lane lane, long unitBytes) {}

    /**
     * What searches have in common, whatever the pace, the number of lanes and the bound.
     *
     * @param choices by search and by axis
     */
    private record Searches(Pieces pieces, List<List<List<Choice>>> choices) {
        static Searches of(ChunkGrid reads, Problem problem) {
            Pieces pieces = new Pieces(reads);
            return new Searches(pieces, WindowDrafter.searches(problem, pieces::of));
        }
    }

    /** By what is read at once. */
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
            if (pace.grid.axis(axis).count() > 1) {
                Optional<Draft> draft = along(axis, pace, common, frontier, problem, resources, lanes);
                if (draft.isPresent() && (best == null || draft.get().weightedSeconds() < best.weightedSeconds())) {
                    best = draft.get();
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static Optional<Draft> along(
            int swept, Pace pace, Searches common, Frontier frontier, Problem problem, Resources resources, int lanes) {
        UnitLayout layout = UnitLayout.of(pace.grid, problem.itemSize(), problem.mostUnits());
        long limit = layout.ringLimit(pace.lane, lanes, resources.maxMem());
        long units = problem.target().axis(swept).count();
        // The weight of the swept axis is the least it can be; the stage itself knows what it takes.
        Choice whole = new Choice(new Parts(0, units), 1, 1, Math.max(1, frontier.leastRows(swept)), 1);
        ProductSearch search =
                new ProductSearch((double) Math.max(0, limit) / problem.itemSize(), Double.POSITIVE_INFINITY);
        boolean anyBytes = problem.reading() == Reading.ANY_BYTES;
        Draft best = null;
        for (List<List<Choice>> choices : common.choices) {
            List<List<Choice>> axes = new ArrayList<>(choices);
            axes.set(swept, List.of(whole));
            for (State state : search.solve(axes)) {
                ChunkGrid windows = WindowDrafter.windows(problem.target(), state.parts());
                double read = anyBytes ? 1 : state.cost();
                DoubleFunction<Cost> cost = busyLanes -> WindowDrafter.cost(
                        problem, resources.costModel(), busyLanes, windows, pace.grid, read, common.pieces);
                if (best != null && cost.apply(lanes).seconds() >= best.cost().seconds()) {
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
                    if (best == null || takes.seconds() < best.cost().seconds()) {
                        best = new Draft(
                                new Strategy.Sweep(windows, swept),
                                List.of(stage.get().withOpenBytes(openBytes)),
                                takes);
                    }
                    if (takes.bytesRead() <= problem.bytes()) {
                        break;
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** {@return what the units of the windows under way hold, when each has received some of its parts} */
    private static long openBytes(ChunkGrid units, List<Parts> window, Pace pace) {
        double inWindow = 1;
        for (int axis = 0; axis < window.size(); axis++) {
            inWindow *= Math.min(window.get(axis).window(), units.axis(axis).count());
        }
        return (long) (pace.unitBytes * Math.min(Stage.OPEN_WINDOWS * inWindow, (double) units.count()));
    }
}
