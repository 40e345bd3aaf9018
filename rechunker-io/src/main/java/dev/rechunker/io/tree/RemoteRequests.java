package dev.rechunker.io.tree;

import dev.rechunker.io.bytes.KeyStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests to a key store. A remote store gets many of them at the same time, another one after the other. */
public final class RemoteRequests {
    /** The most requests of one call at the same time. */
    private static final int MOST = 64;

    private final KeyStore store;

    /** Creates requests to a store. */
    public RemoteRequests(KeyStore store) {
        this.store = store;
    }

    /**
     * {@return the results of requests, in the order of the requests}
     *
     * @throws IOException if a request fails; requests that are not answered yet are given up then
     */
    public <T> List<T> all(List<Callable<T>> requests) throws IOException {
        List<FutureTask<T>> tasks = requests.stream().map(FutureTask::new).toList();
        AtomicInteger next = new AtomicInteger();
        Runnable worker = () -> {
            for (int i = next.getAndIncrement(); i < tasks.size(); i = next.getAndIncrement()) {
                tasks.get(i).run();
            }
        };
        try {
            if (store.isRemote()) {
                start(worker, Math.min(MOST, tasks.size()));
            } else {
                worker.run();
            }
            List<T> results = new ArrayList<>();
            for (FutureTask<T> task : tasks) {
                results.add(result(task));
            }
            return results;
        } finally {
            next.set(tasks.size());
            tasks.forEach(task -> task.cancel(true));
        }
    }

    private static void start(Runnable worker, int threads) {
        try {
            for (int i = 0; i < threads; i++) {
                Thread thread = new Thread(worker, "rechunker-metadata");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (OutOfMemoryError e) { // the system has no more threads
            worker.run();
        }
    }

    private static <T> T result(Future<T> request) throws IOException {
        try {
            return request.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
        }
    }
}
