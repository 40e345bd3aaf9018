package dev.rechunker.io.netcdf;

import static java.util.Objects.requireNonNull;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.hierarchy.NodePaths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the dimension scales of the axes of all arrays, by the rules of netCDF.
 *
 * <p>The scale of an axis {@code time} is the dimension {@code time} that the nearest enclosing group declares, if its
 * length fits. Otherwise it is the array {@code time} in the nearest enclosing group whose first axis has the same name
 * and length. If there is none, in a file with scales, the axis gets a dimension without values in the group of its
 * array.
 *
 * <p>If an axis cannot have a scale, because it has no name, or because its name is taken, its array has labels only:
 * netCDF reads no file in which only some axes of an array have scales. In a file with declared dimensions, an array
 * that has the name of a dimension, but is not its coordinate, does not take the name: it gets another one, as in
 * netCDF.
 *
 * <p>In a file of netCDF, every axis gets a scale: one without a name, or whose name is taken, gets a dimension that is
 * named as netCDF names those of axes without scales.
 *
 * <p>The length of a dimension is that of the axes that use it. If they differ, an unlimited dimension is as long as
 * the longest. A fixed one is as long as its coordinate, or else as declared; an axis of another length does not belong
 * to it.
 */
public final class DimensionScales {
    /** The attributes of scales. An array that has its own attributes with these names cannot be a scale. */
    private static final Set<String> RESERVED = Set.of(Conventions.CLASS, Conventions.NAME);

    private final Map<String, ArraySpec> arrays;
    private final Map<String, GroupSpec> groups;

    /** The scales by path, in the order of their numbers. */
    private final Map<String, Scale> scales = new LinkedHashMap<>();

    /**
     * The scales of all axes of an array, by path of the array; without arrays that are the scale of their only axis.
     */
    private final Map<String, List<Scale>> axes = new TreeMap<>();

    private final FileKind kind;

    /** Whether an array leaves its name to a dimension that it is not the coordinate of. */
    private final boolean movesArrays;

    /**
     * Finds the scales.
     *
     * @param arrays all arrays of a file, by path, as they are stored, in the order of the file
     * @param groups all groups, by path, those around others first
     */
    public DimensionScales(Map<String, ArraySpec> arrays, Map<String, GroupSpec> groups, FileKind kind) {
        this.kind = kind;
        this.arrays = new LinkedHashMap<>(arrays);
        this.groups = new LinkedHashMap<>(groups);
        this.groups.forEach(this::declare);
        this.movesArrays = !scales.isEmpty() || kind.isNetcdf();
        measure();
        this.arrays.forEach(this::addCoordinate);
        if (movesArrays || !scales.isEmpty()) {
            this.arrays.forEach(this::link);
        }
        removeIncomplete();
    }

    /**
     * {@return the dimensions of a group that HDF5 can store, with the lengths that arrays in the group have along
     * them}
     */
    public static List<Dimension> storedDimensions(GroupSpec group, Map<String, ArraySpec> arrays, FileKind kind) {
        List<Dimension> stored = new ArrayList<>();
        for (Scale scale : new DimensionScales(arrays, Map.of("", group), kind).all()) {
            if (scale.isDeclared()) {
                stored.add(new Dimension(scale.name(), scale.length(), scale.isUnlimited()));
            }
        }
        return stored;
    }

    private void declare(String group, GroupSpec spec) {
        for (Dimension dimension : spec.dimensions()) {
            String path = NodePaths.below(group, dimension.name());
            if (isName(dimension.name()) && !groups.containsKey(path) && canMoveArray(path)) {
                scales.putIfAbsent(path, new Scale(path, true, dimension.length(), dimension.unlimited()));
            }
        }
    }

    /** {@return whether the file can have a dimension with a name} */
    private boolean isName(String name) {
        return !name.isEmpty()
                && !name.contains("/")
                && !name.equals(".")
                && StoredText.isStorable(name)
                && (!kind.isNetcdf() || NetcdfVariables.isName(name));
    }

    /** {@return whether an array at a path can get another name, or there is none} */
    private boolean canMoveArray(String path) {
        return !arrays.containsKey(path) || (!arrays.containsKey(moved(path)) && !groups.containsKey(moved(path)));
    }

    private static String moved(String path) {
        return NodePaths.below(NodePaths.parent(path), Conventions.NOT_COORDINATE + NodePaths.leaf(path));
    }

    /** Sets the lengths of declared dimensions, and their coordinates. */
    private void measure() {
        Map<Scale, List<Long>> extents = new LinkedHashMap<>();
        for (boolean isNear : List.of(true, false)) {
            arrays.forEach((path, spec) -> {
                for (int axis = 0; axis < spec.dimensionNames().size(); axis++) {
                    Scale scale = declared(path, spec.dimensionNames().get(axis));
                    if (scale != null && isNear == scale.group().equals(NodePaths.parent(path))) {
                        extents.computeIfAbsent(scale, none -> new ArrayList<>())
                                .add(spec.shape().extent(axis));
                    }
                }
            });
        }
        extents.forEach((scale, of) -> {
            ArraySpec coordinate = arrays.get(scale.path());
            if (coordinate != null && isCoordinate(scale.path(), coordinate)) {
                of.add(0, coordinate.shape().extent(0));
                scale.setVariable(scale.path());
            } else if (of.contains(scale.length())) {
                of.add(0, scale.length());
            }
            scale.setLength(scale.isUnlimited() ? Collections.max(of) : of.get(0));
        });
    }

    /** {@return the dimension of a name that the nearest group above a path declares; null if none does} */
    private @Nullable Scale declared(String path, @Nullable String name) {
        String group = path;
        while (name != null && !group.isEmpty()) {
            group = NodePaths.parent(group);
            Scale scale = scales.get(NodePaths.below(group, name));
            if (scale != null && scale.isDeclared()) {
                return scale;
            }
        }
        return null;
    }

    /** {@return whether an array has the name of its first axis, and can be a scale} */
    private static boolean isCoordinate(String path, ArraySpec spec) {
        return !spec.dimensionNames().isEmpty()
                && NodePaths.leaf(path).equals(spec.dimensionNames().get(0))
                && hasNoReservedAttribute(spec);
    }

    private static boolean hasNoReservedAttribute(ArraySpec spec) {
        return Collections.disjoint(spec.attributes().keySet(), RESERVED);
    }

    /** Adds the dimension of an array that has the name of its first axis, unless a group declares one that fits. */
    private void addCoordinate(String path, ArraySpec spec) {
        if (!isCoordinate(path, spec) || scales.containsKey(path)) {
            return;
        }
        long extent = spec.shape().extent(0);
        boolean isUnlimited = spec.unlimitedAxes().contains(0);
        Scale above = declared(path, NodePaths.leaf(path));
        if (above == null || !above.fits(extent, isUnlimited)) {
            Scale scale = new Scale(path, false, extent, isUnlimited);
            scale.setVariable(path);
            scales.put(path, scale);
        }
    }

    /** Finds the scales of the axes of an array. */
    private void link(String path, ArraySpec spec) {
        boolean hasScales = kind.isNetcdf() || (!spec.dimensionNames().isEmpty() && hasNoReservedAttribute(spec));
        if (!hasScales || isScaleOfOneAxis(path, spec) || spec.shape().rank() == 0) {
            return;
        }
        Map<String, Scale> made = new LinkedHashMap<>();
        List<Scale> found = new ArrayList<>();
        for (int axis = 0; axis < spec.shape().rank(); axis++) {
            String name = spec.dimensionNames().isEmpty()
                    ? null
                    : spec.dimensionNames().get(axis);
            long extent = spec.shape().extent(axis);
            boolean isUnlimited = spec.unlimitedAxes().contains(axis);
            Scale scale = name == null ? null : find(path, name, extent, isUnlimited, made);
            if (scale == null && name != null) {
                scale = make(NodePaths.below(NodePaths.parent(path), name), extent, isUnlimited, made);
            }
            if (scale == null && kind.isNetcdf()) {
                scale = unnamed(NodePaths.parent(path), extent, isUnlimited, made, found);
            }
            if (scale == null) {
                return;
            }
            found.add(scale);
        }
        scales.putAll(made);
        axes.put(path, found);
        for (int axis = 0; axis < found.size(); axis++) {
            found.get(axis).addUse(new Scale.Use(path, axis), spec.shape().extent(axis));
        }
    }

    /** {@return a new dimension at a path; null if there can be none} */
    private @Nullable Scale make(String path, long extent, boolean isUnlimited, Map<String, Scale> made) {
        if (!isName(NodePaths.leaf(path)) || !isFree(path) || made.containsKey(path)) {
            return null;
        }
        Scale scale = new Scale(path, false, extent, isUnlimited);
        made.put(path, scale);
        return scale;
    }

    /**
     * {@return a dimension for an axis without a name, with a name as netCDF gives it when it reads such axes: axes of
     * the same length share one, unless they belong to the same array}
     */
    private Scale unnamed(String group, long extent, boolean isUnlimited, Map<String, Scale> made, List<Scale> others) {
        for (int number = 0; ; number++) {
            String path = NodePaths.below(group, Conventions.UNNAMED_DIMENSION + number);
            Scale known = scales.containsKey(path) ? scales.get(path) : made.get(path);
            boolean isSame = known != null && known.length() == extent && known.isUnlimited() == isUnlimited;
            if (known != null && isSame && !others.contains(known)) {
                return known;
            }
            Scale scale = known == null ? make(path, extent, isUnlimited, made) : null;
            if (scale != null) {
                return scale;
            }
        }
    }

    private boolean isScaleOfOneAxis(String path, ArraySpec spec) {
        Scale scale = scales.get(path);
        return scale != null && path.equals(scale.variable()) && spec.shape().rank() == 1;
    }

    private boolean isFree(String path) {
        boolean isTaken = arrays.containsKey(path) && !(movesArrays && canMoveArray(path));
        return !isTaken && !groups.containsKey(path) && !scales.containsKey(path);
    }

    private @Nullable Scale find(String path, String name, long extent, boolean isUnlimited, Map<String, Scale> made) {
        String group = path;
        while (!group.isEmpty()) {
            group = NodePaths.parent(group);
            String candidate = NodePaths.below(group, name);
            Scale scale = scales.containsKey(candidate) ? scales.get(candidate) : made.get(candidate);
            if (scale != null && scale.fits(extent, isUnlimited)) {
                return scale;
            }
        }
        return null;
    }

    /** Removes scales that cannot be stored, the uses by arrays without scales, and dimensions that nothing needs. */
    private void removeIncomplete() {
        Collection<Scale> all = scales.values();
        do {
            axes.values().removeIf(of -> !all.containsAll(of));
            all.stream()
                    .filter(scale -> scale.isDeclared() && isUnlinked(scale))
                    .forEach(scale -> scale.setVariable(null));
        } while (all.removeIf(this::isUnlinked));
        all.forEach(scale -> scale.uses().removeIf(use -> !axes.containsKey(use.array())));
        all.removeIf(scale ->
                scale.variable() == null && !scale.isDeclared() && scale.uses().isEmpty());
    }

    /** {@return whether the coordinates of a scale have several axes, some of which have no scale} */
    private boolean isUnlinked(Scale scale) {
        return hasSeveralAxes(scale) && !axes.containsKey(scale.path());
    }

    private boolean hasSeveralAxes(Scale scale) {
        ArraySpec array = scale.variable() == null ? null : arrays.get(scale.variable());
        return array != null && array.shape().rank() > 1;
    }

    /** {@return all scales, in the order of their numbers} */
    public List<Scale> all() {
        return scales.values().stream()
                .sorted(Comparator.comparing(Scale::group))
                .toList();
    }

    /**
     * {@return whether scales are numbered: a scale of several axes refers to scales by number, and the order of
     * declared dimensions is that of their numbers}
     *
     * <p>Numbers are signs of netCDF, as are scales without an array, and in netCDF all arrays are as long as their
     * unlimited dimensions. In other files with shorter arrays, scales get no numbers, so that these stay as they are.
     */
    public boolean areNumbered() {
        boolean isNetcdf = kind.isNetcdf() || scales.values().stream().anyMatch(scale -> scale.variable() == null);
        boolean isWhole = isNetcdf || scales.values().stream().noneMatch(this::hasShorterArrays);
        return (movesArrays && isWhole) || scales.values().stream().anyMatch(this::hasSeveralAxes);
    }

    private boolean hasShorterArrays(Scale scale) {
        ArraySpec coordinate = scale.variable() == null ? null : arrays.get(scale.variable());
        return (coordinate != null && coordinate.shape().extent(0) < scale.length())
                || scale.uses().stream()
                        .anyMatch(use ->
                                requireNonNull(arrays.get(use.array())).shape().extent(use.axis()) < scale.length());
    }

    /** {@return the scale whose coordinates an array has; null if it is not a scale} */
    @Nullable
    public Scale ofVariable(String array) {
        Scale scale = scales.get(array);
        return scale != null && array.equals(scale.variable()) ? scale : null;
    }

    /** {@return the scales of all axes of an array; null if it has none, or is the scale of its only axis} */
    @Nullable
    public List<Scale> axes(String array) {
        return axes.get(array);
    }

    /** {@return whether the axes of an array are named by scales} */
    public boolean areAxesNamed(String array) {
        return ofVariable(array) != null || axes.containsKey(array);
    }

    /** {@return sentences about axes that get another name than their own} */
    public List<String> otherNames() {
        List<String> changes = new ArrayList<>();
        axes.forEach((array, of) -> {
            List<@Nullable String> names = specOf(array).dimensionNames();
            for (int axis = 0; axis < names.size(); axis++) {
                String name = names.get(axis);
                String given = of.get(axis).name();
                if (name != null && !name.equals(given)) {
                    changes.add("axis " + axis + " of " + array + " gets the dimension \"" + given + "\" instead of \""
                            + name + "\", which has another length or is no name for a dimension there");
                }
            }
        });
        return changes;
    }

    private ArraySpec specOf(String array) {
        return Objects.requireNonNull(arrays.get(array), array);
    }

    /** {@return the path of an array in the file, which is another one if a dimension has its name} */
    public String storedPath(String array) {
        return scales.containsKey(array) && ofVariable(array) == null ? moved(array) : array;
    }
}
