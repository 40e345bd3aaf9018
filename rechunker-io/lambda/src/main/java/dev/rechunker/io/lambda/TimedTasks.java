package dev.rechunker.io.lambda;

import dev.rechunker.run.Report;
import dev.rechunker.run.TaskRange;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Runs tasks until the time of an invocation is nearly over. The first task is always tried. Tasks are run in groups,
 * which are recorded together: as many as take about half a minute, at most twice as many as before, and as the time
 * allows if each takes half as long again as the slowest so far.
 */
final class TimedTasks {
    /** The time for the answer, and for recording the last group, in milliseconds. */
    static final long RESERVE = 10_000;

    private static final long GROUP = 30_000;

    private final LongSupplier remaining;
    private final Work work;
    /** The longest time of a task so far, in milliseconds; 0 before the first one. */
    private long slowest;

    /** The number of tasks in the last group. */
    private long last;

    private long tasks;
    private long bytesRead;
    private long bytesWritten;
    private long memory;

    /** Runs a range of tasks, and records them. */
    interface Work {
        Report run(long from, long to) throws IOException, InterruptedException;
    }

    /**
     * Prepares a run.
     *
     * @param remaining the remaining time, in milliseconds
     */
    TimedTasks(LongSupplier remaining, Work work) {
        this.remaining = remaining;
        this.work = work;
    }

    /** {@return the number of tasks that are left} */
    long run(List<TaskRange> ranges) throws IOException, InterruptedException {
        long left = ranges.stream().mapToLong(TaskRange::count).sum();
        for (TaskRange range : ranges) {
            for (long from = range.from(); from < range.to(); ) {
                long group = Math.min(range.to() - from, group());
                if (group == 0) {
                    return left;
                }
                run(from, from + group);
                from += group;
                left -= group;
            }
        }
        return left;
    }

    /** {@return how many tasks to run next} */
    private long group() {
        if (slowest == 0) {
            return 1;
        }
        long fit = 2 * (remaining.getAsLong() - RESERVE) / (3 * slowest);
        return Math.max(0, Math.min(fit, Math.min(2 * last, Math.max(1, GROUP / slowest))));
    }

    private void run(long from, long to) throws IOException, InterruptedException {
        last = to - from;
        long before = remaining.getAsLong();
        Report report = work.run(from, to);
        slowest = Math.max(Math.max(1, slowest), (before - remaining.getAsLong()) / (to - from));
        tasks += report.tasks();
        bytesRead += report.bytesRead();
        bytesWritten += report.bytesWritten();
        memory = Math.max(memory, report.measuredMemory());
    }

    long tasks() {
        return tasks;
    }

    long bytesRead() {
        return bytesRead;
    }

    long bytesWritten() {
        return bytesWritten;
    }

    long memory() {
        return memory;
    }
}
