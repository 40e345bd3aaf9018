package dev.rechunker.exec;

import dev.rechunker.run.Crew;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Work that the threads of a crew do together.
 *
 * <p>It ends whatever is thrown, also if the heap is exhausted: threads are counted under the monitor of this object,
 * which takes no memory.
 */
abstract class CrewWork {
    /** The number of threads that have begun to work. */
    private int begun;
    /** The number of threads that work now. */
    private int inside;
    /** The number of threads that have worked. */
    private int ended;

    private @Nullable Throwable failure;

    /**
     * Works until there is no more to do, or the work has failed. Called once by each thread.
     *
     * @param thread the number of the thread from 0
     */
    abstract void work(int thread);

    /**
     * Lets a crew do the work, and returns when it is done.
     *
     * @param members the number of threads that take part, at most the size of the crew
     * @param attempts the retries, which are stopped if the work ends early
     * @throws TaskFailedException if a part of the work fails
     * @throws InterruptedException if the thread is interrupted; running jobs have ended by then
     * @throws IllegalStateException if the crew returns before all threads have worked
     */
    final void doneBy(Crew crew, int members, Attempts attempts) throws IOException, InterruptedException {
        try {
            crew.together(members, this::takePart);
        } catch (Throwable e) {
            stop(e, attempts);
            throw e;
        }
        int idle = members - ended();
        if (idle > 0) {
            IllegalStateException early = new IllegalStateException(
                    crew.getClass().getName() + " has returned, but the work has not been done by " + idle + " of "
                            + members + " threads");
            stop(early, attempts);
            throw early;
        }
        throwFailure();
    }

    private void takePart() {
        int thread = enter();
        try {
            work(thread);
        } catch (Throwable e) { // whatever it is, the others must not wait for this thread
            fail(e);
        } finally {
            leave();
        }
    }

    /** Counts a thread as working; {@return its number} */
    private synchronized int enter() {
        inside++;
        return begun++;
    }

    private synchronized void leave() {
        inside--;
        ended++;
        notifyAll();
    }

    private synchronized int ended() {
        return ended;
    }

    /** Stops the work and waits until no thread works any more. A thread that starts later finds nothing to do. */
    private void stop(Throwable reason, Attempts attempts) {
        fail(reason);
        boolean interrupted = false;
        try {
            attempts.stop();
        } finally {
            interrupted = awaitNoneInside();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return whether the calling thread was interrupted meanwhile} */
    private synchronized boolean awaitNoneInside() {
        boolean interrupted = false;
        while (inside > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (OutOfMemoryError e) {
                // The threads still use the memory of the work, so this one has to go on waiting.
            }
        }
        return interrupted;
    }

    /** Records a failure, or another reason to stop when running jobs have ended. Never throws. */
    final synchronized void fail(Throwable reason) {
        notifyAll();
        if (failure == null) {
            failure = reason;
        } else if (failure != reason) {
            suppress(failure, reason);
        }
    }

    /**
     * Records a failure with a description of the job. Never throws.
     *
     * @param described creates an exception that describes the job; if that fails, the cause is recorded as it is
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
            // There is no memory for it. The first failure is the important one.
        }
    }

    /** {@return whether no new job may begin: the work has failed, or this thread was interrupted} */
    final synchronized boolean isStopped() {
        if (failure == null && Thread.currentThread().isInterrupted()) {
            fail(new InterruptedException("interrupted"));
        }
        return failure != null;
    }

    private synchronized void throwFailure() throws IOException, InterruptedException {
        // A read or write fails with another exception if it is interrupted.
        if (failure != null && (Thread.interrupted() || failure instanceof InterruptedException)) {
            InterruptedException interrupted = new InterruptedException("interrupted");
            interrupted.addSuppressed(failure);
            throw interrupted;
        }
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure != null) {
            throw new IOException(reason(failure), failure);
        }
    }

    private static String reason(Throwable failure) {
        try {
            return StoreException.reason(failure);
        } catch (Throwable e) { // the store creates the message, which may fail, too
            return failure.getClass().getName();
        }
    }
}
