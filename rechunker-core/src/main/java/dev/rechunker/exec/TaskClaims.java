package dev.rechunker.exec;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import dev.rechunker.run.Executor;
import dev.rechunker.run.TaskGroup;
import dev.rechunker.threads.ManagedWait;
import java.io.IOException;

/**
 * Which tasks of a group have been run, and which ones a thread is running, so that none is run twice. Tasks have
 * numbers from 0. Thread-safe.
 */
final class TaskClaims {
    private final TaskGroup group;
    /** The numbers of the tasks that have ended. These are few ranges if tasks end almost in order. */
    private final RangeSet<Long> ended = TreeRangeSet.create();
    /** The numbers of the tasks that have ended or are running. */
    private final RangeSet<Long> taken = TreeRangeSet.create();
    /** Whether it is no longer known which tasks have ended, as there was no memory to record it. */
    private boolean lost;

    /** Creates the claims on the tasks of a group. */
    TaskClaims(TaskGroup group) {
        this.group = group;
    }

    /** Runs tasks. */
    @FunctionalInterface
    interface Run {
        /** Runs some tasks, and returns when they have ended. */
        void run(RangeSet<Long> tasks) throws IOException, InterruptedException;
    }

    /**
     * Runs those of the tasks {@code [from, to)} that no other thread has run or is running, and waits until the others
     * have ended. Those that fail in another thread are run again.
     *
     * @throws IndexOutOfBoundsException if there are no such tasks
     */
    void run(long from, long to, Run run) throws IOException, InterruptedException {
        if (from < 0 || to > group.count() || from > to) {
            throw new IndexOutOfBoundsException("tasks " + from + " to " + to + " of " + group.count());
        }
        RangeSet<Long> mine = take(Range.closedOpen(from, to));
        while (!mine.isEmpty()) {
            boolean done = false;
            try {
                run.run(mine);
                done = true;
            } finally {
                giveBack(mine, done);
            }
            mine = take(Range.closedOpen(from, to));
        }
    }

    /** Takes those tasks that no other thread runs. Waits if there are none; {@return none if all have ended} */
    private RangeSet<Long> take(Range<Long> wanted) throws InterruptedException {
        synchronized (ended) {
            while (true) {
                RangeSet<Long> free = TreeRangeSet.create(taken.complement().subRangeSet(wanted));
                if (!free.isEmpty() || wanted.isEmpty() || ended.encloses(wanted)) {
                    taken.addAll(free);
                    return free;
                }
                if (lost) {
                    throw new IllegalStateException("another thread has failed before it could record its tasks");
                }
                ManagedWait.on(ended);
            }
        }
    }

    private void giveBack(RangeSet<Long> mine, boolean done) {
        synchronized (ended) {
            ended.notifyAll();
            boolean recorded = false;
            try {
                if (done) {
                    ended.addAll(mine);
                } else {
                    mine.removeAll(ended);
                    taken.removeAll(mine);
                }
                recorded = true;
            } finally {
                lost |= !recorded;
            }
        }
    }

    /** Records that a task has ended, even if others that are run together with it fail. */
    void recordEnd(long task) {
        synchronized (ended) {
            ended.add(Range.closedOpen(task, task + 1));
        }
    }

    /**
     * Checks that all tasks have ended.
     *
     * @throws IllegalStateException if not; then the executor has returned too early, or has not thrown a failure
     */
    void requireAllRun(Executor executor) {
        RangeSet<Long> missing;
        synchronized (ended) {
            missing = ended.complement().subRangeSet(Range.closedOpen(0L, group.count()));
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    executor.getClass().getName() + " has returned, but not all of the " + group.count()
                            + " tasks of stage " + group.stage() + " have been run; the first of the others is "
                            + missing.span().lowerEndpoint());
        }
    }
}
