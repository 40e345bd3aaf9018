package dev.rechunker.exec;

import dev.rechunker.memory.Workspace;
import dev.rechunker.plan.Stage;
import dev.rechunker.run.Crew;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the threads of a crew do together, each in a lane of memory of its own, until it is done or has failed. */
abstract class LaneWork {
    final Stage stage;
    private final Workspace workspace;
    private final AtomicInteger lanesTaken = new AtomicInteger();
    private @Nullable Throwable failure;

    LaneWork(Stage stage, Workspace workspace) {
        this.stage = stage;
        this.workspace = workspace;
    }

    /** Works until nothing is left to do, or something has failed; called by each thread once. */
    abstract void work(ByteBuffer lane);

    /**
     * Returns when all is done.
     *
     * @param attempts is stopped, too, if the work is before its end
     * @throws TaskFailedException if something fails
     * @throws InterruptedException if interrupted, after what was under way has ended
     * @throws IllegalStateException if not all threads have worked
     */
    final void doneBy(Crew crew, Attempts attempts) throws IOException, InterruptedException {
        int members = Math.min(crew.size(), stage.memory().lanes());
        AtomicInteger ended = new AtomicInteger();
        Phaser inside = new Phaser(1);
        try {
            crew.together(members, () -> {
                inside.register();
                try {
                    takeLane();
                } catch (Throwable e) { // whatever it is, the others must not wait for this thread
                    fail(e);
                } finally {
                    ended.incrementAndGet();
                    inside.arriveAndDeregister();
                }
            });
        } catch (Throwable e) {
            stop(e, attempts, inside);
            throw e;
        }
        int idle = members - ended.get();
        if (idle > 0) {
            IllegalStateException early = new IllegalStateException(
                    crew.getClass().getName() + " has returned, but the work has not been done by " + idle + " of "
                            + members + " threads");
            stop(early, attempts, inside);
            throw early;
        }
        throwFailure();
    }

    private void takeLane() {
        int lane = lanesTaken.getAndIncrement();
        Stage.Memory memory = stage.memory();
        if (lane < memory.lanes()) {
            work(workspace.buffer(
                    memory.ringBytes() + memory.wrapBytes() + lane * memory.laneBytes(), memory.laneBytes()));
        }
    }

    /** Returns when no thread is inside any more. One that begins afterwards finds that there is nothing to do. */
    private void stop(Throwable reason, Attempts attempts, Phaser inside) {
        fail(reason);
        attempts.stop();
        inside.arriveAndAwaitAdvance();
    }

    /** Notes a failure, or another reason to stop as soon as what is under way has ended. Never throws. */
    final synchronized void fail(Throwable reason) {
        notifyAll();
        if (failure == null) {
            failure = reason;
        } else if (failure != reason) {
            suppress(failure, reason);
        }
    }

    /**
     * Notes a failure with what was being done. Never throws.
     *
     * @param described makes an exception that names what was being done; if it fails, the cause is noted as it is
     */
    final void fail(Throwable cause, Supplier<? extends Throwable> described) {
        Throwable reason = cause;
        try {
            reason = described.get();
        } catch (Throwable e) {
            suppress(cause, e);
        }
        fail(reason);
    }

    private static void suppress(Throwable first, Throwable further) {
        try {
            first.addSuppressed(further);
        } catch (Throwable e) {
            // There is no memory left to keep it in. What counts is the first.
        }
    }

    /** {@return whether no more is to be begun: something has failed, or this thread was interrupted} */
    final synchronized boolean isStopped() {
        if (failure == null && Thread.currentThread().isInterrupted()) {
            fail(new InterruptedException("interrupted"));
        }
        return failure != null;
    }

    private synchronized void throwFailure() throws IOException, InterruptedException {
        // A read or write that was interrupted fails in a way of its own.
        if (failure != null && (Thread.interrupted() || failure instanceof InterruptedException)) {
            InterruptedException interrupted = new InterruptedException("interrupted");
            interrupted.addSuppressed(failure);
            throw interrupted;
        }
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure != null) {
            throw new IllegalStateException(reason(failure), failure);
        }
    }

    private static String reason(Throwable failure) {
        try {
            return StoreException.reason(failure);
        } catch (Throwable e) { // the message is made by code of the store, and may fail too
            return failure.getClass().getName();
        }
    }
}
