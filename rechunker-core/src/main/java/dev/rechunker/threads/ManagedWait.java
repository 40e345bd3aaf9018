package dev.rechunker.threads;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;

/** Waits of threads that may belong to a {@link ForkJoinPool}, which is told and can run other tasks meanwhile. */
public final class ManagedWait {
    private ManagedWait() {}

    /**
     * Waits as {@link Object#wait()} does. The calling thread holds the monitor; whether what it waits for has happened
     * is for it to check.
     *
     * @throws InterruptedException if interrupted
     */
    public static void on(Object monitor) throws InterruptedException {
        OneWait wait = new OneWait(monitor);
        try {
            ForkJoinPool.managedBlock(wait);
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            wait.block(); // the pool has no thread to run instead
        }
    }

    private static final class OneWait implements ForkJoinPool.ManagedBlocker {
        private final Object monitor;
        private boolean over;

        OneWait(Object monitor) {
            this.monitor = monitor;
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // the caller has the loop
        public boolean block() throws InterruptedException {
            if (!over) {
                monitor.wait();
                over = true;
            }
            return true;
        }

        @Override
        public boolean isReleasable() {
            return over;
        }
    }
}
