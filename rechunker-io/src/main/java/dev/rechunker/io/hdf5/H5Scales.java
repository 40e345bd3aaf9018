package dev.rechunker.io.hdf5;

import dev.rechunker.array.ArraySpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which arrays are dimension scales of which axes, as netCDF has it. The scale of an axis called {@code time} is the
 * array {@code time} with this one axis, of the same length, in the group of the array or in the nearest one around it
 * that has such. If one of an array's axes has no scale, all have labels only: netCDF reads no file in which only some
 * have.
 *
 * <p>Source: the HDF5 Dimension Scale Specification. A scale has the attributes {@code CLASS} and {@code NAME}, and
 * lists in {@code REFERENCE_LIST} whose it is; an array lists its scales in {@code DIMENSION_LIST}.
 */
final class H5Scales {
    /** Axes of one scale: more do not fit into an attribute, and all of them go without. */
    private static final int MOST_USES = 4000;

    private static final String CLASS = "CLASS";
    private static final String NAME = "NAME";
    private static final String SCALES = "DIMENSION_LIST";
    private static final String USES = "REFERENCE_LIST";
    private static final Set<String> RESERVED = Set.of(CLASS, NAME, SCALES, USES);

    private final Map<String, ArraySpec> arrays;
    /** By scale. */
    private final Map<String, List<Use>> uses = new TreeMap<>();
    /** By array, for each of its axes. */
    private final Map<String, List<String>> scales = new TreeMap<>();

    private record Use(String array, int axis) {}

    /** Where the header of an object is. */
    interface Addresses {
        long of(String path);
    }

    /**
     * Finds the scales.
     *
     * @param arrays all of a file, by path
     */
    H5Scales(Map<String, ArraySpec> arrays) {
        this.arrays = arrays;
        arrays.forEach((path, spec) -> {
            if (isScale(path, spec)) {
                uses.put(path, new ArrayList<>());
            }
        });
        arrays.forEach(this::link);
        uses.values().removeIf(of -> of.size() > MOST_USES);
        scales.values().removeIf(of -> !uses.keySet().containsAll(of));
        uses.values().forEach(of -> of.removeIf(use -> !scales.containsKey(use.array)));
    }

    private static boolean isScale(String path, ArraySpec spec) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return spec.shape().rank() == 1 && spec.dimensionNames().equals(List.of(name)) && isFree(spec);
    }

    private static boolean isFree(ArraySpec spec) {
        return Collections.disjoint(spec.attributes().keySet(), RESERVED);
    }

    private void link(String path, ArraySpec spec) {
        if (uses.containsKey(path) || spec.dimensionNames().isEmpty() || !isFree(spec)) {
            return;
        }
        List<String> found = new ArrayList<>();
        for (int axis = 0; axis < spec.shape().rank(); axis++) {
            String name = spec.dimensionNames().get(axis);
            String scale = name == null ? null : find(path, name, spec.shape().extent(axis));
            if (scale == null) {
                return;
            }
            found.add(scale);
        }
        scales.put(path, found);
        for (int axis = 0; axis < found.size(); axis++) {
            uses.computeIfAbsent(found.get(axis), none -> new ArrayList<>()).add(new Use(path, axis));
        }
    }

    private @Nullable String find(String path, String name, long extent) {
        String group = path;
        while (!group.isEmpty()) {
            group = group.substring(0, Math.max(0, group.lastIndexOf('/')));
            String candidate = group.isEmpty() ? name : group + "/" + name;
            ArraySpec scale = uses.containsKey(candidate) ? arrays.get(candidate) : null;
            if (scale != null && scale.shape().extent(0) == extent) {
                return candidate;
            }
        }
        return null;
    }

    /** {@return whether scales say how the axes of an array are called} */
    boolean nameAxesOf(String path) {
        return uses.containsKey(path) || scales.containsKey(path);
    }

    /** Adds the attributes that link an array and its scales. */
    void put(H5ObjectHeader header, String where, String path, Addresses addresses, H5Texts texts) throws IOException {
        List<Use> of = uses.get(path);
        if (of != null) {
            header.attribute(where, CLASS, H5Value.ofFixedText("DIMENSION_SCALE"));
            header.attribute(where, NAME, H5Value.ofFixedText(path.substring(path.lastIndexOf('/') + 1)));
            if (!of.isEmpty()) {
                header.attribute(where, USES, uses(of, addresses));
            }
        }
        List<String> own = scales.get(path);
        if (own != null) {
            header.attribute(where, SCALES, scales(own, addresses, texts));
        }
    }

    private static H5Value uses(List<Use> of, Addresses addresses) {
        H5Bytes data = new H5Bytes();
        for (Use use : of) {
            data.u64(addresses.of(use.array)).u32(use.axis).zeros(4);
        }
        return new H5Value(H5Datatype.scaleUse(), List.of((long) of.size()), data);
    }

    private static H5Value scales(List<String> own, Addresses addresses, H5Texts texts) throws IOException {
        H5Bytes data = new H5Bytes();
        for (String scale : own) {
            H5Bytes address = new H5Bytes().u64(addresses.of(scale));
            data.put(texts.put(address.toArray(), 1));
        }
        return new H5Value(H5Datatype.references(), List.of((long) own.size()), data);
    }
}
