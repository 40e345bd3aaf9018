package dev.rechunker.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element that differs between two arrays.
 *
 * @param index the index of the element
 * @param first the value and the bits of the element in the first array, as in {@code 1.5 (0x3fc00000)}
 * @param second the value and the bits of the element in the second array
 */
public record Difference(List<Long> index, String first, String second) {
    /** Copies the index. */
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

    /**
     * {@return the difference as a sentence}
     *
     * @param one the name of the first array
     * @param other the name of the second array
     */
    public String of(String one, String other) {
        return "element " + index + " is " + first + " in " + one + ", but " + second + " in " + other;
    }

    /** {@return the difference that comes first in C order; null if both are null} */
    static @Nullable Difference first(@Nullable Difference one, @Nullable Difference other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return isBefore(other.index, one.index) ? other : one;
    }
}
