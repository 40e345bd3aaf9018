package dev.rechunker.run;

import dev.rechunker.resource.MemoryCache;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntFunction;

/**
 * The default executor. The calling thread and the threads of a {@link ForkJoinPool} of its own fill one window
 * together, and begin the next one when memory becomes free. The common pool is not used.
 *
 * <p>The pool exists only while a group of tasks runs, so there is nothing to close. Its threads are daemons. Threads
 * that wait for memory do so in a {@link ForkJoinPool.ManagedBlocker}. If the system starts fewer threads than
 * requested, those that were started do the work. If one executor is used for several copies, each run reuses the
 * memory of the previous one.
 */
public final class ForkJoinExecutor implements Executor {
    /** Enough threads to keep a network busy with requests to an object store, which take about 50 ms each. */
    private static final int REMOTE_THREADS = 64;
    /** The most threads that a pool can have. */
    private static final int MOST_THREADS = 0x7fff;

    private final MemoryCache memoryCache = new MemoryCache();
    private final int threads;
    private final IntFunction<Team> teams;

    /** Creates an executor with one thread per available processor. */
    public ForkJoinExecutor() {
        this(Runtime.getRuntime().availableProcessors());
    }

    /**
     * {@return an executor for remote stores: with 64 threads, or with one per processor if there are more processors}
     *
     * <p>At any time most of the threads wait for a response of the store. Each has buffers of its own, so a plan uses
     * only as many threads as fit into the memory limit.
     */
    public static ForkJoinExecutor forRemoteStores() {
        return new ForkJoinExecutor(
                Math.max(REMOTE_THREADS, Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Creates an executor with the given number of threads, including the calling one.
     *
     * @throws IllegalArgumentException if the number is less than 1 or more than {@value #MOST_THREADS}
     */
    public ForkJoinExecutor(int threads) {
        this(threads, Team::new);
    }

    /** Creates an executor with the given number of threads, in teams that {@code teams} makes. */
    ForkJoinExecutor(int threads, IntFunction<Team> teams) {
        if (threads < 1) {
            throw new IllegalArgumentException("the number of threads is " + threads + ", but must be at least 1");
        }
        if (threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    "the number of threads is " + threads + ", but must be at most " + MOST_THREADS);
        }
        this.threads = threads;
        this.teams = teams;
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
        try (Team team = teams.apply(threads)) {
            tasks.run(0, tasks.count(), new TeamCrew(team));
        }
    }

    private record TeamCrew(Team team) implements Crew {
        @Override
        public int size() {
            return team.size();
        }

        @Override
        public void together(int members, Runnable work) throws InterruptedException {
            team.together(members, work);
        }
    }
}
