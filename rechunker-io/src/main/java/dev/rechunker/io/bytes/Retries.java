package dev.rechunker.io.bytes;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Counts how often requests for the same bytes have failed in a row, be it that there was no answer or that it broke
 * off, and waits before they are asked for again: a random time, up to a limit that doubles with every failure, so that
 * those who failed together do not come back together.
 */
public final class Retries {
    /** How often the same bytes are asked for at most. */
    static final int MOST_TRIES = 8;

    private static final long FIRST_MILLIS = 100;
    private static final long LONGEST_MILLIS = 10_000;

    private int failures;

    Retries() {}

    /** Begins to count anew, as bytes have arrived. */
    void reset() {
        failures = 0;
    }

    /**
     * Waits after a failure.
     *
     * @param leastMillis what the server asked for
     * @throws IOException {@code failure}, if it was the last try
     */
    void pause(long leastMillis, IOException failure) throws IOException {
        if (++failures >= MOST_TRIES) {
            reset(); // whoever tries the whole again
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

    /** {@return the exception of a read that was interrupted; the thread stays so} */
    static InterruptedIOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted = new InterruptedIOException("interrupted");
        interrupted.initCause(e);
        return interrupted;
    }
}
