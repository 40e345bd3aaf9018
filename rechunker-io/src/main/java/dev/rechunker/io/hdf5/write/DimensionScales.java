package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.hdf5.format.Conventions;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the arrays that are dimension scales of axes, by the rules of netCDF.
 *
 * <p>The scale of an axis {@code time} is an array {@code time} whose first axis has the same name and length. It is in
 * the group of the array, or in the nearest enclosing group that has one. In a file with scales, an axis without a
 * scale gets a pure dimension in the group of its array, which is a scale without values. If an axis cannot have a
 * scale, because it has no name, or because another object has that name, its array has labels only: netCDF reads no
 * file in which only some axes of an array have scales.
 *
 * <p>Source: the HDF5 Dimension Scale Specification. A scale has the attributes {@code CLASS} and {@code NAME}, and
 * lists the axes that use it in {@code REFERENCE_LIST}. An array lists its scales in {@code DIMENSION_LIST}. A scale
 * cannot have scales. Therefore a scale with several axes has the numbers of their pureDimensions in
 * {@code _Netcdf4Coordinates}, as in netCDF, and all scales of the file have their number in {@code _Netcdf4Dimid}.
 */
final class DimensionScales {
    /**
     * The largest number of axes with the same scale. More do not fit into an attribute; then none of them has the
     * scale.
     */
    private static final int MOST_USES = 4000;

    /** The attributes of scales. An array that has its own attributes with these names cannot be a scale. */
    private static final Set<String> RESERVED = Set.of(Conventions.CLASS, Conventions.NAME);

    private final Map<String, ArraySpec> arrays;
    private final Set<String> groups;
    /** The lengths of all scales, by path. */
    private final Map<String, Long> lengths = new TreeMap<>();
    /** The axes that use each scale, by path of the scale. */
    private final Map<String, List<Use>> uses = new TreeMap<>();
    /** The paths of the scales of all axes of an array, by path of the array. */
    private final Map<String, List<String>> scales = new TreeMap<>();

    /** The numbers of the pureDimensions of scales, by path; empty if no scale has several axes. */
    private final Map<String, Integer> numbers = new TreeMap<>();

    private record Use(String array, int axis) {}

    /** The addresses of object headers. */
    interface Addresses {
        long of(String path);
    }

    /**
     * Finds the scales.
     *
     * @param arrays all arrays of a file, by path
     * @param groups the paths of all groups
     */
    DimensionScales(Map<String, ArraySpec> arrays, Set<String> groups) {
        this.arrays = arrays;
        this.groups = groups;
        arrays.forEach((path, spec) -> {
            if (isScale(path, spec)) {
                lengths.put(path, spec.shape().extent(0));
                uses.put(path, new ArrayList<>());
            }
        });
        if (!uses.isEmpty()) {
            arrays.forEach(this::link);
        }
        uses.values().removeIf(of -> of.size() > MOST_USES);
        do {
            scales.values().removeIf(of -> !uses.keySet().containsAll(of));
        } while (uses.keySet().removeIf(scale -> hasSeveralAxes(scale) && !scales.containsKey(scale)));
        uses.values().forEach(of -> of.removeIf(use -> !scales.containsKey(use.array)));
        lengths.keySet()
                .removeIf(scale -> !uses.containsKey(scale)
                        || (isPureDimension(scale) && uses.get(scale).isEmpty()));
        if (lengths.keySet().stream().anyMatch(this::hasSeveralAxes)) {
            lengths.keySet().forEach(scale -> numbers.put(scale, numbers.size()));
        }
    }

    private static boolean isScale(String path, ArraySpec spec) {
        String name = NodePaths.leaf(path);
        return !spec.dimensionNames().isEmpty()
                && name.equals(spec.dimensionNames().get(0))
                && hasNoReservedAttribute(spec);
    }

    private static boolean hasNoReservedAttribute(ArraySpec spec) {
        return Collections.disjoint(spec.attributes().keySet(), RESERVED);
    }

    private void link(String path, ArraySpec spec) {
        if ((uses.containsKey(path) && !hasSeveralAxes(path))
                || spec.dimensionNames().isEmpty()
                || !hasNoReservedAttribute(spec)) {
            return;
        }
        Map<String, Long> made = new TreeMap<>();
        List<String> found = new ArrayList<>();
        for (int axis = 0; axis < spec.shape().rank(); axis++) {
            String name = spec.dimensionNames().get(axis);
            long extent = spec.shape().extent(axis);
            String scale = name == null ? null : find(path, name, extent);
            if (scale == null && name != null) {
                scale = NodePaths.below(NodePaths.parent(path), name);
                if (!isUnused(scale, name) || made.getOrDefault(scale, extent) != extent) {
                    return;
                }
                made.put(scale, extent);
            }
            if (scale == null) {
                return;
            }
            found.add(scale);
        }
        lengths.putAll(made);
        scales.put(path, found);
        for (int axis = 0; axis < found.size(); axis++) {
            uses.computeIfAbsent(found.get(axis), none -> new ArrayList<>()).add(new Use(path, axis));
        }
    }

    private boolean isUnused(String path, String name) {
        return !name.isEmpty()
                && !name.contains("/")
                && !name.equals(".")
                && !arrays.containsKey(path)
                && !groups.contains(path)
                && !lengths.containsKey(path);
    }

    private @Nullable String find(String path, String name, long extent) {
        String group = path;
        while (!group.isEmpty()) {
            group = NodePaths.parent(group);
            String candidate = NodePaths.below(group, name);
            if (lengths.getOrDefault(candidate, -1L) == extent) {
                return candidate;
            }
        }
        return null;
    }

    private boolean hasSeveralAxes(String scale) {
        ArraySpec array = arrays.get(scale);
        return array != null && array.shape().rank() > 1;
    }

    private boolean isPureDimension(String scale) {
        return !arrays.containsKey(scale);
    }

    /** {@return the lengths of pure pureDimensions, by path} */
    Map<String, Long> pureDimensions() {
        Map<String, Long> pure = new TreeMap<>(lengths);
        pure.keySet().removeIf(scale -> !isPureDimension(scale));
        return pure;
    }

    /** {@return whether the axes of an array are named by scales} */
    boolean areAxesNamed(String path) {
        return uses.containsKey(path) || scales.containsKey(path);
    }

    /** Adds the attributes that link an array and its scales. */
    void put(HeaderBuilder header, String where, String path, Addresses addresses, TextSink texts) throws IOException {
        List<Use> of = uses.get(path);
        if (of != null) {
            header.addAttribute(where, Conventions.CLASS, AttributeValue.ofFixedText(Conventions.SCALE));
            String name = isPureDimension(path)
                    ? String.format(Locale.ROOT, "%s.%10d", Conventions.PURE_DIMENSION, lengths.get(path))
                    : NodePaths.leaf(path);
            header.addAttribute(where, Conventions.NAME, AttributeValue.ofFixedText(name));
            List<Use> listed =
                    of.stream().filter(use -> !uses.containsKey(use.array)).toList();
            if (!listed.isEmpty()) {
                header.addAttribute(where, Conventions.REFERENCE_LIST, uses(listed, addresses));
            }
            Integer number = numbers.get(path);
            if (number != null) {
                header.addAttribute(where, Conventions.DIMENSION_NUMBER, numbers(List.of(), List.of(number)));
            }
        }
        List<String> own = scales.get(path);
        if (own != null && of != null) {
            header.addAttribute(where, Conventions.AXIS_NUMBERS, numbers(own));
        } else if (own != null) {
            header.addAttribute(where, Conventions.DIMENSION_LIST, scales(own, addresses, texts));
        }
    }

    /** {@return the numbers of the pureDimensions of scales} */
    private AttributeValue numbers(List<String> scales) {
        List<Integer> named =
                scales.stream().map(numbers::get).map(Objects::requireNonNull).toList();
        return numbers(List.of((long) named.size()), named);
    }

    private static AttributeValue numbers(List<Long> shape, List<Integer> numbers) {
        MessageBytes data = new MessageBytes();
        numbers.forEach(data::u32);
        return new AttributeValue(DatatypeMessage.integer(Integer.BYTES, true, ByteOrder.LITTLE_ENDIAN), shape, data);
    }

    private static AttributeValue uses(List<Use> of, Addresses addresses) {
        MessageBytes data = new MessageBytes();
        for (Use use : of) {
            data.u64(addresses.of(use.array)).u32(use.axis).zeros(4);
        }
        return new AttributeValue(DatatypeMessage.scaleUse(), List.of((long) of.size()), data);
    }

    private static AttributeValue scales(List<String> own, Addresses addresses, TextSink texts) throws IOException {
        MessageBytes data = new MessageBytes();
        for (String scale : own) {
            MessageBytes address = new MessageBytes().u64(addresses.of(scale));
            data.put(texts.put(address.toArray(), 1));
        }
        return new AttributeValue(DatatypeMessage.references(), List.of((long) own.size()), data);
    }
}
