package dev.rechunker.exec;

import dev.rechunker.memory.WorkspaceRecycler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Supplier;

/**
 * The default: all threads of a pool of its own fill one window together, and go on to the next as memory is returned.
 *
 * <p>The pool lives as long as a group of tasks; there is nothing to close. Who makes many copies of one kind does well
 * to make them by one executor: a run then takes over the memory of the one before.
 */
public final class ForkJoinExecutor implements Executor {
    /** Enough that requests of some 50 ms to an object store do not keep a network waiting. */
    private static final int REMOTE_THREADS = 64;
    /** A fork-join pool has no more. */
    private static final int MOST_THREADS = 0x7fff;

    private final WorkspaceRecycler recycler = new WorkspaceRecycler();
    private final int threads;
    private final Supplier<Workers> workers;

    /** Creates it with a thread per available processor. */
    public ForkJoinExecutor() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /**
     * {@return one with many more threads than there are processors: most of them wait for an answer of a remote store
     * at any time}
     *
     * <p>A plan takes as many of them as its bound has room for, since each has buffers of its own.
     */
    public static ForkJoinExecutor forRemoteStores() {
        return new ForkJoinExecutor(
                Math.max(REMOTE_THREADS, Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Creates it with so many threads.
     *
     * @throws IllegalArgumentException if there is not at least one, or more than {@value #MOST_THREADS}
     */
    public ForkJoinExecutor(int threads) {
        this(threads, Workers::new);
    }

    /** Creates it with so many threads, which those make that {@code workers} gives for each pool. */
    ForkJoinExecutor(int threads, Supplier<Workers> workers) {
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads cannot run anything; it takes at least 1");
        }
        if (threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    threads + " threads are more than a pool can have, which is " + MOST_THREADS);
        }
        this.threads = threads;
        this.workers = workers;
    }

    @Override
    public int threads() {
        return threads;
    }

    @Override
    public WorkspaceRecycler recycler() {
        return recycler;
    }

    @Override
    public void execute(TaskGroup tasks) throws IOException, InterruptedException {
        Workers made = workers.get();
        ForkJoinPool pool = new ForkJoinPool(threads, made, null, false);
        try {
            tasks.run(0, tasks.count(), new PoolCrew(pool, made));
        } finally {
            pool.shutdownNow(); // the orderly way waits for the threads, also for those that were refused
        }
    }

    private record PoolCrew(ForkJoinPool pool, Workers workers) implements Crew {
        @Override
        public int size() {
            return pool.getParallelism();
        }

        @Override
        public void together(int members, Runnable work) throws InterruptedException {
            List<ForkJoinTask<?>> started = new ArrayList<>();
            for (int i = 0; i < members; i++) {
                started.add(pool.submit(work));
            }
            boolean deserted = !workers.areThere();
            for (ForkJoinTask<?> task : started) {
                try {
                    if (deserted) {
                        task.invoke();
                    } else {
                        task.get();
                    }
                } catch (ExecutionException e) {
                    throw new IllegalStateException("work is not to throw", e);
                }
            }
        }
    }
}
