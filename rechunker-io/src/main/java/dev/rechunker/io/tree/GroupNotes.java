package dev.rechunker.io.tree;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What netCDF says of a group and JSON cannot, kept in attributes of the group: its dimensions, the types of
 * attributes, its own and those of the arrays in it, which axes of these are unlimited, and what their types of
 * elements are called. An array at the root of a store is in no group, and has such notes among its own attributes.
 *
 * <p>The names begin with {@code _nc}: xarray shows no such attribute of a group. It does show them for arrays of Zarr
 * 3, and then cannot write these attributes to netCDF, so notes on arrays are kept with their group.
 *
 * <p>A number that JSON lacks is a text, such as {@code "NaN"}, and a note says that it is a number.
 */
public final class GroupNotes {
    /** The attribute with the dimensions: an object with the length and whether it is unlimited, by name, in order. */
    public static final String DIMENSIONS = "_nc_dimensions";

    /**
     * The attribute with the types of attributes: an object with an {@link AttributeType} by the name of the attribute,
     * by the name of the array, which is empty for the node itself.
     */
    public static final String TYPES = "_nc_types";

    /** The attribute with the missing values of arrays whose own attribute would keep xarray from opening them. */
    public static final String MISSING = "_nc_missing";

    /**
     * The attribute with the numbers of the unlimited axes of arrays, unless the group declares their dimensions so.
     */
    public static final String AXES = "_nc_unlimited";

    /** The attribute with the {@link ArraySpec#typeHints} of arrays: an object by the name of the array. */
    public static final String ELEMENTS = "_nc_elements";

    private static final List<String> ON_ARRAYS = List.of(TYPES, MISSING, AXES, ELEMENTS);
    private static final String OWN = "";
    private static final String LENGTH = "length";
    private static final String UNLIMITED = "unlimited";

    private final Predicate<ArraySpec> notesMissing;

    /**
     * Creates the notes of a format.
     *
     * @param notesMissing whether the missing value of an array in a group is kept with the group
     */
    public GroupNotes(Predicate<ArraySpec> notesMissing) {
        this.notesMissing = notesMissing;
    }

    /**
     * {@return a group with its notes among the attributes}
     *
     * @param arrays the arrays in the group by name; if there are none, notes on arrays that the group has already stay
     */
    public GroupSpec add(GroupSpec group, Map<String, ArraySpec> arrays) throws StoreException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(group.attributes());
        if (!group.dimensions().isEmpty()) {
            Map<String, Object> dimensions = new LinkedHashMap<>();
            for (Dimension dimension : group.dimensions()) {
                dimensions.put(dimension.name(), Map.of(LENGTH, dimension.length(), UNLIMITED, dimension.unlimited()));
            }
            attributes.put(DIMENSIONS, dimensions);
        }
        Map<String, Object> own = noted(group.attributes(), group.attributeTypes());
        if (!own.isEmpty() && !(attributes.get(TYPES) instanceof Map)) {
            attributes.put(TYPES, Map.of(OWN, own));
        }
        for (Map.Entry<String, ArraySpec> array : arrays.entrySet()) {
            attributes = withArray(attributes, array.getKey(), array.getValue());
        }
        return group.withAttributes(attributes);
    }

    /** {@return the attributes of a group with the notes on an array in it, and without older ones on that array} */
    public Map<String, @Nullable Object> withArray(
            Map<String, ? extends @Nullable Object> group, String name, ArraySpec array) throws StoreException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(group);
        Map<String, Object> types = noted(array.attributes(), array.attributeTypes());
        put(attributes, TYPES, name, types.isEmpty() ? null : types);
        put(
                attributes,
                MISSING,
                name,
                isMissingNoted(array) ? FillAttribute.of(array).toXarray() : null);
        List<Long> axes = axes(array);
        axes.removeIf(axis -> isUnlimited(dimensions(group), array, axis.intValue()));
        put(attributes, AXES, name, axes.isEmpty() ? null : axes);
        putElements(attributes, name, array);
        for (String notes : ON_ARRAYS) { // in the same order, whichever array was the first
            Object noted = attributes.remove(notes);
            if (noted != null) {
                attributes.put(notes, noted);
            }
        }
        return attributes;
    }

    private static void putElements(Map<String, @Nullable Object> attributes, String name, ArraySpec array) {
        put(attributes, ELEMENTS, name, array.typeHints().isEmpty() ? null : array.typeHints());
    }

    private static List<Long> axes(ArraySpec array) {
        List<Long> axes = new ArrayList<>();
        array.unlimitedAxes().forEach(axis -> axes.add(axis.longValue()));
        return axes;
    }

    /** {@return whether dimensions declare that of an axis as unlimited} */
    private static boolean isUnlimited(List<Dimension> dimensions, ArraySpec array, int axis) {
        String name =
                array.dimensionNames().isEmpty() ? null : array.dimensionNames().get(axis);
        return name != null
                && dimensions.stream()
                        .anyMatch(known -> known.unlimited() && known.name().equals(name));
    }

    private boolean isMissingNoted(ArraySpec array) {
        return array.missingValue().isDefined() && notesMissing.test(array);
    }

    /** Puts a value into an object among attributes, or removes it if it is null. */
    private static void put(
            Map<String, @Nullable Object> attributes, String notes, String name, @Nullable Object value) {
        Map<String, @Nullable Object> changed = new TreeMap<>(object(attributes, notes));
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        if (!changed.isEmpty()) {
            attributes.put(notes, changed);
        } else if (attributes.get(notes) instanceof Map) {
            attributes.remove(notes);
        }
    }

    private static Map<String, @Nullable Object> object(
            Map<String, ? extends @Nullable Object> attributes, String name) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        if (attributes.get(name) instanceof Map<?, ?> stored) {
            stored.forEach((key, value) -> object.put(String.valueOf(key), value));
        }
        return object;
    }

    /** {@return the attributes of a group with the notes on arrays among stored ones, unless it has its own on them} */
    public static Map<String, @Nullable Object> keepingArrays(
            Map<String, ? extends @Nullable Object> group, Map<String, ? extends @Nullable Object> stored) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(group);
        for (String notes : ON_ARRAYS) {
            Map<String, @Nullable Object> kept = object(stored, notes);
            kept.remove(OWN);
            kept.putAll(object(group, notes));
            if (!kept.isEmpty()) {
                attributes.put(notes, kept);
            }
        }
        return attributes;
    }

    /** {@return the spec of an array in a group as it is stored there: without a missing value that the group keeps} */
    public ArraySpec inGroup(ArraySpec array) {
        return isMissingNoted(array)
                ? array.toBuilder().missingValue(FillValue.UNDEFINED).build()
                : array;
    }

    /** {@return the spec of an array that is in no group as it is stored: with notes among its attributes} */
    public static ArraySpec withOwn(ArraySpec array) {
        Map<String, Object> types = noted(array.attributes(), array.attributeTypes());
        List<Long> axes = axes(array);
        if (types.isEmpty() && axes.isEmpty() && array.typeHints().isEmpty()) {
            return array;
        }
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(array.attributes());
        put(attributes, TYPES, OWN, types.isEmpty() ? null : types);
        put(attributes, AXES, OWN, axes.isEmpty() ? null : axes);
        putElements(attributes, OWN, array);
        return array.toBuilder().attributes(attributes).build();
    }

    /** {@return the spec of an array as it was before {@link #withOwn}} */
    public static ArraySpec fromOwn(ArraySpec stored) {
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(stored.attributes());
        for (String notes : List.of(TYPES, AXES, ELEMENTS)) {
            if (object(stored.attributes(), notes).containsKey(OWN)) {
                rest.remove(notes);
            }
        }
        return rest.size() == stored.attributes().size()
                ? stored
                : with(stored.toBuilder().attributes(rest).build(), stored.attributes(), OWN);
    }

    /**
     * {@return the spec of an array with what a group says of it}
     *
     * @param stored the spec as it is stored
     * @param group the attributes of the group that the array is in
     * @param name the name of the array in the group
     */
    public ArraySpec fromGroup(ArraySpec stored, Map<String, ? extends @Nullable Object> group, String name) {
        ArraySpec array = with(stored, group, name);
        Object missing = object(group, MISSING).get(name);
        return missing == null || array.missingValue().isDefined()
                ? array
                : array.toBuilder()
                        .missingValue(FillAttribute.of(array).parse(missing))
                        .build();
    }

    private static ArraySpec with(ArraySpec array, Map<String, ? extends @Nullable Object> notes, String name) {
        Map<String, AttributeType> types = types(notes, name);
        Map<String, AttributeType> all = new LinkedHashMap<>(array.attributeTypes());
        all.putAll(types);
        Set<Integer> axes = new TreeSet<>(array.unlimitedAxes());
        List<Dimension> dimensions = dimensions(notes);
        List<?> noted = object(notes, AXES).get(name) instanceof List<?> list ? list : List.of();
        for (int axis = 0; axis < array.shape().rank(); axis++) {
            if (noted.contains((long) axis) || isUnlimited(dimensions, array, axis)) {
                axes.add(axis);
            }
        }
        return array.toBuilder()
                .attributes(restored(array.attributes(), types))
                .attributeTypes(all)
                .unlimitedAxes(axes)
                .hints(hints(array, object(object(notes, ELEMENTS), name)))
                .build();
    }

    private static Map<String, String> hints(ArraySpec array, Map<String, @Nullable Object> noted) {
        Map<String, String> texts = new LinkedHashMap<>();
        noted.forEach((hint, value) -> texts.put(hint, String.valueOf(value)));
        Map<String, String> hints =
                new LinkedHashMap<>(array.toBuilder().hints(texts).build().typeHints());
        hints.putAll(array.hints());
        return hints;
    }

    /** {@return the group that stored attributes describe, without the notes among them} */
    public static GroupSpec read(Map<String, ? extends @Nullable Object> stored) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(stored);
        for (String notes : List.of(DIMENSIONS, TYPES, MISSING, AXES, ELEMENTS)) {
            if (attributes.get(notes) instanceof Map) {
                attributes.remove(notes);
            }
        }
        Map<String, AttributeType> types = types(stored, OWN);
        return GroupSpec.of(restored(attributes, types))
                .withAttributeTypes(types)
                .withDimensions(dimensions(stored));
    }

    /**
     * {@return a group as a reader returns it, but with the notes among the attributes}
     *
     * @param stored the attributes with the notes, as they are read from the document
     */
    public static GroupSpec readWithNotes(Map<String, ? extends @Nullable Object> stored) {
        GroupSpec group = read(stored);
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(stored);
        attributes.putAll(group.attributes());
        return group.withAttributes(attributes);
    }

    private static List<Dimension> dimensions(Map<String, ? extends @Nullable Object> stored) {
        List<Dimension> dimensions = new ArrayList<>();
        object(stored, DIMENSIONS).forEach((name, about) -> {
            if (about instanceof Map<?, ?> members
                    && members.get(LENGTH) instanceof Long length
                    && length >= 0
                    && members.get(UNLIMITED) instanceof Boolean unlimited) {
                dimensions.add(new Dimension(name, length, unlimited));
            }
        });
        return dimensions;
    }

    /** {@return the types of the attributes of a node that notes have, by name} */
    private static Map<String, AttributeType> types(Map<String, ? extends @Nullable Object> stored, String node) {
        Map<String, AttributeType> types = new LinkedHashMap<>();
        object(object(stored, TYPES), node)
                .forEach((name, type) ->
                        AttributeType.parse(String.valueOf(type)).ifPresent(parsed -> types.put(name, parsed)));
        return types;
    }

    /** {@return the types that JSON does not tell, as texts, by the name of the attribute} */
    private static Map<String, Object> noted(
            Map<String, ? extends @Nullable Object> attributes, Map<String, AttributeType> types) {
        Map<String, Object> noted = new LinkedHashMap<>();
        attributes.forEach((name, value) -> {
            AttributeType type = types.get(name);
            if (hasNonFinite(value)) {
                noted.put(name, (type == null ? typeOf(value) : type).toString());
            } else if (type != null && !type.isUsualFor(value)) {
                noted.put(name, type.toString());
            }
        });
        return noted;
    }

    private static AttributeType typeOf(@Nullable Object value) {
        return AttributeType.of("float64", value instanceof List<?> list ? Shape.of(list.size()) : Shape.of());
    }

    private static boolean hasNonFinite(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().anyMatch(GroupNotes::hasNonFinite)
                : (value instanceof Double || value instanceof Float)
                        && !Double.isFinite(((Number) value).doubleValue());
    }

    /** {@return attributes in which the texts for numbers that JSON lacks are numbers again} */
    private static Map<String, @Nullable Object> restored(
            Map<String, ? extends @Nullable Object> attributes, Map<String, AttributeType> types) {
        Map<String, @Nullable Object> restored = new LinkedHashMap<>(attributes);
        restored.replaceAll((name, value) -> {
            AttributeType type = types.get(name);
            return type != null && type.element().startsWith("float") ? number(value) : value;
        });
        return restored;
    }

    private static @Nullable Object number(@Nullable Object value) {
        if (value instanceof List<?> list) {
            List<@Nullable Object> numbers = new ArrayList<>();
            list.forEach(item -> numbers.add(number(item)));
            return numbers;
        }
        return switch (value instanceof String text ? text : "") {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> value;
        };
    }
}
