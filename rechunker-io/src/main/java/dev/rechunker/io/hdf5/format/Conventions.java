package dev.rechunker.io.hdf5.format;

import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What libraries above HDF5 keep in attributes: the dimension scales of HDF5 and netCDF-4, and the JSON of n5-hdf5.
 *
 * <p>Scales become names of dimensions; what links them up and means nothing elsewhere is dropped. The members of n5's
 * {@code N5_JSON_ROOT} become attributes, unless there are others of these names.
 */
public final class Conventions {
    /** Where JHDF5, and so n5-hdf5, keeps its named types. */
    public static final String TYPES_GROUP = "__DATA_TYPES__";

    /** The attribute of n5-hdf5 that holds an object in JSON, with all attributes that are none of HDF5. */
    public static final String N5_JSON = "N5_JSON_ROOT";

    /** The attribute that says what an object is, such as a {@link #SCALE}. */
    public static final String CLASS = "CLASS";

    /** What a dimension scale is. */
    public static final String SCALE = "DIMENSION_SCALE";

    /** The attribute by which a scale says how it is called. */
    public static final String NAME = "NAME";

    /** The attribute of an array that refers to the scales of its axes. */
    public static final String SCALES_OF = "DIMENSION_LIST";

    /** The attribute of a scale that refers to the arrays whose it is. */
    public static final String USES = "REFERENCE_LIST";

    /** The attribute that names the axes. */
    public static final String LABELS = "DIMENSION_LABELS";

    /** How the name of a scale begins that is no array, in netCDF. */
    public static final String PURE_DIMENSION = "This is a netCDF dimension but not a netCDF variable";

    /** The attribute by which netCDF numbers the dimension that a scale stands for. */
    public static final String DIMENSION_NUMBER = "_Netcdf4Dimid";

    /** The attribute in which netCDF keeps the numbers of the axes of a variable. */
    public static final String AXIS_NUMBERS = "_Netcdf4Coordinates";

    /** The attribute of the root by which netCDF says that it wrote the file. */
    public static final String NETCDF = "_NCProperties";

    private static final Set<String> PLUMBING =
            Set.of(SCALES_OF, LABELS, USES, DIMENSION_NUMBER, AXIS_NUMBERS, NETCDF, "_nc3_strict");
    private static final Set<String> PLUMBING_OF_SCALES = Set.of(CLASS, NAME);

    private Conventions() {}

    /** {@return whether an object with these attributes is a dimension scale} */
    public static boolean isScale(Map<String, ? extends @Nullable Object> attributes) {
        return SCALE.equals(attributes.get(CLASS));
    }

    /** {@return whether an attribute of an object only links scales and arrays, and means nothing elsewhere} */
    public static boolean isPlumbing(Map<String, ? extends @Nullable Object> attributes, String name) {
        return PLUMBING.contains(name) || (isScale(attributes) && PLUMBING_OF_SCALES.contains(name));
    }

    /**
     * {@return of the attributes that a file holds, or is to hold, those that mean something to others}
     *
     * <p>A writer leaves the rest out: it would not be read back, and would be taken for what links scales and arrays
     * in the new file, which it is not.
     */
    public static Map<String, @Nullable Object> user(Map<String, ? extends @Nullable Object> attributes) {
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

    /** {@return the names of axes as they are read back: null for one without a character, none if no axis has one} */
    public static List<@Nullable String> axes(List<? extends @Nullable String> stored) {
        List<@Nullable String> names = new ArrayList<>(stored);
        names.replaceAll(name -> name == null || name.isEmpty() ? null : name);
        return names.stream().allMatch(Objects::isNull) ? List.of() : names;
    }
}
