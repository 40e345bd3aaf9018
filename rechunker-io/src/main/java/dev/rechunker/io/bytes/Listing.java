package dev.rechunker.io.bytes;

import java.util.List;

/**
 * The names directly below a prefix, sorted. Uncommitted files and files of a run are not among them, even in a copy of
 * the directory.
 *
 * @param values the names that have a value
 * @param directories the names that have keys below them
 */
public record Listing(List<String> values, List<String> directories) {
    /** Copies the lists without the reserved names. */
    public Listing {
        values = shown(values);
        directories = shown(directories);
    }

    private static List<String> shown(List<String> names) {
        return names.stream().filter(name -> !Keys.isHidden(name)).toList();
    }

    /** {@return whether there are no names} */
    public boolean isEmpty() {
        return values.isEmpty() && directories.isEmpty();
    }
}
