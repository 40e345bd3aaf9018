package dev.rechunker.run;

/** Threads that work together on the tasks of one process. */
public interface Crew {
    /** The calling thread alone. */
    Crew ALONE = new Crew() {
        @Override
        public int size() {
            return 1;
        }

        @Override
        public void together(int members, Runnable work) {
            work.run();
        }
    };

    /** {@return the number of threads} */
    int size();

    /**
     * Runs {@code work} once in each of {@code members} threads at the same time, and returns when all have returned.
     *
     * @param members at most {@link #size()}
     * @param work does not throw
     * @throws InterruptedException if the calling thread is interrupted; the work may continue until it notices the
     *     interrupt
     */
    void together(int members, Runnable work) throws InterruptedException;
}
