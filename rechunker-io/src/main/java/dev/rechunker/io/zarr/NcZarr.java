package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What netCDF-C keeps in a Zarr store, NCZarr: types of attributes, dimensions of groups, names of axes.
 *
 * <p>netCDF-C 4.9 keeps it in members of {@code .zgroup} and {@code .zarray} with names such as {@code _NCZARR_GROUP},
 * and later releases in attributes such as {@code _nczarr_group}. Here the members are among the attributes.
 */
final class NcZarr {
    /** The attributes, and members of version 2 in capitals, that only link nodes. */
    private static final Set<String> LINKS = Set.of("_nczarr_superblock", "_nczarr_array", "_nczarr_group");

    private static final String TYPES = "_nczarr_attr";
    private static final Pattern NUMBER = Pattern.compile("[<>|]([iuf])([1248])");
    private static final Pattern CHARACTERS = Pattern.compile("[<>|]?[US]1");

    private NcZarr() {}

    /** {@return attributes with the members of NCZarr in a document of version 2} */
    static Map<String, @Nullable Object> withMembers(
            Map<String, ? extends @Nullable Object> attributes, Map<String, ? extends @Nullable Object> document) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(attributes);
        document.forEach((name, value) -> {
            if (isMember(name)) {
                all.put(name.toLowerCase(Locale.ROOT), value);
            }
        });
        return all;
    }

    /** {@return whether a member of a document is one of NCZarr} */
    static boolean isMember(String name) {
        return name.startsWith("_NCZARR_") && LINKS.contains(name.toLowerCase(Locale.ROOT));
    }

    /** {@return the spec of an array with what NCZarr says of it, and without these attributes} */
    static ArraySpec of(ArraySpec spec) {
        Map<String, @Nullable Object> rest = rest(spec.attributes());
        if (rest.size() == spec.attributes().size()) {
            return spec;
        }
        Map<String, AttributeType> types = types(spec.attributes());
        types.putAll(spec.attributeTypes());
        List<@Nullable String> names = spec.dimensionNames().isEmpty()
                ? names(spec.attributes().get("_nczarr_array"), spec.shape().rank())
                : spec.dimensionNames();
        return spec.toBuilder()
                .attributes(rest)
                .attributeTypes(types)
                .dimensionNames(names)
                .build();
    }

    /** {@return a group with what NCZarr says of it, and without these attributes} */
    static GroupSpec of(GroupSpec spec) {
        Map<String, @Nullable Object> rest = rest(spec.attributes());
        if (rest.size() == spec.attributes().size()) {
            return spec;
        }
        Map<String, AttributeType> types = types(spec.attributes());
        types.putAll(spec.attributeTypes());
        List<Dimension> dimensions =
                spec.dimensions().isEmpty() ? dimensions(spec.attributes().get("_nczarr_group")) : spec.dimensions();
        return spec.withAttributes(rest).withAttributeTypes(types).withDimensions(dimensions);
    }

    private static Map<String, @Nullable Object> rest(Map<String, ? extends @Nullable Object> attributes) {
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(attributes);
        rest.keySet().removeAll(LINKS);
        rest.keySet().removeAll(Set.of(TYPES, "_NCZARR_ATTR"));
        return rest;
    }

    private static Map<String, AttributeType> types(Map<String, ? extends @Nullable Object> attributes) {
        Map<String, AttributeType> types = new LinkedHashMap<>();
        Object stated = attributes.containsKey(TYPES) ? attributes.get(TYPES) : attributes.get("_NCZARR_ATTR");
        if (stated instanceof Map<?, ?> about && about.get("types") instanceof Map<?, ?> byName) {
            byName.forEach((name, code) -> {
                AttributeType type = type(String.valueOf(code), attributes.get(String.valueOf(name)));
                if (type != null) {
                    types.put(String.valueOf(name), type);
                }
            });
        }
        return types;
    }

    /** {@return the type of an attribute; null for one that netCDF-C keeps as JSON, or is unknown} */
    private static @Nullable AttributeType type(String code, @Nullable Object value) {
        if (CHARACTERS.matcher(code).matches()) {
            return value instanceof String ? AttributeType.of(AttributeType.CHAR, Shape.of()) : null;
        }
        Matcher number = NUMBER.matcher(code);
        if (!number.matches()) {
            return null;
        }
        String kind = switch (number.group(1)) {
            case "i" -> "int";
            case "u" -> "uint";
            default -> "float";
        };
        int length = value instanceof List<?> list ? list.size() : 1;
        return AttributeType.of(kind + 8 * Integer.parseInt(number.group(2)), Shape.of(length));
    }

    /** {@return the names of axes, which are paths of dimensions; empty if they do not fit} */
    private static List<@Nullable String> names(@Nullable Object array, int rank) {
        List<@Nullable String> names = new ArrayList<>();
        if (array instanceof Map<?, ?> about
                && first(about, "dimension_references", "dimrefs") instanceof List<?> paths
                && paths.size() == rank) {
            paths.forEach(path -> names.add(NodePaths.leaf(String.valueOf(path))));
        }
        return names;
    }

    private static List<Dimension> dimensions(@Nullable Object group) {
        List<Dimension> dimensions = new ArrayList<>();
        if (group instanceof Map<?, ?> about && first(about, "dimensions", "dims") instanceof Map<?, ?> byName) {
            byName.forEach((name, stated) -> {
                Object length = stated instanceof Map<?, ?> members ? members.get("size") : stated;
                boolean unlimited =
                        stated instanceof Map<?, ?> members && Long.valueOf(1).equals(members.get("unlimited"));
                if (length instanceof Long extent && extent >= 0) {
                    dimensions.add(new Dimension(String.valueOf(name), extent, unlimited));
                }
            });
        }
        return dimensions;
    }

    private static @Nullable Object first(Map<?, ?> map, String name, String other) {
        return map.containsKey(name) ? map.get(name) : map.get(other);
    }
}
