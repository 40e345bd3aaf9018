package dev.rechunker.job;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import java.util.Optional;

/** The choice of chunks for the arrays of a job. */
@FunctionalInterface
public interface ChunkChoice {
    /**
     * {@return the chunks of an array, positive extents in C order, or empty if there is no choice for it}
     *
     * @param path the path of the array, {@code ""} for the root
     * @param source what the array is now
     * @throws IllegalArgumentException if the choice does not fit the array
     */
    Optional<Shape> chunks(String path, ArraySpec source);
}
