package dev.rechunker.run;

import java.io.IOException;

/**
 * Tasks that may run in any order: those of one stage of a plan, or of one block of a stage, that are not done yet; or
 * small arrays, each of which is one task. They are numbered from 0. The engine implements this; an {@link Executor}
 * calls it.
 */
public interface TaskGroup {
    /** {@return the number of tasks} */
    long count();

    /** {@return the name of the stage they belong to} */
    String stage();

    /**
     * Runs the tasks {@code [from, to)} as soon as the memory for them is free, and returns when they have ended. Tasks
     * that have been run, or that another thread is running, are not run again unless they fail there.
     *
     * @param crew the threads that fill the tasks' windows together
     * @throws IndexOutOfBoundsException if there are no such tasks
     * @throws TaskFailedException if a task fails
     * @throws InterruptedException if interrupted, after the work that was in progress has ended
     */
    void run(long from, long to, Crew crew) throws IOException, InterruptedException;
}
