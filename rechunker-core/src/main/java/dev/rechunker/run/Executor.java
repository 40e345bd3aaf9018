package dev.rechunker.run;

import dev.rechunker.resource.MemoryCache;
import java.io.IOException;

/**
 * Decides where and when the tasks of a stage run. Tasks of one group may run in any order, at the same time and more
 * than once; a group is given only after the group before has returned.
 */
public interface Executor {
    /** {@return the threads that share the memory of one process; plans are made for so many} */
    int threads();

    /**
     * {@return where runs by this executor find memory that earlier runs have left}
     *
     * <p>By default each run gets an empty cache. An executor that returns the same cache each time lets a run reuse
     * the memory of the run before it.
     */
    default MemoryCache memoryCache() {
        return new MemoryCache();
    }

    /**
     * Runs every task of the group, and returns when all have ended. Whether it has is checked: nothing is published of
     * which a task has not been run.
     *
     * @throws IOException if a task failed
     * @throws InterruptedException if interrupted, after all tasks have ended
     */
    void execute(TaskGroup tasks) throws IOException, InterruptedException;
}
