package dev.rechunker;

import dev.rechunker.run.Progress;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.Report;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A copy under way in a thread of its own, started by {@link Plan#start()}.
 *
 * <p>It is done when everything has ended and been returned: threads, files, memory. That is also when
 * {@link CancellationException} is thrown by {@link #get()} after {@link #cancel()}; what was done until then is kept
 * where a run can be gone on with.
 */
public final class Run implements Future<Report> {
    private final CompletableFuture<Report> result = new CompletableFuture<>();
    private final AtomicReference<@Nullable Progress> progress = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean cancelled;

    /** Something to run that tells how far it has come. */
    interface Work {
        Report run(ProgressListener listener) throws IOException, InterruptedException;
    }

    private Run(String name, ProgressListener listener, Work work) {
        ProgressListener both = told -> {
            progress.set(told);
            listener.onProgress(told);
        };
        this.thread = new Thread(() -> execute(work, both), name);
    }

    static Run start(String name, ProgressListener listener, Work work) {
        Run run = new Run(name, listener, work);
        run.thread.start();
        return run;
    }

    private void execute(Work work, ProgressListener listener) {
        try {
            result.complete(work.run(listener));
        } catch (InterruptedException e) {
            if (cancelled) {
                result.cancel(false);
            } else {
                result.completeExceptionally(e);
            }
        } catch (IOException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    /** {@return how far it has come, as told about ten times a second; empty before the first time} */
    public Optional<Progress> progress() {
        return Optional.ofNullable(progress.get());
    }

    /**
     * Asks it to end soon, which it does when what is under way has ended.
     *
     * @return false if it has ended already
     */
    public boolean cancel() {
        return cancel(true);
    }

    /** As {@link #cancel()}; a run that was started is always interrupted. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        cancelled = true;
        thread.interrupt();
        return !result.isDone();
    }

    @Override
    public boolean isCancelled() {
        return result.isCancelled();
    }

    @Override
    public boolean isDone() {
        return result.isDone();
    }

    /**
     * Waits until it has ended.
     *
     * @throws CancellationException if it ended because it was cancelled
     * @throws ExecutionException if it failed; the cause is what {@link Plan#execute()} would have thrown
     */
    @Override
    public Report get() throws InterruptedException, ExecutionException {
        return result.get();
    }

    @Override
    public Report get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        return result.get(timeout, unit);
    }
}
