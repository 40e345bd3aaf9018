package dev.rechunker.io.bytes;

import java.util.List;

/**
 * The names directly below a prefix, sorted. Files that a {@link ByteSink} has not committed are not among them, nor
 * are those that a run keeps for itself, wherever such a directory was copied or packed to.
 *
 * @param values names that have a value
 * @param directories names that have something below them
 */
public record Listing(List<String> values, List<String> directories) {
    /** Takes copies, without the names that are no part of keys. */
    public Listing {
        values = shown(values);
        directories = shown(directories);
    }

    private static List<String> shown(List<String> names) {
        return names.stream().filter(name -> !Keys.isHidden(name)).toList();
    }

    /** {@return whether there is no name at all} */
    public boolean isEmpty() {
        return values.isEmpty() && directories.isEmpty();
    }
}
