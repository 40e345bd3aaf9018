package dev.rechunker.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the elements of a copy go in existing arrays. */
public sealed interface Placement {
    /** At an offset; null for the index that they have in the source. */
    record At(@Nullable List<Long> offset) implements Placement {}

    /** After the end of an axis, given by its name or, if that is null, by its number. */
    record Append(@Nullable String name, int axis) implements Placement {
        @Override
        public String toString() {
            return name == null ? String.valueOf(axis) : name;
        }
    }
}
