package dev.rechunker.exec;

import com.google.common.collect.ContiguousSet;
import com.google.common.collect.DiscreteDomain;
import com.google.common.collect.Range;
import dev.rechunker.run.Crew;
import dev.rechunker.run.Executor;
import dev.rechunker.run.TaskGroup;
import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Tasks of which the threads of a crew run several at once, each by one thread. */
public final class SingleThreadTasks implements TaskGroup {
    private final String name;
    private final int count;
    private final Body body;
    private final int mostAtOnce;
    private final Attempts attempts;
    private final TaskClaims claims = new TaskClaims(this);
    /** As many as tasks may run at once, also if the executor runs several parts of the group at once. */
    private final Semaphore free;

    /** What a task does. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs a task in the calling thread.
         *
         * @param task its number from 0
         */
        void run(int task) throws IOException, InterruptedException;
    }

    /**
     * Creates the group.
     *
     * @param name the name of the stage
     * @param count the number of tasks
     * @param mostAtOnce how many tasks may run at the same time
     * @param attempts the retries, which are stopped if a task fails
     */
    public SingleThreadTasks(String name, int count, int mostAtOnce, Attempts attempts, Body body) {
        this.name = name;
        this.count = count;
        this.mostAtOnce = mostAtOnce;
        this.attempts = attempts;
        this.body = body;
        this.free = new Semaphore(mostAtOnce);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public String stage() {
        return name;
    }

    @Override
    public void run(long from, long to, Crew crew) throws IOException, InterruptedException {
        claims.run(from, to, mine -> {
            for (Range<Long> range : mine.asRanges()) {
                int members = (int)
                        Math.min(Math.min(crew.size(), mostAtOnce), range.upperEndpoint() - range.lowerEndpoint());
                new Several(range).doneBy(crew, members, attempts);
            }
        });
    }

    /**
     * Runs all tasks by an executor.
     *
     * @throws IOException if a task fails
     * @throws IllegalStateException if the executor has not run all tasks
     */
    public void runBy(Executor executor) throws IOException, InterruptedException {
        executor.execute(this);
        claims.requireAllRun(executor);
    }

    /** Neighbouring tasks, which the threads take one after the other. */
    private final class Several extends CrewWork {
        private final Iterator<Long> left;

        Several(Range<Long> tasks) {
            left = ContiguousSet.create(tasks, DiscreteDomain.longs()).iterator();
        }

        @Override
        void work(int thread) {
            for (Long task = next(); task != null; task = next()) {
                try {
                    run(task);
                } catch (Throwable e) { // whatever it is, the other threads must stop
                    fail(e);
                }
            }
        }

        private void run(long task) throws IOException, InterruptedException {
            free.acquire();
            try {
                body.run((int) task);
            } finally {
                free.release();
            }
            claims.recordEnd(task);
        }

        private synchronized @Nullable Long next() {
            return isStopped() || !left.hasNext() ? null : left.next();
        }
    }
}
