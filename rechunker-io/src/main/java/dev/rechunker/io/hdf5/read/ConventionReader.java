package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.AttributeType;
import dev.rechunker.io.netcdf.AttributeElement;
import dev.rechunker.io.netcdf.Conventions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Interprets the attributes of an object by the {@link Conventions} of HDF5's dimension scales, netCDF-4 and n5-hdf5.
 */
final class ConventionReader {
    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final NetcdfDimensions dimensions;

    ConventionReader(FileMetadata file, ObjectFinder hierarchy) {
        this.file = file;
        this.hierarchy = hierarchy;
        this.dimensions = new NetcdfDimensions(file, hierarchy);
    }

    /** {@return the dimensions of the file} */
    NetcdfDimensions dimensions() {
        return dimensions;
    }

    /** {@return the attributes that are not internal to the file format} */
    Map<String, @Nullable Object> userAttributes(ObjectAttributes attributes) throws IOException {
        Map<String, @Nullable Object> values = new LinkedHashMap<>(attributes.values());
        if (dimensions.isNetcdf()) {
            values.replaceAll(
                    (name, value) -> asNetcdf(value, attributes.types().get(name)));
        }
        return Conventions.user(values);
    }

    /** {@return a value as netCDF reads it: a list of one value is the value, and no value is empty} */
    private static @Nullable Object asNetcdf(@Nullable Object value, @Nullable AttributeType type) {
        if (value == null) {
            boolean isText = type != null
                    && AttributeElement.parse(type.element())
                                    .map(AttributeElement::unnamed)
                                    .orElse(null)
                            instanceof AttributeElement.Text;
            return isText ? "" : List.of();
        }
        return value instanceof List<?> list && list.size() == 1 ? list.get(0) : value;
    }

    /** {@return the names of a dataset's axes, null for an axis without a name; empty if no axis has a name} */
    List<@Nullable String> dimensionNames(Located dataset, ObjectAttributes attributes, int rank) throws IOException {
        List<@Nullable String> names = new ArrayList<>(Collections.nCopies(rank, null));
        List<?> labels = attributes.values().get(Conventions.LABELS) instanceof List<?> list ? list : List.of();
        long[] scales = dimensions.scales(dataset, attributes, rank);
        for (int axis = 0; axis < rank; axis++) {
            if (scales[axis] != FileMetadata.UNDEFINED) {
                names.set(axis, name(scales[axis], dataset.groups()).orElse(null));
            }
            if (names.get(axis) == null && labels.size() == rank && labels.get(axis) instanceof String label) {
                names.set(axis, label);
            }
        }
        return Conventions.axes(names);
    }

    /** {@return sentences about the labels and scales of a dataset's axes that do not name them} */
    List<String> unusedNames(Located dataset, ObjectAttributes attributes) throws IOException {
        int rank = Dataset.shape(file, dataset.header()).rank();
        List<@Nullable String> names = dimensionNames(dataset, attributes, rank);
        List<?> labels = attributes.values().get(Conventions.LABELS) instanceof List<?> list ? list : List.of();
        List<String> unused = new ArrayList<>();
        for (int axis = 0; axis < names.size() && labels.size() == rank; axis++) {
            if (labels.get(axis) instanceof String label && !label.isEmpty() && !label.equals(names.get(axis))) {
                unused.add("the label \"" + label + "\" of axis " + axis
                        + " is left out, because its scale is called \"" + names.get(axis) + "\"");
            }
        }
        int[] scales = dimensions.countScales(attributes, rank);
        for (int axis = 0; axis < scales.length; axis++) {
            if (scales[axis] > 1) {
                unused.add("axis " + axis + " has " + scales[axis] + " scales, and only the first is kept with it");
            }
        }
        return unused;
    }

    /** {@return the name of a scale: that of its link in a group around the dataset, or else its own name} */
    private Optional<String> name(long scale, List<Long> groups) throws IOException {
        Optional<String> link = hierarchy.nameOf(scale, groups);
        if (link.isPresent()) {
            return link;
        }
        String own = ObjectAttributes.read(file, ObjectHeader.read(file, scale)).text(Conventions.NAME);
        return own.isEmpty() || own.startsWith(Conventions.PURE_DIMENSION) ? Optional.empty() : Optional.of(own);
    }
}
