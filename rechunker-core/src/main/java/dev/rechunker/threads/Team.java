package dev.rechunker.threads;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Threads that do the same work together: the calling thread, and those of a {@link ForkJoinPool} that belongs to the
 * team.
 *
 * <p>The threads of the pool are daemons. They start when they are first needed, and end when the team is closed. If
 * the system starts fewer threads than needed, those that there are do all of the work: a part that no other thread has
 * begun is done by the calling thread after its own. Not for several calling threads at once.
 */
public final class Team implements AutoCloseable {
    private static final Support SUPPORT = new Support();

    private final int size;
    private final ForkJoinWorkerThreadFactory factory;
    private @Nullable ForkJoinPool pool;

    /**
     * Creates a team. No thread is started.
     *
     * @param size the most threads that work together, the calling one included; at least 1
     */
    public Team(int size) {
        this(size, SUPPORT);
    }

    /** Creates a team whose threads, apart from the calling one, are made by a factory. */
    public Team(int size, ForkJoinWorkerThreadFactory factory) {
        if (size < 1) {
            throw new IllegalArgumentException("a team of " + size + " threads cannot work; it takes at least 1");
        }
        this.size = size;
        this.factory = factory;
    }

    /** {@return the most threads that work together, the calling one included} */
    public int size() {
        return size;
    }

    /**
     * Runs {@code work} {@code members} times, each in a thread of its own as far as there are threads, and returns
     * when all have returned.
     *
     * <p>If {@code work} throws, the first exception or error is thrown after all have returned; further ones are
     * suppressed.
     *
     * @param members at most {@link #size()}
     * @throws InterruptedException if the calling thread is interrupted while others are still at work; they go on
     */
    public void together(int members, Runnable work) throws InterruptedException {
        begin(members, work).join();
    }

    /** Does the same, but goes on waiting if the calling thread is interrupted, and leaves it interrupted. */
    public void togetherUninterruptibly(int members, Runnable work) {
        begin(members, work).joinUninterruptibly();
    }

    /** Does the calling thread's part and those that no other thread has begun by then. */
    private Parts begin(int members, Runnable work) {
        if (members < 1 || members > size) {
            throw new IllegalArgumentException(members + " members of a team of " + size);
        }
        Parts parts = new Parts(members, work);
        fork(members - 1, parts);
        boolean more = true;
        while (more) {
            more = parts.runNext();
        }
        return parts;
    }

    /** Lets threads of the pool take parts, as many as the system starts. */
    private void fork(int threads, Parts parts) {
        try {
            for (int i = 0; i < threads; i++) {
                pool(threads).execute(parts);
            }
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            // The system has no thread for the parts that are left. The calling thread takes them.
        }
    }

    private ForkJoinPool pool(int threads) {
        ForkJoinPool current = pool;
        if (current == null || current.getParallelism() < threads) {
            close();
            // Where a thread waits, another one may be woken, but none is started in its place: it would have no part.
            current = new ForkJoinPool(
                    threads, factory, SUPPORT, true, threads, threads, 0, SUPPORT, 1, TimeUnit.MINUTES);
            pool = current;
        }
        return current;
    }

    /** Ends the threads of the pool; those that still work are interrupted. */
    @Override
    public void close() {
        if (pool != null) {
            pool.shutdownNow();
            pool = null;
        }
    }

    /** What a pool asks for. A class, since a process that copies little would notice the time that lambdas take. */
    private static final class Support
            implements ForkJoinWorkerThreadFactory, Thread.UncaughtExceptionHandler, Predicate<ForkJoinPool> {
        @Override
        public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
            return new Worker(pool);
        }

        /** Only a thread that cannot start another one ends so, and nothing is lost by that. */
        @Override
        public void uncaughtException(Thread thread, Throwable e) {}

        /** {@return whether a thread may wait although no other one can run instead: always} */
        @Override
        public boolean test(ForkJoinPool pool) {
            return true;
        }
    }

    /** A thread that inherits from the one that needs it, its context class loader too. */
    private static final class Worker extends ForkJoinWorkerThread {
        Worker(ForkJoinPool pool) {
            super(pool);
            setName("rechunker-worker");
            setDaemon(true);
        }
    }
}
