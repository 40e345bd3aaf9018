package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import java.io.IOException;
import java.util.List;

/**
 * The steps of a group of tasks: the parts that are recorded as done. A step is a window, or a slice of units across
 * the axis of a sweep that is not cut, or a unit that is copied encoded. If processes share the tasks of a stage, a
 * step is a whole task.
 */
final class Steps {
    private static final int NONE = -1;

    private enum Size {
        /** A unit. So encoded copies can be resumed within a task of any size. */
        UNIT,
        /** The units of a window with the same index on the axis of a sweep. */
        SLICE,
        WINDOW
    }

    private final Stage stage;
    private final int number;
    private final Region box;
    private final long first;
    private final TaskLog log;
    private final TaskRanges before;
    private final Size size;
    /** The axis along which windows are cut into slices, or {@link #NONE}. */
    private final int swept;

    /**
     * Creates the steps of the tasks with windows in a box.
     *
     * @param number the number of the stage
     * @param box the indices of the windows
     * @param first the number of the first task
     * @param log records the steps that are done, and knows those of an earlier run
     * @param wholeTasks whether only whole tasks are recorded
     */
    Steps(Strategy strategy, Stage stage, int number, Region box, long first, TaskLog log, boolean wholeTasks) {
        this.stage = stage;
        this.number = number;
        this.box = box;
        this.first = first;
        this.log = log;
        this.before = log.doneBefore(number);
        int axis = strategy.sweptAxis().orElse(NONE);
        boolean isCut = axis != NONE && stage.windows().axis(axis).count() > 1;
        this.swept = wholeTasks || isCut ? NONE : axis;
        boolean encoded = stage.kind().isEncoded();
        this.size = encoded && !wholeTasks ? Size.UNIT : swept == NONE ? Size.WINDOW : Size.SLICE;
    }

    Stage stage() {
        return stage;
    }

    /** {@return the windows of the tasks, as a box of their indices} */
    Region box() {
        return box;
    }

    /** {@return the number of the first task after these} */
    long endTask() {
        return first + box.elements();
    }

    /** {@return the number of steps of one task} */
    long stepsPerTask() {
        return swept == NONE ? 1 : stage.units().axis(swept).count();
    }

    /** {@return whether none of the steps was done before} */
    boolean isUntouched() {
        return before.hasNone(first * stepsPerTask(), endTask() * stepsPerTask());
    }

    /** {@return the tasks with unfinished steps, by their places in the box} */
    List<TaskRanges.Span> tasksLeft() {
        if (size == Size.UNIT) {
            return List.of(new TaskRanges.Span(0, box.elements()));
        }
        return TaskRanges.Span.join(missing().stream()
                .map(span -> new TaskRanges.Span(
                        span.from() / stepsPerTask() - first,
                        (span.to() + stepsPerTask() - 1) / stepsPerTask() - first))
                .toList());
    }

    /** {@return the unfinished tasks in the box of a range of numbers, by their places in the box} */
    List<TaskRanges.Span> tasksLeft(TaskRanges.Span of) {
        long from = Math.max(first, of.from());
        long to = Math.min(endTask(), of.to());
        return from >= to
                ? List.of()
                : before.missing(from, to).stream()
                        .map(span -> new TaskRanges.Span(span.from() - first, span.to() - first))
                        .toList();
    }

    /** {@return the share of the steps that were done before} */
    double shareDoneBefore() {
        if (size == Size.UNIT || box.elements() == 0) {
            return 0;
        }
        long left = missing().stream().mapToLong(TaskRanges.Span::count).sum();
        return 1 - (double) left / (box.elements() * stepsPerTask());
    }

    private List<TaskRanges.Span> missing() {
        return before.missing(first * stepsPerTask(), endTask() * stepsPerTask());
    }

    /** {@return the number of unfinished steps of a window} */
    long stepsLeft(Region window) {
        long step = task(window) * stepsPerTask();
        return before.missing(step, step + stepsPerTask()).stream()
                .mapToLong(TaskRanges.Span::count)
                .sum();
    }

    /** {@return the step that a unit is part of} */
    Region of(Region unit, Region window) {
        if (size != Size.SLICE) {
            return size == Size.UNIT ? unit : window;
        }
        long[] origin = window.origin();
        long[] extents = window.shape().toArray();
        origin[swept] = unit.start(swept);
        extents[swept] = unit.extent(swept);
        return Region.of(origin, Shape.of(extents));
    }

    /** {@return whether a step was done before} */
    boolean isDone(Region step) {
        return !before.isEmpty() && before.contains(number(step));
    }

    /** Records a step as done. Its data are stored by then. */
    void recordDone(Region step) throws IOException {
        log.recordTask(number, number(step));
    }

    private long number(Region step) {
        if (size == Size.UNIT) {
            return stage.units().ordinal(stage.units().chunksTouching(step).origin());
        }
        return swept == NONE
                ? task(step)
                : task(step) * stepsPerTask() + stage.units().axis(swept).indexOf(step.start(swept));
    }

    /** {@return the number of the task with the window of a region} */
    private long task(Region region) {
        return first + place(region);
    }

    /** {@return the place in the box of the task with the window of a region} */
    long place(Region region) {
        return box.ordinal(stage.windows().chunksTouching(region).origin());
    }
}
