package dev.rechunker.run;

import java.util.List;

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

    /**
     * {@return the difference as a sentence}
     *
     * @param one the name of the first array
     * @param other the name of the second array
     */
    public String of(String one, String other) {
        return "element " + index + " is " + first + " in " + one + ", but " + second + " in " + other;
    }
}
