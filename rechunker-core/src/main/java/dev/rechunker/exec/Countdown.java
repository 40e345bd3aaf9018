package dev.rechunker.exec;

import dev.rechunker.geometry.Region;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How much is left of what is under way. Not thread-safe. */
final class Countdown {
    private final Map<Region, Long> left = new HashMap<>();

    /** {@return how many are under way} */
    int size() {
        return left.size();
    }

    /** Begins one of which so much is left. */
    void begin(Region of, long count) {
        left.put(of, count);
    }

    /** Counts one, begun now if it was not, with so much left; {@return whether nothing is left of it} */
    boolean wasLast(Region of, LongSupplier count) {
        Long before = left.get(of);
        long now = (before == null ? count.getAsLong() : before) - 1;
        if (now == 0) {
            left.remove(of);
        } else {
            left.put(of, now);
        }
        return now == 0;
    }
}
