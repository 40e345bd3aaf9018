package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.FormatRules.Axis;
import dev.rechunker.store.FormatRules.Image;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds arrays and groups that can have levels: by the rules of a format, or else by the names of axes and arrays.
 *
 * <p>A group is a pyramid if its arrays have the names 0, 1, 2 ... or s0, s1, s2 ..., and none is larger than the one
 * before.
 */
public final class Images {
    private static final Pattern LEVEL = Pattern.compile("s?(0|[1-9][0-9]{0,8})");
    static final String MULTISCALES = "multiscales";

    /**
     * The attribute of ilastik and ImageJ's plugins for HDF5 with the size of elements, for all axes or those of space.
     */
    static final String ELEMENT_SIZE = "element_size_um";

    private static final Set<String> SPACE = Set.of(
            "x",
            "y",
            "z",
            "lat",
            "latitude",
            "lon",
            "longitude",
            "rlat",
            "rlon",
            "easting",
            "northing",
            "xc",
            "yc",
            "nav_lat",
            "nav_lon",
            "south_north",
            "west_east",
            "row",
            "col",
            "column");

    private final FormatRules rules;

    /** Creates it with the rules of the target's format. */
    Images(FormatRules rules) {
        this.rules = rules;
    }

    /** {@return the image that a node is; empty if it is none} */
    Optional<Image> of(StoreLocation place, ChunkStore.Node node) throws IOException {
        Optional<Image> known = rules.image(place);
        if (known.isPresent()) {
            return known;
        }
        if (node instanceof ChunkStore.ArrayNode array) {
            return Optional.of(new Image(List.of(""), axes(array.spec()), isBelowLabels(place)));
        }
        if (node instanceof ChunkStore.GroupNode group) {
            requireUndescribed(place, group.attributes());
        }
        Map<String, ArraySpec> pyramid = levelsIn(place);
        return pyramid.isEmpty()
                ? Optional.empty()
                : Optional.of(new Image(
                        List.copyOf(pyramid.keySet()),
                        axes(pyramid.values().iterator().next()),
                        isBelowLabels(place)));
    }

    /** Refuses a group whose attributes describe its levels, and would be wrong of others. */
    private static void requireUndescribed(StoreLocation place, Map<String, @Nullable Object> attributes)
            throws StoreException {
        boolean described = attributes.containsKey(MULTISCALES)
                || (attributes.get("ome") instanceof Map<?, ?> ome && ome.containsKey(MULTISCALES));
        if (described) {
            throw new StoreException(place + " has attributes that describe its levels, and would be wrong of new ones;"
                    + " write it to OME-Zarr, where new levels are described, or copy it without making levels");
        }
    }

    /**
     * {@return the refusal of a part that differs from array to array, as levels of an image have other lengths}
     *
     * @param part what was asked for
     * @param axis the name of an axis
     * @param place an array
     * @param length its length on the axis
     * @param other the length of another array
     */
    public static String differentLengths(String part, String axis, String place, long length, long other) {
        return part + " is not the same part everywhere: axis " + axis + " of " + place + " has " + length
                + " elements, that of another array " + other + "; copy the arrays one by one. Of an image with levels,"
                + " copy one level, or ask for levels, which are then made of the part of the first one";
    }

    /** {@return whether a node is called labels, or is below one that is} */
    public static boolean isBelowLabels(StoreLocation place) {
        return List.of(place.path().split("/", -1)).contains("labels");
    }

    /** {@return the arrays in a group that are the levels of a pyramid, the largest first; empty if it is none} */
    public static Map<String, ArraySpec> levelsIn(StoreLocation group) throws IOException {
        Map<String, ArraySpec> arrays = new LinkedHashMap<>();
        for (String child : group.store().children(group.path())) {
            if (LEVEL.matcher(child).matches()) {
                Nodes.understoodArray(group.resolve(child)).ifPresent(spec -> arrays.put(child, spec));
            }
        }
        return pyramid(arrays);
    }

    /** {@return the arrays of a group as levels of one pyramid, the largest first; empty if they are not} */
    public static Map<String, ArraySpec> pyramid(Map<String, ArraySpec> arrays) {
        TreeMap<Long, Map.Entry<String, ArraySpec>> numbered = new TreeMap<>();
        for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
            Matcher level = LEVEL.matcher(array.getKey());
            if (!level.matches() || numbered.put(Long.parseLong(level.group(1)), array) != null) {
                return Map.of();
            }
        }
        Map<String, ArraySpec> levels = new LinkedHashMap<>();
        ArraySpec before = null;
        for (Map.Entry<String, ArraySpec> level : numbered.values()) {
            if (before != null && !isSmaller(level.getValue(), before)) {
                return Map.of();
            }
            before = level.getValue();
            levels.put(level.getKey(), before);
        }
        return levels;
    }

    private static boolean isSmaller(ArraySpec level, ArraySpec before) {
        Shape shape = level.shape();
        boolean smaller =
                shape.rank() == before.shape().rank() && level.dataType().equals(before.dataType());
        for (int axis = 0; smaller && axis < shape.rank(); axis++) {
            smaller = shape.extent(axis) <= before.shape().extent(axis);
        }
        return smaller;
    }

    /** {@return the attribute with the size of elements of a level that is made of an array; empty if it has none} */
    static Optional<List<Object>> elementSize(ArraySpec before, int[] step) {
        List<Object> scaled = new ArrayList<>();
        List<?> sizes = before.attributes().get(ELEMENT_SIZE) instanceof List<?> list ? list : List.of();
        List<Axis> axes = axes(before);
        int axis = 0;
        for (Object size : sizes) {
            while (axis < step.length
                    && sizes.size() < step.length
                    && !axes.get(axis).space()) {
                axis++;
            }
            if (axis == step.length || !(size instanceof Number number)) {
                return Optional.empty();
            }
            boolean whole = number instanceof Long || number instanceof Integer;
            scaled.add(whole ? (Object) (number.longValue() * step[axis]) : number.doubleValue() * step[axis]);
            axis++;
        }
        return scaled.isEmpty() ? Optional.empty() : Optional.of(scaled);
    }

    /** {@return the axes of an array; all those of two or three without names are axes of space} */
    private static List<Axis> axes(ArraySpec spec) {
        List<@Nullable String> names = spec.dimensionNames();
        int rank = spec.shape().rank();
        boolean unnamed = names.stream().allMatch(name -> name == null);
        List<Axis> axes = new ArrayList<>();
        for (int axis = 0; axis < rank; axis++) {
            boolean space = unnamed ? rank == 2 || rank == 3 : isSpace(names.get(axis));
            axes.add(new Axis(space, 1));
        }
        return axes;
    }

    private static boolean isSpace(@Nullable String name) {
        return name != null && SPACE.contains(name.toLowerCase(Locale.ROOT));
    }
}
