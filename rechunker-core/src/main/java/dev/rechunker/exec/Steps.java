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
 * What of a group of tasks is recorded as done: windows, with the numbers of their tasks; where a window is long, the
 * slices of its units along the axis of the sweep; and the units that are copied encoded, one by one. Where processes
 * share the tasks of a stage, whole tasks.
 */
final class Steps {
    private static final int NONE = -1;

    private final Stage stage;
    private final int number;
    private final Region box;
    private final long first;
    private final TaskLog log;
    private final TaskRanges before;
    private final boolean wholeTasks;
    /** The axis along which windows are cut into slices, or {@link #NONE}. */
    private final int swept;

    /**
     * Numbers the steps of the tasks whose windows are in a box.
     *
     * @param number of the stage
     * @param first the number of the first task
     * @param wholeTasks whether nothing less than a task is recorded
     */
    Steps(Strategy strategy, Stage stage, int number, Region box, long first, TaskLog log, boolean wholeTasks) {
        this.stage = stage;
        this.number = number;
        this.box = box;
        this.first = first;
        this.log = log;
        this.before = log.before(number);
        this.wholeTasks = wholeTasks;
        this.swept = strategy instanceof Strategy.Sweep sweep && !wholeTasks ? sweep.axis() : NONE;
    }

    Stage stage() {
        return stage;
    }

    /** {@return the windows of the tasks, as a box of their indices} */
    Region box() {
        return box;
    }

    /** {@return the number of the first task behind these} */
    long behind() {
        return first + box.elements();
    }

    /** {@return the steps of one task} */
    long perTask() {
        return swept == NONE ? 1 : stage.units().axis(swept).count();
    }

    /** {@return whether nothing of it was done before} */
    boolean hasNone() {
        return before.hasNone(first * perTask(), behind() * perTask());
    }

    /** {@return the tasks that have steps left, by their place in the box} */
    List<TaskRanges.Span> left() {
        if (isByUnit()) {
            return List.of(new TaskRanges.Span(0, box.elements()));
        }
        return TaskRanges.Span.join(missing().stream()
                .map(span -> new TaskRanges.Span(
                        span.from() / perTask() - first, (span.to() + perTask() - 1) / perTask() - first))
                .toList());
    }

    /** {@return those tasks of a span of numbers that are in the box and not done, by their place in the box} */
    List<TaskRanges.Span> left(TaskRanges.Span of) {
        long from = Math.max(first, of.from());
        long to = Math.min(behind(), of.to());
        return from >= to
                ? List.of()
                : before.missing(from, to).stream()
                        .map(span -> new TaskRanges.Span(span.from() - first, span.to() - first))
                        .toList();
    }

    /** {@return the share of the steps that were done before} */
    double doneBefore() {
        if (isByUnit() || box.elements() == 0) {
            return 0;
        }
        long left = missing().stream().mapToLong(TaskRanges.Span::count).sum();
        return 1 - (double) left / (box.elements() * perTask());
    }

    private List<TaskRanges.Span> missing() {
        return before.missing(first * perTask(), behind() * perTask());
    }

    /** {@return the steps of a window that are left} */
    long left(Region window) {
        long step = task(window) * perTask();
        return before.missing(step, step + perTask()).stream()
                .mapToLong(TaskRanges.Span::count)
                .sum();
    }

    /** {@return the step that a unit is part of} */
    Region of(Region unit, Region window) {
        if (isEncoded()) {
            return unit;
        }
        if (swept == NONE) {
            return window;
        }
        long[] origin = window.origin();
        long[] extents = window.shape().toArray();
        origin[swept] = unit.start(swept);
        extents[swept] = unit.extent(swept);
        return Region.of(origin, Shape.of(extents));
    }

    /** {@return whether a step was done before} */
    boolean isDone(Region step) {
        return (isByUnit() || !isEncoded()) && before.contains(number(step));
    }

    /** Records a step: what it has written is stored. */
    void done(Region step) throws IOException {
        if (isByUnit() || !isEncoded()) {
            log.done(number, number(step));
        }
    }

    /** Records tasks of encoded copies, by their place in the box, if whole tasks are recorded. */
    void done(List<TaskRanges.Span> tasks) throws IOException {
        if (isEncoded() && wholeTasks) {
            for (TaskRanges.Span span : tasks) {
                for (long task = span.from(); task < span.to(); task++) {
                    log.done(number, first + task);
                }
            }
        }
    }

    private long number(Region step) {
        if (isEncoded()) {
            return stage.units().ordinal(stage.units().chunksTouching(step).origin());
        }
        return swept == NONE
                ? task(step)
                : task(step) * perTask() + stage.units().axis(swept).indexOf(step.start(swept));
    }

    /** {@return the number of the task whose window a region is in} */
    private long task(Region region) {
        long[] index = stage.windows().chunksTouching(region).origin();
        long task = 0;
        for (int axis = 0; axis < index.length; axis++) {
            task = task * box.extent(axis) + index[axis] - box.start(axis);
        }
        return first + task;
    }

    private boolean isByUnit() {
        return isEncoded() && !wholeTasks;
    }

    private boolean isEncoded() {
        return stage.kind() == Stage.Kind.ENCODED;
    }
}
