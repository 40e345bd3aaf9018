package dev.rechunker.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that work on numbered items until none is left. */
final class Threads {
    private Threads() {}

    /** The work of one thread, which has its own buffers. */
    interface Worker {
        void work(long item) throws IOException;
    }

    /** A factory of workers, one per thread. */
    interface WorkerFactory {
        Worker create();
    }

    /**
     * {@return the seconds from the start of the first item to the end of the last one, without those to allocate
     * buffers}
     *
     * @param items the number of items, which are numbered from 0
     */
    static double seconds(int threads, long items, WorkerFactory factory) throws IOException, InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < Math.min(threads, items); i++) {
            workers.add(factory.create());
        }
        AtomicLong next = new AtomicLong();
        ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, workers.size()));
        try {
            long start = System.nanoTime();
            List<Future<?>> futures = new ArrayList<>();
            for (Worker worker : workers) {
                futures.add(pool.submit(() -> {
                    for (long item = next.getAndIncrement(); item < items; item = next.getAndIncrement()) {
                        worker.work(item);
                    }
                    return null;
                }));
            }
            for (Future<?> future : futures) {
                await(future);
            }
            return (System.nanoTime() - start) / 1e9;
        } finally {
            pool.shutdownNow();
        }
    }

    private static void await(Future<?> future) throws IOException, InterruptedException {
        try {
            future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
