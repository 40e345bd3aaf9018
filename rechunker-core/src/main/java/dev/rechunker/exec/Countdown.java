package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Counts down what is left of each region that is under way. Not thread-safe. */
final class Countdown {
    private final Map<Region, Long> left = new HashMap<>();

    /** {@return the number of regions under way} */
    int size() {
        return left.size();
    }

    /** Begins a region. */
    void begin(Region region, long count) {
        left.put(region, count);
    }

    /**
     * Counts a region down by one.
     *
     * @param count what it begins with, if it is not under way yet
     * @return whether nothing is left of it
     */
    boolean countDown(Region region, LongSupplier count) {
        Long before = left.get(region);
        long now = (before == null ? count.getAsLong() : before) - 1;
        if (now == 0) {
            left.remove(region);
        } else {
            left.put(region, now);
        }
        return now == 0;
    }
}
