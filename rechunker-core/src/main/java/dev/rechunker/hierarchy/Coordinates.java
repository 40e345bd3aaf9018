package dev.rechunker.hierarchy;

import dev.rechunker.array.ArraySpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Coordinate arrays as in netCDF and xarray: a one-dimensional array that has the name of its axis, and is in the group
 * of the arrays that share the axis, or in a group above it.
 */
public final class Coordinates {
    private Coordinates() {}

    /** {@return whether an array has one axis, and the name of that axis} */
    public static boolean isCoordinate(String path, ArraySpec array) {
        return array.dimensionNames().equals(List.of(NodePaths.leaf(path)));
    }

    /**
     * {@return a sentence that names an array whose length on an axis differs from that of the axis' coordinates, or
     * empty if there is no such array}
     *
     * <p>Elements appended to such an array would not be at their coordinates.
     *
     * @param axis the name of the axis
     * @param arrays the arrays of a group and of the groups below it, by path
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
