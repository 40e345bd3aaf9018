package dev.rechunker;

import static java.util.Objects.requireNonNull;

import dev.rechunker.picture.LivePicture;
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
 * A copy that runs in a thread of its own, started by {@link Plan#start()}.
 *
 * <p>The run is done when it has released its threads, files and memory; {@link #get()} waits for that. After
 * {@link #cancel()}, {@code get()} throws {@link CancellationException}. What a cancelled run has done is kept if the
 * target supports resuming.
 */
public final class Run implements Future<Report> {
    private final CompletableFuture<Report> result = new CompletableFuture<>();
    private final AtomicReference<@Nullable Progress> progress = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean cancelled;

    /** The work of a run, which reports its progress to a listener. */
    interface Work {
        Report run(ProgressListener listener) throws IOException, InterruptedException;
    }

    /**
     * A page on a run that is in progress: what is done, throughput, memory, time left and phases. It is for a server
     * of your own; {@code copy --watch} has one.
     *
     * <p>The server answers with {@link #html()} at an address that ends with a slash, and with {@link #state()} at
     * {@code state} below it, which the page asks for once a second; then with a header {@code Run-Ended: true} if
     * {@link #hasEnded()}. The size of both is bounded. Thread-safe.
     */
    public static final class Page implements ProgressListener {
        private final LivePicture picture;

        /** Creates a page with a title, as yet without a run. */
        public Page(String title) {
            picture = new LivePicture(requireNonNull(title, "title"));
        }

        /** Takes title and projected memory from the plan that will be executed. */
        public void begin(Plan plan) {
            picture.plan(plan.engine().title(), plan.projectedMemory().bytes());
        }

        @Override
        public void onProgress(Progress latest) {
            picture.add(latest);
        }

        /** Sets what came of the run, in a text of some lines. After that, the page does not change. */
        public void end(String text) {
            picture.end(requireNonNull(text, "text"));
        }

        /** {@return whether {@link #end} was called} */
        public boolean hasEnded() {
            return picture.hasEnded();
        }

        /** {@return the page, a document of HTML} */
        public String html() {
            return picture.html();
        }

        /** {@return the part of the page that changes, elements of HTML} */
        public String state() {
            return picture.state();
        }
    }

    private Run(String name, ProgressListener listener, Work work) {
        ProgressListener both = latest -> {
            progress.set(latest);
            listener.onProgress(latest);
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

    /** {@return the latest progress, which is updated about ten times a second; empty at first} */
    public Optional<Progress> progress() {
        return Optional.ofNullable(progress.get());
    }

    /**
     * Cancels the run. It ends soon, after the operations that are in progress.
     *
     * @return false if the run had already ended
     */
    public boolean cancel() {
        return cancel(true);
    }

    /** Does the same as {@link #cancel()}; the argument has no effect. */
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
     * Waits until the run has ended.
     *
     * @return what was done
     * @throws CancellationException if the run ended because it was cancelled
     * @throws ExecutionException if the run failed; the cause is what {@link Plan#execute()} would have thrown
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
