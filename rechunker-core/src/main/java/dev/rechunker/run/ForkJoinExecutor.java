package dev.rechunker.run;

import dev.rechunker.memory.WorkerPool;
import dev.rechunker.resource.MemoryCache;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * The default: all threads of a pool of its own fill one window together, and go on to the next as memory is returned.
 * The work on windows is forked to each, and joined when all have done it.
 *
 * <p>The pool lives as long as a group of tasks; there is nothing to close. Who makes many copies of one kind does well
 * to make them by one executor: a run then takes over the memory of the one before.
 */
public final class ForkJoinExecutor implements Executor {
    /** Enough that requests of some 50 ms to an object store do not keep a network waiting. */
    private static final int REMOTE_THREADS = 64;
    /** More have no use, and systems start no more. */
    private static final int MOST_THREADS = 0x7fff;

    private final MemoryCache memoryCache = new MemoryCache();
    private final int threads;
    private final IntFunction<WorkerPool> pools;

    /** Creates it with a thread per available processor. */
    public ForkJoinExecutor() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /**
     * {@return one with 64 threads, or one for each processor if these are more: most of them wait for an answer of a
     * remote store at any time}
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
        this(threads, WorkerPool::new);
    }

    /** Creates it with so many threads, in pools that {@code pools} makes. */
    ForkJoinExecutor(int threads, IntFunction<WorkerPool> pools) {
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads cannot run anything; it takes at least 1");
        }
        if (threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    threads + " threads are more than there can be, which is " + MOST_THREADS);
        }
        this.threads = threads;
        this.pools = pools;
    }

    @Override
    public int threads() {
        return threads;
    }

    @Override
    public MemoryCache memoryCache() {
        return memoryCache;
    }

    @Override
    public void execute(TaskGroup tasks) throws IOException, InterruptedException {
        WorkerPool pool = pools.apply(threads);
        try {
            tasks.run(0, tasks.count(), new PoolCrew(pool));
        } finally {
            pool.shutdown();
        }
    }

    private record PoolCrew(WorkerPool pool) implements Crew {
        @Override
        public int size() {
            return pool.getMaximumPoolSize();
        }

        @Override
        public void together(int members, Runnable work) throws InterruptedException {
            List<Future<?>> forked = new ArrayList<>();
            for (int i = 0; i < members; i++) {
                forked.add(pool.submit(work));
            }
            for (Future<?> member : forked) {
                try {
                    member.get();
                } catch (ExecutionException e) {
                    throw new IllegalStateException("work is not to throw", e);
                }
            }
        }
    }
}
