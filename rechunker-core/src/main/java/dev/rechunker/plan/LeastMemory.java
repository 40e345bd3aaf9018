package dev.rechunker.plan;

import java.util.OptionalLong;
import java.util.function.LongPredicate;

/** Finds the least memory limit that is enough for something, if each larger one is enough, too. */
public final class LeastMemory {
    /** The factor by which it is known. */
    private static final double KNOWN = 1.02;

    private LeastMemory() {}

    /**
     * {@return the least limit, to about two percent; empty if not even several times {@code most} is enough}
     *
     * @param tooLittle a limit that is not enough, more than 0
     * @param most a limit that is enough in the usual case
     */
    public static OptionalLong above(long tooLittle, long most, LongPredicate isEnough) {
        long low;
        long enough = tooLittle;
        do {
            low = enough;
            if (low / 4 > most || low > Long.MAX_VALUE / 2) {
                return OptionalLong.empty();
            }
            enough = 2 * low;
        } while (!isEnough.test(enough));
        while (enough > low * KNOWN) {
            long middle = low + (enough - low) / 2;
            if (isEnough.test(middle)) {
                enough = middle;
            } else {
                low = middle;
            }
        }
        return OptionalLong.of(enough);
    }
}
