package dev.rechunker.exec;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes the threads of one pool, as far as the system starts them; with those that it has the pool goes on.
 *
 * <p>Where a pool starts a thread itself and the system refuses, the error ends the thread that asked for another one,
 * with the task that it was about to run, for which everybody would wait.
 */
class Workers implements ForkJoinPool.ForkJoinWorkerThreadFactory {
    private final AtomicInteger alive = new AtomicInteger();

    @Override
    public final @Nullable ForkJoinWorkerThread newThread(ForkJoinPool pool) {
        Worker worker = new Worker(pool);
        alive.incrementAndGet();
        try {
            begin(worker);
            return worker;
        } catch (OutOfMemoryError e) { // also says that there are too many threads
            alive.decrementAndGet();
            return null;
        }
    }

    /** Starts a thread. */
    void begin(Worker worker) {
        worker.begin();
    }

    /** {@return whether there is a thread; the size of a pool counts also those that were refused} */
    boolean areThere() {
        return alive.get() > 0;
    }

    /** A thread that runs before the pool has it. */
    final class Worker extends ForkJoinWorkerThread {
        private Worker(ForkJoinPool pool) {
            super(pool);
        }

        private void begin() {
            super.start();
        }

        @Override
        public void start() {
            // it runs already
        }

        @Override
        protected void onTermination(@Nullable Throwable exception) {
            alive.decrementAndGet();
            super.onTermination(exception);
        }
    }
}
