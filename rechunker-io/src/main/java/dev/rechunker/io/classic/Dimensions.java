package dev.rechunker.io.classic;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.array.GroupSpec.Dimension;
import dev.rechunker.io.netcdf.DimensionScales;
import dev.rechunker.io.netcdf.FileKind;
import dev.rechunker.io.netcdf.NetcdfVariables;
import dev.rechunker.io.netcdf.Scale;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The dimensions of a file, found as those of netCDF-4. At most one grows, and it is the first of each of its arrays:
 * another one that is unlimited gets a fixed length.
 */
final class Dimensions {
    private final Map<String, ArraySpec> arrays;
    private final DimensionScales scales;
    private final List<Scale> kept = new ArrayList<>();
    private final Optional<Scale> record;

    /**
     * Finds the dimensions.
     *
     * @param arrays the arrays in order, as they are asked for
     * @throws StoreException if several dimensions would have to grow
     */
    Dimensions(String where, GroupSpec group, Map<String, ArraySpec> arrays) throws StoreException {
        this.arrays = new LinkedHashMap<>();
        arrays.forEach((name, spec) -> this.arrays.put(name, NetcdfVariables.stored(spec)));
        this.scales = new DimensionScales(this.arrays, Map.of("", group), FileKind.CLASSIC);
        this.record = record(where);
        for (Scale scale : scales.all()) {
            if (isRecord(scale) || scale.length() > 0) {
                kept.add(scale);
            }
        }
        for (Map.Entry<String, ArraySpec> array : this.arrays.entrySet()) {
            requireLengths(where, array.getKey(), array.getValue());
        }
    }

    private Optional<Scale> record(String where) throws StoreException {
        List<Scale> growing = scales.all().stream().filter(this::canGrow).toList();
        List<Scale> used = growing.stream().filter(this::isUsed).toList();
        if (used.size() > 1) {
            throw new StoreException(where + " would have the unlimited dimensions "
                    + used.stream().map(Scale::name).toList() + ", but the classic format of netCDF has only one; write"
                    + " netCDF-4 (.nc), or copy the arrays of each to a file of their own, with --include");
        }
        return used.isEmpty() ? growing.stream().findFirst() : Optional.of(used.get(0));
    }

    /** {@return whether a dimension is unlimited, and only the first of arrays} */
    private boolean canGrow(Scale scale) {
        return scale.isUnlimited()
                && arrays.keySet().stream().allMatch(array -> of(array).lastIndexOf(scale) <= 0);
    }

    private boolean isUsed(Scale scale) {
        return arrays.keySet().stream().anyMatch(array -> of(array).contains(scale));
    }

    private boolean isRecord(Scale scale) {
        return record.isPresent() && record.get() == scale;
    }

    private void requireLengths(String where, String array, ArraySpec spec) throws StoreException {
        List<Scale> own = of(array);
        for (int axis = 0; axis < own.size(); axis++) {
            long extent = spec.shape().extent(axis);
            if (extent != own.get(axis).length()) {
                throw new StoreException(where + ": " + array + " has " + extent + " elements along the dimension "
                        + own.get(axis).name() + ", which has " + own.get(axis).length()
                        + "; the classic format of netCDF has no shorter arrays; write netCDF-4 (.nc)");
            }
        }
    }

    /** {@return the dimensions of an array, in the order of its axes} */
    private List<Scale> of(String array) {
        List<Scale> own = scales.axes(array);
        if (own != null) {
            return own;
        }
        Scale scale = scales.ofVariable(array);
        return scale == null || specOf(array).shape().rank() == 0 ? List.of() : List.of(scale);
    }

    private ArraySpec specOf(String array) {
        return Objects.requireNonNull(arrays.get(array), array);
    }

    /** {@return the arrays as the file has them, by name} */
    Map<String, ArraySpec> arrays() {
        return arrays;
    }

    /** {@return all dimensions, in order} */
    List<Dimension> all() {
        return kept.stream()
                .map(scale -> new Dimension(scale.name(), scale.length(), isRecord(scale)))
                .toList();
    }

    /** {@return the dimensions that a group declares and the file has} */
    List<Dimension> declared(GroupSpec group) {
        List<String> names = group.dimensions().stream().map(Dimension::name).toList();
        return all().stream()
                .filter(dimension -> names.contains(dimension.name()))
                .toList();
    }

    /** {@return the numbers of the dimensions of an array} */
    List<Integer> numbers(String array) {
        return of(array).stream().map(kept::indexOf).toList();
    }

    /** {@return sentences about dimensions that have other names or do not grow} */
    List<String> changes() {
        List<String> changes = new ArrayList<>(scales.otherNames());
        for (Scale scale : kept) {
            if (scale.isUnlimited() && !isRecord(scale) && !scale.isDeclared()) {
                changes.add("the unlimited dimension \"" + scale.name() + "\" becomes one of " + scale.length()
                        + " elements, as only the first dimension of arrays can be unlimited");
            }
        }
        return changes;
    }
}
