package dev.rechunker.io.bytes;

import java.util.List;

/**
 * The names directly below a prefix, sorted. Files that a {@link ByteSink} has not committed are not among them.
 *
 * @param values names that have a value
 * @param directories names that have something below them
 */
public record Listing(List<String> values, List<String> directories) {
    /** Takes copies. */
    public Listing {
        values = List.copyOf(values);
        directories = List.copyOf(directories);
    }

    /** {@return whether there is no name at all} */
    public boolean isEmpty() {
        return values.isEmpty() && directories.isEmpty();
    }
}
