package dev.rechunker.memory;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * So many threads, as far as the system starts them: what it has none for is done by the caller, before
 * {@link #execute} returns.
 *
 * <p>The threads are daemons, and start with the first tasks.
 */
public final class WorkerPool extends ThreadPoolExecutor {
    /** Creates it with at most so many threads, and at least one. */
    public WorkerPool(int threads) {
        this(threads, WorkerPool::daemon);
    }

    /**
     * Creates it with the threads of a factory.
     *
     * @param factory throws {@link OutOfMemoryError} as the system does, if it has no more
     */
    public WorkerPool(int threads, ThreadFactory factory) {
        super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "rechunker-worker");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void execute(Runnable work) {
        try {
            super.execute(work);
        } catch (OutOfMemoryError e) { // also says that there are too many threads
            work.run();
        }
    }
}
