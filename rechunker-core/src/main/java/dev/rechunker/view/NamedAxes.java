package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.Coordinates;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.StoreLocation;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The axes of the arrays of a source, by name or by number. In a source that is one array, a number means an axis of
 * this array, and the axis of the same name of others, such as its coordinates. In a group, numbers are for arrays
 * whose axes have no names.
 */
final class NamedAxes {
    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,3}");

    private final Map<String, ArraySpec> arrays;
    private final StoreLocation source;
    /** The source, if it is one array. */
    private final @Nullable ArraySpec array;

    /** The paths in the store of what attributes of the arrays name. */
    private final Set<String> described = new HashSet<>();

    /**
     * Creates the axes of a source.
     *
     * @param arrays the arrays of the source by their paths below it
     */
    NamedAxes(StoreLocation source, Map<String, ArraySpec> arrays) {
        this.source = source;
        this.arrays = arrays;
        this.array = arrays.get("");
        arrays.forEach((path, spec) -> VariableView.references(spec)
                .forEach(name -> described.add(NodePaths.below(NodePaths.parent(path(path)), name))));
    }

    static boolean isNumber(String name) {
        return NUMBER.matcher(name).matches();
    }

    /** {@return the arrays of the source by their paths below it} */
    Map<String, ArraySpec> arrays() {
        return arrays;
    }

    /** {@return the path in the store of an array of the source} */
    String path(String below) {
        return source.resolve(below).path();
    }

    /** {@return the array of the source at a path in the store; null if there is none} */
    @Nullable
    ArraySpec find(String path) {
        String root = source.path();
        String below = root.isEmpty() || path.equals(root)
                ? path.substring(root.length())
                : path.startsWith(root + "/") ? path.substring(root.length() + 1) : null;
        return below == null ? null : arrays.get(below);
    }

    /** {@return whether the source is one array} */
    boolean isArray() {
        return array != null;
    }

    /** {@return whether the array at a path in the store is the source} */
    boolean isSource(String path) {
        return array != null && path.equals(source.path());
    }

    /**
     * {@return whether an array of a group is of data: it has axes, is no coordinate, and no other's attributes name
     * it}
     *
     * @param path the path of the array in the store
     */
    boolean isData(String path, ArraySpec spec) {
        return !Coordinates.isCoordinate(path, spec)
                && !described.contains(path)
                && spec.shape().rank() > 0;
    }

    /**
     * {@return the number of the axis of an array that a name means; -1 if it has none}
     *
     * @param path the path of the array in the store
     * @throws IllegalArgumentException if several axes have the name
     */
    int find(String path, ArraySpec spec, String name) {
        List<@Nullable String> names = spec.dimensionNames();
        int found = names.indexOf(name);
        if (found != names.lastIndexOf(name)) {
            throw new IllegalArgumentException("several axes of /" + path + " are called " + name + ": " + names);
        }
        if (found >= 0 || !isNumber(name)) {
            return found;
        }
        int number = Integer.parseInt(name);
        if (isSource(path) || (array == null && names.isEmpty())) {
            return number < spec.shape().rank() ? number : -1;
        }
        if (array == null || array.dimensionNames().size() <= number) {
            return -1;
        }
        String same = array.dimensionNames().get(number);
        return same == null || isNumber(same) ? -1 : find(path, spec, same);
    }

    /**
     * Checks that some array has each of these axes.
     *
     * @throws IllegalArgumentException if not; the message has the axes that there are
     */
    void requireKnown(String step, Iterable<String> names) {
        Set<String> unknown = new LinkedHashSet<>();
        for (String name : names) {
            boolean known = arrays.entrySet().stream()
                    .anyMatch(entry -> find(path(entry.getKey()), entry.getValue(), name) >= 0);
            if (!known) {
                unknown.add(name);
            }
        }
        if (!unknown.isEmpty()) {
            Set<String> there = new LinkedHashSet<>();
            arrays.values().forEach(spec -> {
                for (int axis = 0; axis < spec.shape().rank(); axis++) {
                    there.add(name(spec, axis));
                }
            });
            throw new IllegalArgumentException(
                    step + " names " + unknown + ", but the axes of " + source + " are called " + there);
        }
    }

    /** {@return the name of an axis, or its number if it has none} */
    static String name(ArraySpec spec, int axis) {
        String name =
                spec.dimensionNames().isEmpty() ? null : spec.dimensionNames().get(axis);
        return name == null ? String.valueOf(axis) : name;
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
