package dev.rechunker.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element in which two arrays differ.
 *
 * @param index where it is
 * @param first its value in the one, with its bits: {@code 1.5 (0x3fc00000)}
 * @param second its value in the other
 */
public record Difference(List<Long> index, String first, String second) {
    /** Takes a copy of the index. */
    public Difference {
        index = List.copyOf(index);
    }

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

    /** {@return a sentence that calls the arrays by name} */
    public String of(String one, String other) {
        return "element " + index + " is " + first + " in " + one + ", but " + second + " in " + other;
    }

    /** {@return the one that comes first} */
    static @Nullable Difference first(@Nullable Difference one, @Nullable Difference other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return isBefore(other.index, one.index) ? other : one;
    }
}
