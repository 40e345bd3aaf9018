package dev.rechunker.io.tree;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What netCDF says of a group and JSON cannot, kept in two attributes of the group: its dimensions, and the types of
 * attributes, its own and those of the arrays in it.
 *
 * <p>The names begin with {@code _nc}: xarray shows no such attribute of a group. It does show them for arrays of Zarr
 * 3, and then cannot write these attributes to netCDF, so notes on arrays are kept with their group.
 */
public final class GroupNotes {
    /** The attribute with the dimensions: an object with the length and whether it is unlimited, by name, in order. */
    public static final String DIMENSIONS = "_nc_dimensions";

    /**
     * The attribute with the types of attributes: an object with a {@link AttributeType} by the name of the attribute,
     * by the name of the array, which is empty for the group itself.
     */
    public static final String TYPES = "_nc_types";

    private static final String OWN = "";
    private static final String LENGTH = "length";
    private static final String UNLIMITED = "unlimited";

    /** The element types that plain data have without a note. */
    private static final Set<String> USUAL =
            Set.of(AttributeType.STRING, AttributeType.CHAR, "int64", "float64", "bool");

    private GroupNotes() {}

    /**
     * {@return a group with its notes among the attributes}
     *
     * @param arrays the arrays in the group by name; if there are none, notes on arrays that the group has already stay
     */
    public static GroupSpec add(GroupSpec group, Map<String, ArraySpec> arrays) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(group.attributes());
        if (!group.dimensions().isEmpty()) {
            Map<String, Object> dimensions = new LinkedHashMap<>();
            for (Dimension dimension : group.dimensions()) {
                dimensions.put(dimension.name(), Map.of(LENGTH, dimension.length(), UNLIMITED, dimension.unlimited()));
            }
            attributes.put(DIMENSIONS, dimensions);
        }
        Map<String, Object> types = new LinkedHashMap<>();
        addTypes(types, OWN, group.attributeTypes(), group.attributes());
        arrays.forEach((name, array) -> addTypes(types, name, array.attributeTypes(), array.attributes()));
        if (!types.isEmpty()) {
            attributes.putIfAbsent(TYPES, types);
        }
        return group.withAttributes(attributes);
    }

    private static void addTypes(
            Map<String, Object> notes,
            String array,
            Map<String, AttributeType> types,
            Map<String, ? extends @Nullable Object> attributes) {
        Map<String, Object> unusual = new LinkedHashMap<>();
        types.forEach((name, type) -> {
            if (!isUsual(type, attributes.get(name))) {
                unusual.put(name, type.toString());
            }
        });
        if (!unusual.isEmpty()) {
            notes.put(array, unusual);
        }
    }

    /** {@return whether a format with types would choose this type, or an equivalent one, by itself} */
    private static boolean isUsual(AttributeType type, @Nullable Object value) {
        if (!USUAL.contains(type.element()) || type.shape().isEmpty()) {
            return false;
        }
        boolean isList = value instanceof List<?>;
        boolean isVector = type.shape().get().rank() == 1;
        boolean isSingle = type.shape().get().elements() == 1;
        boolean isChars = value instanceof String && type.element().equals(AttributeType.STRING) && isVector;
        return !isChars && (isList ? isVector && !((List<?>) value).isEmpty() : isSingle);
    }

    /** {@return the group that stored attributes describe, without the notes among them} */
    public static GroupSpec read(Map<String, ? extends @Nullable Object> stored) {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>(stored);
        List<Dimension> dimensions = new ArrayList<>();
        if (attributes.get(DIMENSIONS) instanceof Map<?, ?> noted) {
            noted.forEach((name, about) -> {
                if (about instanceof Map<?, ?> members
                        && members.get(LENGTH) instanceof Long length
                        && length >= 0
                        && members.get(UNLIMITED) instanceof Boolean unlimited) {
                    dimensions.add(new Dimension(String.valueOf(name), length, unlimited));
                }
            });
        }
        attributes.remove(DIMENSIONS);
        attributes.remove(TYPES);
        return GroupSpec.of(attributes).withAttributeTypes(types(stored, OWN)).withDimensions(dimensions);
    }

    /**
     * {@return the types of the attributes of an array, by name}
     *
     * @param stored the attributes of the group that the array is in
     * @param array the name of the array in the group
     */
    public static Map<String, AttributeType> types(Map<String, ? extends @Nullable Object> stored, String array) {
        Map<String, AttributeType> types = new LinkedHashMap<>();
        if (stored.get(TYPES) instanceof Map<?, ?> noted && noted.get(array) instanceof Map<?, ?> attributes) {
            attributes.forEach((name, type) -> AttributeType.parse(String.valueOf(type))
                    .ifPresent(parsed -> types.put(String.valueOf(name), parsed)));
        }
        return types;
    }
}
