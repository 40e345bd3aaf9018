package dev.rechunker.exec;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The stored bytes that a run has read, or those that it has written, of arrays that may be copied at the same time.
 * For readers or writers that do not count them, the uncompressed bytes are counted instead. Thread-safe.
 */
final class StoredBytes {
    private final LongSupplier uncompressed;
    /** The counters of arrays that are being copied, by their numbers. */
    private final Map<Integer, LongSupplier> counters = new HashMap<>();
    /** The numbers of arrays that are being copied, and are not counted. */
    private final Set<Integer> uncounted = new HashSet<>();
    /** The uncompressed bytes before the first of the arrays that are not counted. */
    private long before;
    /** The bytes of what has ended. */
    private long ended;

    /**
     * Creates the sum.
     *
     * @param uncompressed counts the uncompressed bytes of all arrays
     */
    StoredBytes(LongSupplier uncompressed) {
        this.uncompressed = uncompressed;
    }

    /**
     * Begins to count an array, or its next stage.
     *
     * @param array its number
     * @param counter counts its stored bytes; negative if it does not
     */
    synchronized void begin(int array, LongSupplier counter) {
        end(array);
        long start = counter.getAsLong();
        if (start >= 0) {
            counters.put(array, () -> counter.getAsLong() - start);
            return;
        }
        if (uncounted.isEmpty()) {
            before = uncompressed.getAsLong();
        }
        uncounted.add(array);
    }

    /** Ends the count of an array, if it has begun. */
    synchronized void end(int array) {
        LongSupplier counter = counters.remove(array);
        if (counter != null) {
            ended += counter.getAsLong();
        }
        if (uncounted.remove(array) && uncounted.isEmpty()) {
            ended += uncompressed.getAsLong() - before;
        }
    }

    /** {@return the bytes so far} */
    synchronized long sum() {
        return ended
                + counters.values().stream().mapToLong(LongSupplier::getAsLong).sum()
                + (uncounted.isEmpty() ? 0 : uncompressed.getAsLong() - before);
    }
}
