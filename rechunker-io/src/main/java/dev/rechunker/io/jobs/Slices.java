package dev.rechunker.io.jobs;

import dev.rechunker.run.TaskRange;
import java.util.ArrayList;
import java.util.List;

/** Divides tasks into ranges. */
final class Slices {
    private Slices() {}

    /**
     * {@return ranges that contain some tasks, each about as many of them; other tasks between them are in a range,
     * too}
     *
     * @param tasks the tasks, in order
     * @param most the maximum number of ranges
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    static List<TaskRange> of(List<TaskRange> tasks, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("the number of ranges is " + most + "; at least 1");
        }
        long all = tasks.stream().mapToLong(TaskRange::count).sum();
        long count = Math.min(most, all);
        List<TaskRange> slices = new ArrayList<>();
        long seen = 0;
        long first = -1; // of the slice that is not complete
        for (TaskRange range : tasks) {
            for (long from = range.from(); from < range.to(); ) {
                first = first < 0 ? from : first;
                long end = part(all, slices.size() + 1, count);
                long taken = Math.min(range.to() - from, end - seen);
                from += taken;
                seen += taken;
                if (seen == end) {
                    slices.add(new TaskRange(first, from));
                    first = -1;
                }
            }
        }
        return slices;
    }

    private static long part(long tasks, long number, long count) {
        return tasks / count * number + Math.min(number, tasks % count);
    }
}
