package dev.rechunker.io.netcdf;

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
 * The attributes in which libraries on top of HDF5 keep their own data: dimension scales of HDF5 and netCDF-4, and the
 * JSON of n5-hdf5.
 *
 * <p>Scales become dimension names, and the attributes that link them to arrays are dropped. The members of n5's
 * {@code N5_JSON_ROOT} become attributes, unless there are attributes with these names.
 */
public final class Conventions {
    /** The group in which JHDF5, and therefore n5-hdf5, keeps named types. */
    public static final String TYPES_GROUP = "__DATA_TYPES__";

    /** The attribute of n5-hdf5 with a JSON object: the attributes for which HDF5 has no type. */
    public static final String N5_JSON = "N5_JSON_ROOT";

    /** The attribute with the class of an object, such as {@link #SCALE}. */
    public static final String CLASS = "CLASS";

    /** The class of dimension scales. */
    public static final String SCALE = "DIMENSION_SCALE";

    /** The attribute with the name of a scale. */
    public static final String NAME = "NAME";

    /** The attribute of an array with references to the scales of its axes. */
    public static final String DIMENSION_LIST = "DIMENSION_LIST";

    /** The attribute of a scale with references to the arrays that use it. */
    public static final String REFERENCE_LIST = "REFERENCE_LIST";

    /** The attribute with names of axes. */
    public static final String LABELS = "DIMENSION_LABELS";

    /** The prefix of the {@link #NAME} of a netCDF dimension that has no variable. */
    public static final String PURE_DIMENSION = "This is a netCDF dimension but not a netCDF variable";

    /** The names, without a number, that netCDF gives the dimensions of axes without scales. */
    public static final String UNNAMED_DIMENSION = "phony_dim_";

    /** The prefix of the name of a variable that has the name of a dimension, but is not its coordinate. */
    public static final String NOT_COORDINATE = "_nc4_non_coord_";

    /** The attribute of a scale with the number of its dimension in netCDF. */
    public static final String DIMENSION_NUMBER = "_Netcdf4Dimid";

    /** The attribute of a variable with the numbers of its dimensions in netCDF. */
    public static final String AXIS_NUMBERS = "_Netcdf4Coordinates";

    /** The attribute of a variable with its missing value, which has the type of the variable. */
    public static final String MISSING_VALUE = "_FillValue";

    /** The attribute of the root group of a file that was written by netCDF. */
    public static final String NETCDF = "_NCProperties";

    /** The attribute of the root group of a file of netCDF's classic model. */
    public static final String STRICT = "_nc3_strict";

    private static final Set<String> INTERNAL =
            Set.of(DIMENSION_LIST, LABELS, REFERENCE_LIST, DIMENSION_NUMBER, AXIS_NUMBERS, NETCDF, STRICT);
    private static final Set<String> INTERNAL_OF_SCALES = Set.of(CLASS, NAME);

    private Conventions() {}

    /** {@return whether an object with these attributes is a dimension scale} */
    public static boolean isScale(Map<String, ? extends @Nullable Object> attributes) {
        return SCALE.equals(attributes.get(CLASS));
    }

    /** {@return whether a dataset with these attributes is a dimension of netCDF without a variable} */
    public static boolean isPureDimension(Map<String, ? extends @Nullable Object> attributes) {
        return isScale(attributes) && attributes.get(NAME) instanceof String name && name.startsWith(PURE_DIMENSION);
    }

    /** {@return whether an attribute of an object is internal to the file format: it only links scales and arrays} */
    public static boolean isInternal(Map<String, ? extends @Nullable Object> attributes, String name) {
        return INTERNAL.contains(name) || (isScale(attributes) && INTERNAL_OF_SCALES.contains(name));
    }

    /**
     * {@return attributes without those that are internal to the file format, and with the members of {@link #N5_JSON}}
     *
     * <p>A writer must not copy internal attributes, because they would be understood as links between scales and
     * arrays of the new file.
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
                user.put(N5_JSON, json); // not JSON: keep the text
            }
        }
        List<String> internal =
                user.keySet().stream().filter(name -> isInternal(user, name)).toList();
        user.keySet().removeAll(internal);
        return user;
    }

    /**
     * {@return the names of axes as a reader returns them: null instead of an empty name, and no names if all are null}
     */
    public static List<@Nullable String> axes(List<? extends @Nullable String> stored) {
        List<@Nullable String> names = new ArrayList<>(stored);
        names.replaceAll(name -> name == null || name.isEmpty() ? null : name);
        return names.stream().allMatch(Objects::isNull) ? List.of() : names;
    }
}
