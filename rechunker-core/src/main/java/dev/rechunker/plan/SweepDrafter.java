package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import dev.rechunker.plan.ProductSearch.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Drafts {@link Strategy.Sweep}: as a window, but on the axis of the sweep A = 1 though the window is not held whole.
 * What is held follows from {@link Frontier}.
 */
final class SweepDrafter implements Planner.Drafter {
    @Override
    public Optional<Draft> draft(Problem problem, Resources resources, int lanes) {
        Frontier frontier = Frontier.of(problem.source(), problem.target());
        Draft best = null;
        for (int axis = 0; axis < problem.source().rank(); axis++) {
            if (problem.target().axis(axis).count() > 1) {
                Optional<Draft> draft = along(axis, frontier, problem, resources, lanes);
                if (draft.isPresent()
                        && (best == null
                                || draft.get().cost().seconds() < best.cost().seconds())) {
                    best = draft.get();
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static Optional<Draft> along(
            int swept, Frontier frontier, Problem problem, Resources resources, int lanes) {
        Lane lane = Lane.direct(problem);
        UnitLayout layout = UnitLayout.of(problem.target(), problem.itemSize(), problem.mostUnits());
        long limit = layout.ringLimit(lane, lanes, resources.maxMem());
        List<List<Choice>> axes = new ArrayList<>();
        for (int axis = 0; axis < problem.source().rank(); axis++) {
            long units = problem.target().axis(axis).count();
            long rows = Math.max(1, frontier.leastRows(axis));
            axes.add(
                    axis == swept
                            ? List.of(new Choice(new Parts(0, units), 1, 1, rows, 1))
                            : WindowDrafter.choices(problem, axis, problem.reading() == Reading.WHOLE_CHUNKS));
        }
        // The weight of the swept axis is the least it can be; the stage itself knows what it takes.
        for (State state : new ProductSearch((double) Math.max(0, limit) / problem.itemSize(), Double.POSITIVE_INFINITY)
                .solve(axes)) {
            ChunkGrid windows = WindowDrafter.windows(problem.target(), state.parts());
            Optional<Stage> stage = new StageBuilder(
                            "sweep",
                            Stage.Kind.DIRECT,
                            windows,
                            problem.source(),
                            problem.target(),
                            problem.itemSize(),
                            problem.reading() == Reading.ANY_BYTES,
                            swept,
                            layout,
                            frontier)
                    .build(lane, lanes, resources.maxMem());
            if (stage.isPresent()) {
                return Optional.of(new Draft(
                        new Strategy.Sweep(windows, swept),
                        List.of(stage.get()),
                        WindowDrafter.cost(
                                problem,
                                resources.costModel(),
                                lanes,
                                windows,
                                state.cost(),
                                new Pieces(problem.source()))));
            }
        }
        return Optional.empty();
    }
}
