package dev.rechunker.verify;

import dev.rechunker.run.Difference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of differences: by their indices, in C order. */
final class Differences {
    private Differences() {}

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

    /** {@return the difference that comes first; null if there is none} */
    static @Nullable Difference first(@Nullable Difference one, @Nullable Difference other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return isBefore(other.index(), one.index()) ? other : one;
    }
}
