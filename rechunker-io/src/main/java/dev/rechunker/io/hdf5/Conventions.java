package dev.rechunker.io.hdf5;

import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What libraries above HDF5 keep in attributes: the dimension scales of HDF5 and netCDF-4, and the JSON of n5-hdf5.
 *
 * <p>Scales become names of dimensions; what links them up and means nothing elsewhere is dropped. The members of n5's
 * {@code N5_JSON_ROOT} become attributes, unless there are others of these names.
 */
final class Conventions {
    /** Where JHDF5, and so n5-hdf5, keeps its named types. */
    static final String TYPES_GROUP = "__DATA_TYPES__";

    /** The attribute of n5-hdf5 that holds an object in JSON, with all attributes that are none of HDF5. */
    static final String N5_JSON = "N5_JSON_ROOT";

    /** The attribute that says what an object is, such as a {@link #SCALE}. */
    static final String CLASS = "CLASS";

    /** What a dimension scale is. */
    static final String SCALE = "DIMENSION_SCALE";

    /** The attribute by which a scale says how it is called. */
    static final String NAME = "NAME";

    /** The attribute of an array that refers to the scales of its axes. */
    static final String SCALES_OF = "DIMENSION_LIST";

    /** The attribute of a scale that refers to the arrays whose it is. */
    static final String USES = "REFERENCE_LIST";

    /** The attribute that names the axes. */
    static final String LABELS = "DIMENSION_LABELS";

    /** How the name of a scale begins that is no array, in netCDF. */
    static final String PURE_DIMENSION = "This is a netCDF dimension but not a netCDF variable";

    /** The attribute by which netCDF numbers the dimension that a scale stands for. */
    static final String DIMENSION_NUMBER = "_Netcdf4Dimid";

    /** The attribute in which netCDF keeps the numbers of the axes of a variable. */
    static final String AXIS_NUMBERS = "_Netcdf4Coordinates";

    private static final String NETCDF = "_NCProperties";
    private static final Set<String> PLUMBING =
            Set.of(SCALES_OF, LABELS, USES, DIMENSION_NUMBER, AXIS_NUMBERS, NETCDF, "_nc3_strict");
    private static final Set<String> PLUMBING_OF_SCALES = Set.of(CLASS, NAME);

    private final Metadata file;
    private final Hierarchy hierarchy;
    private final Dimensions dimensions;
    private volatile @Nullable Boolean netcdf;

    Conventions(Metadata file, Hierarchy hierarchy) {
        this.file = file;
        this.hierarchy = hierarchy;
        this.dimensions = new Dimensions(file, hierarchy);
    }

    /** {@return whether netCDF wrote the file: it stores single numbers as lists, and tells no difference} */
    boolean isNetcdf() throws IOException {
        Boolean known = netcdf;
        if (known == null) {
            Optional<Located> root = hierarchy.find("");
            known = root.isPresent()
                    && Attributes.read(file, root.get().header()).values().containsKey(NETCDF);
            netcdf = known;
        }
        return known;
    }

    static boolean isScale(Attributes attributes) {
        return isScale(attributes.values());
    }

    private static boolean isScale(Map<String, ? extends @Nullable Object> attributes) {
        return SCALE.equals(attributes.get(CLASS));
    }

    /** {@return whether a dataset only stands for a dimension, and has no values of its own} */
    static boolean isPureDimension(Attributes attributes) {
        return isScale(attributes) && attributes.text(NAME).startsWith(PURE_DIMENSION);
    }

    private static boolean isPlumbing(Map<String, ? extends @Nullable Object> attributes, String name) {
        return PLUMBING.contains(name) || (isScale(attributes) && PLUMBING_OF_SCALES.contains(name));
    }

    /** {@return the attributes that mean something to others} */
    Map<String, @Nullable Object> user(Attributes attributes) throws IOException {
        Map<String, @Nullable Object> values = new LinkedHashMap<>(attributes.values());
        if (isNetcdf()) {
            values.replaceAll((name, value) -> value instanceof List<?> list && list.size() == 1 ? list.get(0) : value);
        }
        return user(values);
    }

    /**
     * {@return of the attributes that a file holds, or is to hold, those that mean something to others}
     *
     * <p>A writer leaves the rest out: it would not be read back, and would be taken for what links scales and arrays
     * in the new file, which it is not.
     */
    static Map<String, @Nullable Object> user(Map<String, ? extends @Nullable Object> attributes) {
        Map<String, @Nullable Object> user = new LinkedHashMap<>(attributes);
        if (user.get(N5_JSON) instanceof String json) {
            try {
                Map<String, @Nullable Object> members =
                        JsonParser.object(N5_JSON, json.getBytes(StandardCharsets.UTF_8));
                user.remove(N5_JSON);
                members.forEach(user::putIfAbsent);
            } catch (StoreException e) {
                user.put(N5_JSON, json); // not JSON: kept as the text it is
            }
        }
        List<String> plumbing =
                user.keySet().stream().filter(name -> isPlumbing(user, name)).toList();
        user.keySet().removeAll(plumbing);
        return user;
    }

    /** {@return the names of attributes that mean something, but that plain data cannot say; sorted} */
    static List<String> omitted(Attributes attributes) {
        return attributes.omitted().keySet().stream()
                .filter(name -> !isPlumbing(attributes.values(), name))
                .toList();
    }

    /** {@return the names of a dataset's axes, null where there is none; empty if no axis has one} */
    List<@Nullable String> dimensionNames(Located dataset, Attributes attributes, int rank) throws IOException {
        List<@Nullable String> names = new ArrayList<>(Collections.nCopies(rank, null));
        if (attributes.values().get(LABELS) instanceof List<?> labels && labels.size() == rank) {
            for (int axis = 0; axis < rank; axis++) {
                names.set(axis, labels.get(axis) instanceof String label && !label.isEmpty() ? label : null);
            }
        }
        long[] scales = scales(dataset, attributes, rank);
        for (int axis = 0; axis < rank; axis++) {
            if (names.get(axis) == null && scales[axis] != Metadata.UNDEFINED) {
                names.set(axis, name(scales[axis], dataset.groups()).orElse(null));
            }
        }
        return axes(names);
    }

    /** {@return the names of axes as they are read back: null for one without a character, none if no axis has one} */
    static List<@Nullable String> axes(List<? extends @Nullable String> stored) {
        List<@Nullable String> names = new ArrayList<>(stored);
        names.replaceAll(name -> name == null || name.isEmpty() ? null : name);
        return names.stream().allMatch(Objects::isNull) ? List.of() : names;
    }

    /** {@return the addresses of the scales of a dataset's axes; {@link Metadata#UNDEFINED} where there is none} */
    private long[] scales(Located dataset, Attributes attributes, int rank) throws IOException {
        Attributes.Raw list = attributes.raw().get(SCALES_OF);
        if (list != null
                && ElementType.classOf(list.type()) == ElementType.VARIABLE
                && list.extents().rank() == 1
                && list.extents().extent(0) == rank) {
            return PlainValues.firstReferences(file, list.data().order(ByteOrder.LITTLE_ENDIAN), rank);
        }
        long[] scales = new long[rank];
        Arrays.fill(scales, Metadata.UNDEFINED);
        if (rank == 1 && isScale(attributes)) {
            scales[0] = dataset.header().address();
        } else if (isScale(attributes)
                && attributes.values().get(AXIS_NUMBERS) instanceof List<?> numbers
                && numbers.size() == rank) {
            return dimensions.numbered(numbers, dataset.groups()).orElse(scales);
        }
        return scales;
    }

    /** {@return sentences about what netCDF would read behind the end of a dataset, which this library does not} */
    List<String> cutOff(Located dataset, Attributes attributes) throws IOException {
        if (!isNetcdf()) {
            return List.of();
        }
        int rank = Dataset.shape(file, dataset.header()).rank();
        List<@Nullable String> names = dimensionNames(dataset, attributes, rank);
        List<String> called = IntStream.range(0, rank)
                .mapToObj(axis -> names.isEmpty() || names.get(axis) == null ? "axis " + axis : names.get(axis))
                .toList();
        return dimensions.cutOff(dataset.header(), scales(dataset, attributes, rank), called);
    }

    /** {@return the name of a scale: its link's in a group around the dataset, or else what it calls itself} */
    private Optional<String> name(long scale, List<Long> groups) throws IOException {
        Optional<String> link = hierarchy.nameOf(scale, groups);
        if (link.isPresent()) {
            return link;
        }
        String own = Attributes.read(file, ObjectHeader.read(file, scale)).text(NAME);
        return own.isEmpty() || own.startsWith(PURE_DIMENSION) ? Optional.empty() : Optional.of(own);
    }
}
