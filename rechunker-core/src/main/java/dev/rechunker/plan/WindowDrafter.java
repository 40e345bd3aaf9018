package dev.rechunker.plan;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.ProductSearch.Choice;
import dev.rechunker.plan.ProductSearch.Parts;
import dev.rechunker.plan.ProductSearch.State;
import dev.rechunker.resource.CostModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/**
 * Drafts {@link Strategy.Window}, which moves (1 + A) N bytes. A is the product over the axes of the elements read per
 * element. On an axis, a source chunk is read once more for each border of windows inside it.
 *
 * <p>If any bytes can be read, A is 1, and windows differ in the number of requests. Elements of a chunk are contiguous
 * as long as no window cuts the chunk on a later axis. If {@code j} is the last axis that is cut, the number of
 * requests is the product of the elements of the axes before {@code j}, the pieces of {@code j}, and the chunks of the
 * axes after it.
 *
 * <p>Of the windows that fit and take about the least time, the fewest are chosen.
 */
final class WindowDrafter implements Planner.Drafter {
    /** Windows that take this much longer than the best are as good if they are fewer. */
    private static final double ABOUT = 1.25;

    @Override
    public Optional<Draft> draft(Problem problem, Resources resources, int lanes) {
        Lane lane = Lane.direct(problem);
        long limit = UnitLayout.of(problem).ringLimit(lane, lanes, resources.maxMem());
        ProductSearch search =
                new ProductSearch((double) Math.max(0, limit) / problem.itemSize(), Double.POSITIVE_INFINITY);
        List<Candidate> candidates = new ArrayList<>();
        Pieces pieces = new Pieces(problem.reads());
        for (List<List<Choice>> axes : searches(problem, (axis, windows) -> windows.count())) {
            for (State state : search.solve(axes)) {
                ChunkGrid windows = windows(problem.target(), state.parts());
                double read = problem.reading() == Reading.WHOLE_CHUNKS ? state.cost() : 1;
                candidates.add(new Candidate(
                        windows, cost(problem, resources.costModel(), lanes, windows, problem.target(), read, pieces)));
            }
        }
        double best = candidates.stream()
                .mapToDouble(candidate -> candidate.cost.seconds())
                .min()
                .orElse(0);
        return candidates.stream()
                .filter(candidate -> candidate.cost.seconds() <= best * ABOUT)
                .min(Comparator.<Candidate>comparingDouble(candidate -> candidate.cost.operations())
                        .thenComparingDouble(candidate -> candidate.cost.seconds()))
                .flatMap(candidate -> stage(problem, candidate.windows)
                        .build(lane, lanes, resources.maxMem())
                        .map(stage ->
                                new Draft(new Strategy.Window(candidate.windows), List.of(stage), candidate.cost)));
    }

    @Override
    public boolean dependsOnReading() {
        return true;
    }

    @Override
    public boolean isFrugal(Problem problem, Resources resources) {
        return !problem.target().isRegular();
    }

    private record Candidate(ChunkGrid windows, Cost cost) {}

    private static StageBuilder stage(Problem problem, ChunkGrid windows) {
        return new StageBuilder(
                "copy",
                Stage.Kind.DIRECT,
                windows,
                problem.reads(),
                problem.target(),
                problem.itemSize(),
                problem.reading() == Reading.ANY_BYTES,
                0,
                UnitLayout.of(problem),
                Frontier.of(problem.reads(), problem.target()));
    }

    /**
     * {@return the choices by search and by axis} There is one search if whole chunks are read. Else there is one for
     * each axis that may be the last one that is cut, and one for none.
     *
     * @param secondWeight another number that should be small, by axis, if whole chunks are read
     */
    static List<List<List<Choice>>> searches(Problem problem, ToDoubleBiFunction<Integer, Partition> secondWeight) {
        int rank = problem.reads().rank();
        List<List<List<Choice>>> searches = new ArrayList<>();
        if (problem.reading() == Reading.WHOLE_CHUNKS) {
            List<List<Choice>> axes = new ArrayList<>();
            for (int axis = 0; axis < rank; axis++) {
                int current = axis;
                axes.add(choices(problem, axis, true, windows -> secondWeight.applyAsDouble(current, windows)));
            }
            searches.add(axes);
            return searches;
        }
        for (int cut = -1; cut < rank; cut++) {
            List<List<Choice>> axes = new ArrayList<>();
            for (int axis = 0; axis < rank; axis++) {
                int current = axis;
                Partition source = problem.reads().axis(axis);
                Partition target = problem.target().axis(axis);
                AxisChoices.BufferExtent extent = units -> problem.bufferExtent(current, units);
                axes.add(
                        axis < cut
                                ? AxisChoices.windows(source, target, false, extent, Partition::count)
                                : AxisChoices.cuts(source, target, axis == cut, extent));
            }
            searches.add(axes);
        }
        return searches;
    }

    /** {@return the choices of windows of one axis, with the elements that are read} */
    private static List<Choice> choices(
            Problem problem, int axis, boolean wholeChunks, ToDoubleFunction<Partition> secondWeight) {
        return AxisChoices.windows(
                problem.reads().axis(axis),
                problem.target().axis(axis),
                wholeChunks,
                units -> problem.bufferExtent(axis, units),
                secondWeight);
    }

    /** {@return the grid of windows with a number of units on each axis} */
    static ChunkGrid windows(ChunkGrid units, List<Parts> parts) {
        List<Partition> axes = new ArrayList<>();
        for (int axis = 0; axis < units.rank(); axis++) {
            axes.add(units.axis(axis).group(parts.get(axis).window()));
        }
        return ChunkGrid.of(axes);
    }

    /** {@return the fewest windows whose units fit into {@code bytes}, for any source chunks} */
    static Optional<ChunkGrid> largestWindows(Problem problem, long bytes) {
        List<List<Choice>> axes = new ArrayList<>();
        for (int axis = 0; axis < problem.reads().rank(); axis++) {
            axes.add(choices(problem, axis, false, Partition::count));
        }
        return new ProductSearch((double) bytes / problem.itemSize(), Double.POSITIVE_INFINITY)
                .solve(axes).stream().findFirst().map(state -> windows(problem.target(), state.parts()));
    }

    /**
     * {@return the cost of copying by windows}
     *
     * @param units the regions that are written at once
     * @param amplification the number of times that each element is read, on average
     */
    static Cost cost(
            Problem problem,
            CostModel model,
            double lanes,
            ChunkGrid windows,
            ChunkGrid units,
            double amplification,
            Pieces pieces) {
        double bytes = problem.bytes();
        double read = bytes * amplification;
        double requests = requests(problem, windows, pieces) + units.count();
        double storedRead = problem.storedRead(amplification);
        double storedWritten = problem.stored().target();
        double seconds = storedRead / model.readBytesPerSecond()
                + storedWritten / model.writeBytesPerSecond()
                + model.secondsOf(requests, lanes)
                + problem.codecBytes(read) / (model.codecBytesPerSecond() * lanes);
        return new Cost(
                read,
                bytes,
                storedRead,
                storedWritten,
                0,
                0,
                pieces.visits(windows),
                windows.count(),
                requests,
                seconds);
    }

    /**
     * {@return the number of reads} A chunk is read once for each window that touches it. If any bytes can be read,
     * each contiguous run is read.
     */
    static double requests(Problem problem, ChunkGrid windows, Pieces counted) {
        ChunkGrid source = problem.reads();
        double requests = 1;
        boolean together = problem.reading() == Reading.ANY_BYTES;
        for (int axis = source.rank() - 1; axis >= 0; axis--) {
            double pieces = counted.of(axis, windows.axis(axis));
            if (problem.reading() == Reading.ANY_BYTES && !together) {
                requests *= source.axis(axis).length();
            } else {
                requests *= pieces;
                together &= pieces == source.axis(axis).count();
            }
        }
        return Math.max(
                requests,
                problem.reading() == Reading.ANY_BYTES ? (double) problem.bytes() / StageBuilder.MOST_READ_BYTES : 0);
    }
}
