package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.plan.Stage;
import java.util.List;

/**
 * Tasks with consecutive numbers: those of one stage whose windows are in a box.
 *
 * @param stage the number of the stage
 * @param box indices of windows
 * @param first the number of the first task
 */
record Group(int stage, Region box, long first) {
    long behind() {
        return first + box.elements();
    }

    List<TaskRanges.Span> left(TaskLog log) {
        return left(log, new TaskRanges.Span(first, behind()));
    }

    /** {@return those tasks of a span that are in this group and not done, numbered from the group's first} */
    List<TaskRanges.Span> left(TaskLog log, TaskRanges.Span of) {
        long from = Math.max(first, of.from());
        long to = Math.min(behind(), of.to());
        if (from >= to) {
            return List.of();
        }
        return log.before(stage).missing(from, to).stream()
                .map(span -> new TaskRanges.Span(span.from() - first, span.to() - first))
                .toList();
    }

    /** {@return the number of the task that assembles a window} */
    long number(Stage of, Region window) {
        long[] index = of.windows().chunksTouching(window).origin();
        long number = 0;
        for (int axis = 0; axis < index.length; axis++) {
            number = number * box.extent(axis) + index[axis] - box.start(axis);
        }
        return first + number;
    }
}
