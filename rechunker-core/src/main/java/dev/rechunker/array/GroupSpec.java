package dev.rechunker.array;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The complete description of a group without what is in it: its attributes and its dimensions. Immutable. */
public final class GroupSpec {
    /** A group without attributes and dimensions. */
    public static final GroupSpec EMPTY = of(Map.of());

    private final Map<String, @Nullable Object> attributes;
    private final Map<String, AttributeType> attributeTypes;
    private final List<Dimension> dimensions;

    /**
     * A dimension that a group declares, as in netCDF. Arrays in the group and below it refer to it by its name.
     *
     * @param name the name
     * @param length the present length
     * @param unlimited whether the dimension may grow
     */
    public record Dimension(String name, long length, boolean unlimited) {
        /** Checks the length. */
        public Dimension {
            if (length < 0) {
                throw new IllegalArgumentException("dimension " + name + " has a length of " + length);
            }
        }
    }

    private GroupSpec(
            Map<String, ? extends @Nullable Object> attributes,
            Map<String, AttributeType> attributeTypes,
            List<Dimension> dimensions) {
        this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        this.attributeTypes = AttributeType.of(this.attributes, attributeTypes);
        this.dimensions = List.copyOf(dimensions);
    }

    /** {@return a group with attributes, which are plain data, and without dimensions} */
    public static GroupSpec of(Map<String, ? extends @Nullable Object> attributes) {
        return new GroupSpec(attributes, Map.of(), List.of());
    }

    /** {@return this group with other attributes; the types of those that stay are kept} */
    public GroupSpec withAttributes(Map<String, ? extends @Nullable Object> others) {
        return new GroupSpec(others, attributeTypes, dimensions);
    }

    /** {@return this group with other types of attributes; a type for a name that is no attribute is left out} */
    public GroupSpec withAttributeTypes(Map<String, AttributeType> others) {
        return new GroupSpec(attributes, others, dimensions);
    }

    /** {@return this group with other dimensions} */
    public GroupSpec withDimensions(List<Dimension> others) {
        return new GroupSpec(attributes, attributeTypes, others);
    }

    /**
     * {@return this group with dimensions that are as long as its arrays, whose lengths may have changed since they
     * were declared, as by joining, cutting or appending} A dimension that no array has, or of which arrays have
     * several lengths, keeps its own.
     */
    public GroupSpec withLengthsOf(Collection<ArraySpec> arrays) {
        Map<String, Set<Long>> lengths = new HashMap<>();
        for (ArraySpec array : arrays) {
            for (int axis = 0; axis < array.dimensionNames().size(); axis++) {
                lengths.computeIfAbsent(array.dimensionNames().get(axis), name -> new HashSet<>())
                        .add(array.shape().extent(axis));
            }
        }
        return withDimensions(dimensions.stream()
                .map(dimension -> {
                    Set<Long> found = lengths.getOrDefault(dimension.name(), Set.of());
                    return found.size() == 1
                            ? new Dimension(dimension.name(), found.iterator().next(), dimension.unlimited())
                            : dimension;
                })
                .toList());
    }

    /** {@return the user's attributes} */
    public Map<String, @Nullable Object> attributes() {
        return attributes;
    }

    /** {@return the types of attributes, by name, as {@link ArraySpec#attributeTypes}} */
    public Map<String, AttributeType> attributeTypes() {
        return attributeTypes;
    }

    /**
     * {@return the dimensions that the group declares, in order; empty if it declares none, which does not keep its
     * arrays from naming their axes}
     */
    public List<Dimension> dimensions() {
        return dimensions;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof GroupSpec other
                && attributes.equals(other.attributes)
                && attributeTypes.equals(other.attributeTypes)
                && dimensions.equals(other.dimensions);
    }

    @Override
    public int hashCode() {
        return attributes.hashCode();
    }

    /** {@return the attributes and the dimensions} */
    @Override
    public String toString() {
        return "group " + attributes + " " + dimensions;
    }
}
