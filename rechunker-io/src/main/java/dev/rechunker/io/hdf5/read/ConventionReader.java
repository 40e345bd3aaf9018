package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.AttributeType;
import dev.rechunker.io.hdf5.format.AttributeElement;
import dev.rechunker.io.hdf5.format.Conventions;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Interprets the attributes of an object by the {@link Conventions} of HDF5's dimension scales, netCDF-4 and n5-hdf5.
 */
final class ConventionReader {
    private final FileMetadata file;
    private final ObjectFinder hierarchy;
    private final NetcdfDimensions dimensions;
    private volatile @Nullable Boolean netcdf;

    ConventionReader(FileMetadata file, ObjectFinder hierarchy) {
        this.file = file;
        this.hierarchy = hierarchy;
        this.dimensions = new NetcdfDimensions(file, hierarchy);
    }

    /** {@return whether netCDF wrote the file; netCDF does not distinguish single numbers from lists of one number} */
    boolean isNetcdf() throws IOException {
        Boolean known = netcdf;
        if (known == null) {
            Optional<Located> root = hierarchy.find("");
            known = root.isPresent()
                    && ObjectAttributes.read(file, root.get().header()).values().containsKey(Conventions.NETCDF);
            netcdf = known;
        }
        return known;
    }

    static boolean isScale(ObjectAttributes attributes) {
        return Conventions.isScale(attributes.values());
    }

    /** {@return whether a dataset is a netCDF dimension without a variable, which has no values} */
    static boolean isPureDimension(ObjectAttributes attributes) {
        return isScale(attributes) && attributes.text(Conventions.NAME).startsWith(Conventions.PURE_DIMENSION);
    }

    /** {@return the attributes that are not internal to the file format} */
    Map<String, @Nullable Object> userAttributes(ObjectAttributes attributes) throws IOException {
        Map<String, @Nullable Object> values = new LinkedHashMap<>(attributes.values());
        if (isNetcdf()) {
            values.replaceAll(
                    (name, value) -> asNetcdf(value, attributes.types().get(name)));
        }
        return Conventions.user(values);
    }

    /** {@return a value as netCDF reads it: a list of one value is the value, and no value is empty} */
    private static @Nullable Object asNetcdf(@Nullable Object value, @Nullable AttributeType type) {
        if (value == null) {
            boolean isText = type != null
                    && AttributeElement.parse(type.element()).orElse(null) instanceof AttributeElement.Text;
            return isText ? "" : List.of();
        }
        return value instanceof List<?> list && list.size() == 1 ? list.get(0) : value;
    }

    /** {@return the names of a dataset's axes, null for an axis without a name; empty if no axis has a name} */
    List<@Nullable String> dimensionNames(Located dataset, ObjectAttributes attributes, int rank) throws IOException {
        List<@Nullable String> names = new ArrayList<>(Collections.nCopies(rank, null));
        if (attributes.values().get(Conventions.LABELS) instanceof List<?> labels && labels.size() == rank) {
            for (int axis = 0; axis < rank; axis++) {
                names.set(axis, labels.get(axis) instanceof String label && !label.isEmpty() ? label : null);
            }
        }
        long[] scales = scales(dataset, attributes, rank);
        for (int axis = 0; axis < rank; axis++) {
            if (names.get(axis) == null && scales[axis] != FileMetadata.UNDEFINED) {
                names.set(axis, name(scales[axis], dataset.groups()).orElse(null));
            }
        }
        return Conventions.axes(names);
    }

    /**
     * {@return the addresses of the scales of a dataset's axes; {@link FileMetadata#UNDEFINED} for an axis without a
     * scale}
     */
    private long[] scales(Located dataset, ObjectAttributes attributes, int rank) throws IOException {
        ObjectAttributes.Raw list = attributes.raw().get(Conventions.DIMENSION_LIST);
        if (list != null
                && ElementType.classOf(list.type()) == ElementType.VARIABLE
                && list.extents().rank() == 1
                && list.extents().extent(0) == rank) {
            return PlainValues.firstReferences(file, list.data().order(ByteOrder.LITTLE_ENDIAN), rank);
        }
        long[] scales = new long[rank];
        Arrays.fill(scales, FileMetadata.UNDEFINED);
        if (rank == 1 && isScale(attributes)) {
            scales[0] = dataset.header().address();
        } else if (isScale(attributes)
                && attributes.values().get(Conventions.AXIS_NUMBERS) instanceof List<?> numbers
                && numbers.size() == rank) {
            return dimensions.numbered(numbers, dataset.groups()).orElse(scales);
        }
        return scales;
    }

    /**
     * {@return sentences about axes that are longer in netCDF than in HDF5, where this library reads fewer elements}
     */
    List<String> missingElements(Located dataset, ObjectAttributes attributes) throws IOException {
        if (!isNetcdf()) {
            return List.of();
        }
        int rank = Dataset.shape(file, dataset.header()).rank();
        List<@Nullable String> names = dimensionNames(dataset, attributes, rank);
        List<String> axisNames = IntStream.range(0, rank)
                .mapToObj(axis -> names.isEmpty() || names.get(axis) == null ? "axis " + axis : names.get(axis))
                .toList();
        return dimensions.missingElements(dataset.header(), scales(dataset, attributes, rank), axisNames);
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
