package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Counters that count down, by region. Not thread-safe. */
final class Countdown {
    private final Map<Region, Long> left = new HashMap<>();

    /** {@return the number of regions that have not reached 0} */
    int size() {
        return left.size();
    }

    /** Sets the counter of a region. */
    void begin(Region region, long count) {
        left.put(region, count);
    }

    /**
     * Counts down by one.
     *
     * @param count the number to start with if the region has no counter yet
     * @return whether the counter has reached 0
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
