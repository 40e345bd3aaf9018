package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The choice of chunks for the arrays of a job. */
@FunctionalInterface
public interface ChunkChoice {
    /**
     * {@return the chunks of an array, or empty if no choice is made for it}
     *
     * @param path the path of the array, {@code ""} for the root
     * @param source the array in the source
     * @throws IllegalArgumentException if the choice does not fit the array
     */
    Optional<ChunkGrid> chunks(String path, ArraySpec source);

    /**
     * {@return the names of axes that this choice states, and that no array has to which it applies}
     *
     * @param arrays the arrays of the copy, by path
     */
    default Set<String> unknownAxes(Map<String, ArraySpec> arrays) {
        return Set.of();
    }
}
