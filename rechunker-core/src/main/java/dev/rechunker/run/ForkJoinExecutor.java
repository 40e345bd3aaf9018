package dev.rechunker.run;

import dev.rechunker.resource.MemoryCache;
import dev.rechunker.threads.Team;
import java.io.IOException;
import java.util.concurrent.ForkJoinPool;
import java.util.function.IntFunction;

/**
 * The default executor: the calling thread and those of a {@link ForkJoinPool} of its own fill one window together, and
 * begin the next as memory becomes free. It never uses the common pool.
 *
 * <p>A pool exists as long as a group of tasks runs, so there is nothing to close. Its threads are daemons, and its
 * waits for memory are known to it ({@link ForkJoinPool.ManagedBlocker}). If the system starts fewer threads than were
 * asked for, those that there are do the work. Use one executor for many copies of one kind: each run then takes over
 * the memory of the one before.
 */
public final class ForkJoinExecutor implements Executor {
    /** Enough that requests of some 50 ms to an object store do not keep a network waiting. */
    private static final int REMOTE_THREADS = 64;
    /** More have no use, and systems start no more. */
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
     * <p>Most of the threads wait for an answer of a store at any time. Each has buffers of its own, so a plan uses as
     * many of them as fit into its bound.
     */
    public static ForkJoinExecutor forRemoteStores() {
        return new ForkJoinExecutor(
                Math.max(REMOTE_THREADS, Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Creates an executor with the given number of threads, the calling one included.
     *
     * @throws IllegalArgumentException if there is not at least one, or more than {@value #MOST_THREADS}
     */
    public ForkJoinExecutor(int threads) {
        this(threads, Team::new);
    }

    /** Creates an executor with the given number of threads, in teams that {@code teams} makes. */
    ForkJoinExecutor(int threads, IntFunction<Team> teams) {
        if (threads < 1) {
            throw new IllegalArgumentException(threads + " threads cannot run anything; it takes at least 1");
        }
        if (threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    threads + " threads are more than there can be, which is " + MOST_THREADS);
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
