package dev.rechunker.threads;

import org.jspecify.annotations.Nullable;

/** The parts of one piece of work, each of which is taken by the first thread that asks. Thread-safe. */
final class Parts implements Runnable {
    private final int count;
    private final Runnable work;
    private int taken;
    private int ended;
    private @Nullable Throwable failure;

    Parts(int count, Runnable work) {
        this.count = count;
        this.work = work;
    }

    /** Takes the next part, if there is one, and does it. */
    @Override
    public void run() {
        runNext();
    }

    /** Takes the next part and does it; {@return whether there was one} Never throws what the work throws. */
    boolean runNext() {
        synchronized (this) {
            if (taken == count) {
                return false;
            }
            taken++;
        }
        Throwable thrown = null;
        try {
            work.run();
        } catch (Throwable e) {
            thrown = e;
        } finally {
            end(thrown);
        }
        return true;
    }

    private synchronized void end(@Nullable Throwable thrown) {
        ended++;
        notifyAll();
        if (failure == null) {
            failure = thrown;
        } else if (thrown != null && thrown != failure) {
            failure.addSuppressed(thrown);
        }
    }

    /**
     * Waits until all parts have ended.
     *
     * @throws InterruptedException if interrupted before
     */
    synchronized void join() throws InterruptedException {
        while (ended < count) {
            wait();
        }
        throwFailure();
    }

    /** Waits until all parts have ended, whether the thread is interrupted or not. */
    synchronized void joinUninterruptibly() {
        boolean interrupted = false;
        while (ended < count) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        throwFailure();
    }

    private void throwFailure() {
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure != null) {
            throw new IllegalStateException("work threw a checked exception: " + failure, failure);
        }
    }
}
