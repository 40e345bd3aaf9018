package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Counts failed requests for the same bytes in a row, and waits before the next one. A request has failed if there was
 * no response or if the response was incomplete. The wait is a random time below a limit that doubles with every
 * failure, so that clients that failed at the same time do not all retry at the same time.
 */
public final class Retries {
    /** The maximum number of requests for the same bytes. */
    static final int MOST_TRIES = 8;

    private static final long FIRST_MILLIS = 100;
    private static final long LONGEST_MILLIS = 10_000;

    private int failures;

    /** Starts with no failure. */
    public Retries() {}

    /** A request, which fails with a {@link StoreException} if it will always fail. */
    @FunctionalInterface
    public interface Request<T> {
        /** {@return the result of the request} */
        T send() throws IOException;
    }

    /** {@return the result of a request, which is repeated as long as that may help} */
    public <T> T of(Request<T> request) throws IOException {
        while (true) {
            try {
                return request.send();
            } catch (StoreException e) {
                throw e;
            } catch (IOException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                pause(0, e);
            }
        }
    }

    /** Sets the count to zero, because bytes have arrived. */
    void reset() {
        failures = 0;
    }

    /**
     * Waits after a failure.
     *
     * @param leastMillis the least time to wait, as the server has asked, in milliseconds
     * @throws IOException {@code failure}, if this was the last attempt
     */
    void pause(long leastMillis, IOException failure) throws IOException {
        if (++failures >= MOST_TRIES) {
            reset(); // for a caller that starts over
            throw failure;
        }
        long limit = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(failures - 1, 20));
        long millis = Math.min(LONGEST_MILLIS, leastMillis)
                + ThreadLocalRandom.current().nextLong(limit + 1);
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** {@return the exception of a read that was interrupted} The thread's interrupt flag is set again. */
    static InterruptedIOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("interrupted");
        interrupted.initCause(e);
        return interrupted;
    }
}
