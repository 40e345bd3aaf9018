package dev.rechunker.run;

import dev.rechunker.resource.MemoryCache;
import java.io.IOException;

/**
 * Decides in which threads or processes the tasks of a copy run, and when. Tasks come in {@linkplain TaskGroup groups}.
 * Those of one group may run in any order, at the same time and more than once; the next group is passed to
 * {@link #execute} only after the call for the group before has returned.
 */
public interface Executor {
    /**
     * {@return the number of threads that run tasks in one process and share its memory; plans are made for this
     * number}
     */
    int threads();

    /**
     * {@return the cache in which runs by this executor leave memory for later runs}
     *
     * <p>By default each run gets an empty cache. An executor that returns the same cache each time lets a run reuse
     * the memory of the run before it.
     */
    default MemoryCache memoryCache() {
        return new MemoryCache();
    }

    /**
     * Runs every task of the group, and returns when all have ended. The engine checks this: if a task was not run, the
     * run fails, and the array is not published.
     *
     * @throws IOException if a task failed
     * @throws InterruptedException if interrupted, after all tasks have ended
     */
    void execute(TaskGroup tasks) throws IOException, InterruptedException;
}
