package dev.rechunker.exec;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * Makes the threads of a pool, as far as the system starts them; with those that it has the pool goes on.
 *
 * <p>Where a pool starts a thread itself and the system refuses, the error ends the thread that asked for another one,
 * with the task that it was about to run, for which everybody would wait.
 */
class Workers implements ForkJoinPool.ForkJoinWorkerThreadFactory {
    private volatile @Nullable Error refusal;

    @Override
    public final @Nullable ForkJoinWorkerThread newThread(ForkJoinPool pool) {
        Worker worker = new Worker(pool);
        try {
            begin(worker);
            return worker;
        } catch (OutOfMemoryError e) { // also says that there are too many threads
            refusal = e;
            return null;
        }
    }

    /** Starts a thread. */
    void begin(Worker worker) {
        worker.begin();
    }

    /** {@return why a thread was not started; null if all were} */
    @Nullable
    Error refusal() {
        return refusal;
    }

    /** A thread that runs before the pool has it. */
    static final class Worker extends ForkJoinWorkerThread {
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
    }
}
