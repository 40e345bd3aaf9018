package dev.rechunker.array;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Coordinates of axes: an array of one axis that has the name of this axis, in the group of the arrays that have it or
 * in one around them, as netCDF and xarray have them.
 */
public final class Coordinates {
    private Coordinates() {}

    /**
     * {@return a sentence about an array that is not as long on an axis as the coordinates of the axis, if there is
     * one}
     *
     * <p>What is put behind such an array does not lie at its coordinates.
     *
     * @param arrays of one group, by path
     */
    public static Optional<String> disagreement(String axis, Map<String, ArraySpec> arrays) {
        return arrays.keySet().stream()
                .flatMap(path -> disagreement(axis, path, arrays).stream())
                .findFirst();
    }

    private static Optional<String> disagreement(String axis, String path, Map<String, ArraySpec> arrays) {
        ArraySpec array = Objects.requireNonNull(arrays.get(path));
        int number = array.dimensionNames().indexOf(axis);
        for (String group = path; number >= 0 && !group.isEmpty(); ) {
            group = NodePaths.parent(group);
            String candidate = NodePaths.below(group, axis);
            ArraySpec coordinates = arrays.get(candidate);
            if (coordinates != null && coordinates.dimensionNames().equals(List.of(axis))) {
                long length = array.shape().extent(number);
                long there = coordinates.shape().extent(0);
                return length == there
                        ? Optional.empty()
                        : Optional.of(path + " has " + length + " elements along " + axis
                                + ", but there are coordinates for " + there + " in " + candidate);
            }
        }
        return Optional.empty();
    }
}
