package dev.rechunker.io.concat;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.hierarchy.NodePaths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The axis along which arrays are joined.
 *
 * @param name the name of the axis; null if it is given by its number
 * @param number the number of the axis; -1 if it is an existing one given by its name
 * @param fresh whether the axis is a new one
 * @param stacked the path of the only array that gets a new axis; null if all do that have no coordinates
 */
record Join(
        @Nullable String name,
        int number,
        boolean fresh,
        @Nullable String stacked) {
    /** The hint of HDF5 for the largest shape of an array. */
    private static final String LARGEST_SHAPE = "hdf5.maxshape";

    /** Creates an axis of all arrays. */
    Join(@Nullable String name, int number, boolean fresh) {
        this(name, number, fresh, null);
    }

    /**
     * {@return the number of the axis in the joined array; empty if an array is not joined, but taken from the first
     * source}
     *
     * @param place the name of the array, for messages
     * @param path the path of the array in a group; empty if the sources are arrays
     * @throws IllegalArgumentException if the array cannot be joined along this axis
     */
    OptionalInt axisOf(String place, String path, ArraySpec spec) {
        List<@Nullable String> names = spec.dimensionNames();
        int rank = spec.shape().rank();
        if (fresh) {
            if (stacked == null ? isCoordinate(path, spec) : !path.equals(stacked)) {
                return OptionalInt.empty();
            }
            if (number > rank || names.contains(name)) {
                throw new IllegalArgumentException(
                        place + " cannot be stacked along a new axis " + this + ": its axes are " + axes(spec));
            }
            return OptionalInt.of(number);
        }
        int axis = name == null ? (number < rank ? number : -1) : names.indexOf(name);
        if (name != null && axis != names.lastIndexOf(name)) {
            throw new IllegalArgumentException(place + " has more than one axis called " + name + ": " + names);
        }
        if (axis < 0 && path.isEmpty()) {
            throw new IllegalArgumentException(place + " has no axis " + this + "; its axes are " + axes(spec));
        }
        return axis < 0 ? OptionalInt.empty() : OptionalInt.of(axis);
    }

    private static String axes(ArraySpec spec) {
        return spec.shape()
                + (spec.dimensionNames().isEmpty() ? ", without names" : ", with names " + spec.dimensionNames());
    }

    /** {@return whether an array of a group contains the coordinates of its only axis} */
    private static boolean isCoordinate(String path, ArraySpec spec) {
        String name = NodePaths.leaf(path);
        return !name.isEmpty() && spec.dimensionNames().equals(List.of(name));
    }

    /**
     * Refuses an axis that no array of a group has, or a number that is a different axis in different arrays.
     *
     * @param place the name of the group, for messages
     * @param arrays the arrays of the group by path
     */
    void requireIn(String place, Map<String, ArraySpec> arrays) {
        Map<String, String> called = new TreeMap<>();
        arrays.forEach((path, spec) -> axisOf(place + "#" + path, path, spec)
                .ifPresent(axis -> called.putIfAbsent(
                        fresh || spec.dimensionNames().isEmpty()
                                ? ""
                                : String.valueOf(spec.dimensionNames().get(axis)),
                        path)));
        if (called.isEmpty()) {
            throw new IllegalArgumentException("no array in " + place + " can be joined along axis " + this
                    + "; its arrays are " + arrays.keySet());
        }
        if (called.size() > 1) {
            throw new IllegalArgumentException("axis " + number + " is not the same in all arrays of " + place + ": "
                    + called + " (name of the axis=array); name the axis instead");
        }
    }

    /** {@return the name of the existing axis; empty if it has no name or is a new one} */
    Optional<String> existing(Collection<ArraySpec> arrays) {
        if (fresh || name != null) {
            return fresh ? Optional.empty() : Optional.ofNullable(name);
        }
        return arrays.stream()
                .map(ArraySpec::dimensionNames)
                .filter(names -> number < names.size())
                .map(names -> names.get(number))
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** {@return the names of the axes of the joined array} */
    List<@Nullable String> names(ArraySpec member) {
        if (!fresh) {
            return member.dimensionNames();
        }
        List<@Nullable String> names = new ArrayList<>(
                member.dimensionNames().isEmpty()
                        ? Collections.nCopies(member.shape().rank(), null)
                        : member.dimensionNames());
        names.add(number, name);
        return names;
    }

    /** {@return the unlimited axes of the joined array, of which a new one is none} */
    Set<Integer> unlimitedAxes(ArraySpec member) {
        return member.unlimitedAxes().stream()
                .map(axis -> fresh && axis >= number ? axis + 1 : axis)
                .collect(Collectors.toSet());
    }

    /** {@return the hints of the joined array: without a largest shape if it has another number of axes} */
    Map<String, String> hints(ArraySpec member) {
        Map<String, String> hints = new LinkedHashMap<>(member.hints());
        if (fresh) {
            hints.remove(LARGEST_SHAPE);
        }
        return hints;
    }

    /** {@return the codecs of the joined array: without an order of axes if it has another number of axes} */
    List<CodecSpec> codecs(ArraySpec member) {
        return fresh
                ? member.codecs().stream()
                        .filter(codec -> !codec.name().equals("transpose"))
                        .toList()
                : member.codecs();
    }

    /** {@return the name or number of the axis} */
    @Override
    public String toString() {
        return name == null ? Integer.toString(number) : fresh ? name + " at " + number : name;
    }
}
