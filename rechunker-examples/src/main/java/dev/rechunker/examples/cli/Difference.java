package dev.rechunker.examples.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element that two arrays do not share.
 *
 * @param index where it is
 * @param first its value in the one
 * @param second its value in the other
 */
record Difference(List<Long> index, String first, String second) {
    /** {@return whether an index comes before another one in C order} */
    static boolean isBefore(List<Long> index, List<Long> other) {
        for (int axis = 0; axis < index.size(); axis++) {
            int order = Long.compare(index.get(axis), other.get(axis));
            if (order != 0) {
                return order < 0;
            }
        }
        return false;
    }

    /** {@return the one that comes first} */
    static @Nullable Difference first(@Nullable Difference one, @Nullable Difference other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return isBefore(other.index, one.index) ? other : one;
    }
}
