package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * New metadata for an image without any, from the calibration that the caller has given and from its arrays.
 *
 * @param axes the axes in C order
 * @param scale the distance of two elements of the largest level along each axis
 */
record Image(List<Axis> axes, List<Double> scale) {
    private static final Advice NAME_AXES = Advice.of("axes", "name them with axes(\"z\", \"y\", \"x\") or the like");

    /**
     * {@return the image of an array, or of a pyramid of arrays}
     *
     * @param where the name of the largest array, for messages
     * @param level the spec of the largest array
     * @param group the attributes of the group that contains it
     * @param given the calibration that the caller has given, which has priority
     * @throws StoreException if the arrays cannot be an image
     * @throws IllegalArgumentException if the given calibration does not match the array
     */
    static Image of(String where, ArraySpec level, Map<String, @Nullable Object> group, ImageCalibration given)
            throws StoreException {
        Shape shape = level.shape();
        List<String> names = names(where, level, given);
        ImageCalibration known = given;
        if (!given.isMeasured()) {
            known = ImageCalibration.of(level.attributes(), names);
            known = known.isMeasured() ? known : ImageCalibration.of(group, names);
        }
        List<String> units = fitted("units", known.units(), "", where, shape);
        List<Double> scale = fitted("scale", known.scale(), 1.0, where, shape);
        List<Axis> axes = new ArrayList<>();
        for (int axis = 0; axis < names.size(); axis++) {
            axes.add(new Axis(names.get(axis), units.get(axis).isEmpty() ? null : units.get(axis)));
        }
        Optional<String> fault = Axis.fault(axes);
        if (fault.isPresent()) {
            String problem = where + " has the axes " + names + ", which an image cannot have: " + fault.get();
            if (given.names() != null) {
                throw new IllegalArgumentException(problem);
            }
            throw new StoreException(problem, NAME_AXES);
        }
        return new Image(axes, scale);
    }

    private static List<String> names(String where, ArraySpec level, ImageCalibration given) throws StoreException {
        if (given.names() != null) {
            return fitted("axes", given.names(), "", where, level.shape());
        }
        List<@Nullable String> names = level.dimensionNames();
        if (names.isEmpty() || names.contains(null)) {
            throw new StoreException(
                    where + " has no names for its " + level.shape().rank() + " axes: " + level.shape(), NAME_AXES);
        }
        return names.stream().map(Objects::requireNonNull).toList();
    }

    private static <T> List<T> fitted(String what, @Nullable List<T> given, T fallback, String where, Shape shape) {
        if (given == null) {
            return Collections.nCopies(shape.rank(), fallback);
        }
        if (given.size() != shape.rank()) {
            throw new IllegalArgumentException(
                    what + given + " is for " + given.size() + (given.size() == 1 ? " axis" : " axes") + ", but "
                            + where + " has " + shape.rank() + ": " + shape);
        }
        return given;
    }

    /** {@return the names of the axes} */
    List<String> names() {
        return axes.stream().map(Axis::name).toList();
    }

    /**
     * {@return the member {@code multiscales} as in version 0.5}
     *
     * @param name the name of the image
     * @param levels the arrays by their paths below the group, the largest first
     */
    List<Object> multiscales(String name, Map<String, ArraySpec> levels) {
        ArraySpec largest = levels.values().iterator().next();
        List<Object> datasets = new ArrayList<>();
        levels.forEach((path, level) -> datasets.add(placement(largest, level).dataset(path)));
        Map<String, @Nullable Object> multiscale = new LinkedHashMap<>();
        multiscale.put("name", name);
        multiscale.put("axes", axes.stream().map(Axis::json).toList());
        multiscale.put("datasets", datasets);
        MadeLevel.any(levels).ifPresent(made -> {
            multiscale.put("type", made.method());
            multiscale.put("metadata", made.metadata());
        });
        return List.of(multiscale);
    }

    /**
     * Levels of the source with factors in their attributes are assumed to be means, whose centres are between those of
     * the averaged elements. Where the elements of other levels of the source are is unknown.
     */
    private LevelPlacement placement(ArraySpec largest, ArraySpec level) {
        Optional<MadeLevel> made = MadeLevel.of(level);
        if (made.isPresent()) {
            return placement(largest, largest).of(made.get());
        }
        LevelPlacement whole = LevelPlacement.of(scale);
        Optional<List<Double>> stated = ImageCalibration.factors(level, names());
        if (stated.isPresent()) {
            return whole.of(
                    stated.get(),
                    stated.get().stream().map(factor -> (factor - 1) / 2).toList());
        }
        List<Double> factors = new ArrayList<>();
        for (int axis = 0; axis < axes.size(); axis++) {
            factors.add(factor(largest.shape().extent(axis), level.shape().extent(axis)));
        }
        return whole.of(factors, Collections.nCopies(factors.size(), 0.0));
    }

    /**
     * {@return the integer by which an extent was divided, rounded up or down, to give another one; otherwise the
     * ratio}
     */
    static double factor(long large, long small) {
        if (small <= 0 || small == large) {
            return 1;
        }
        double ratio = (double) large / small;
        long whole = Math.round(ratio);
        for (long factor : new long[] {whole, whole + 1, whole - 1}) {
            boolean fits = factor > 0 && (large / factor == small || (large + factor - 1) / factor == small);
            if (fits) {
                return factor;
            }
        }
        return ratio;
    }
}
