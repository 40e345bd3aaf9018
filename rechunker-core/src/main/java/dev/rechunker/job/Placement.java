package dev.rechunker.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where in arrays that exist elements go. */
public sealed interface Placement {
    /** At an offset; null for where they are in the source. */
    record At(@Nullable List<Long> offset) implements Placement {}

    /** Behind the end of an axis, by name; or else by number. */
    record Append(@Nullable String name, int axis) implements Placement {
        @Override
        public String toString() {
            return name == null ? String.valueOf(axis) : name;
        }
    }
}
