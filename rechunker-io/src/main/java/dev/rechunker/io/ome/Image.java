package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Shape;
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
 * The metadata of an image that had none, made from what is told and what its arrays say.
 *
 * @param axes its axes in C order
 * @param scale the distance of two elements of its largest level along each axis
 */
record Image(List<Axis> axes, List<Double> scale) {
    /**
     * {@return the image that arrays of this kind make}
     *
     * @param where the largest of them, for messages
     * @param level what it is
     * @param group the attributes of the group around it
     * @param told what the caller says, which counts first
     * @throws StoreException if it makes no image
     * @throws IllegalArgumentException if what is told does not fit it
     */
    static Image of(String where, ArraySpec level, Map<String, @Nullable Object> group, Calibration told)
            throws StoreException {
        Shape shape = level.shape();
        List<String> names = names(where, level, told);
        Calibration known = told;
        if (!told.isMeasured()) {
            known = Calibration.of(level.attributes(), names);
            known = known.isMeasured() ? known : Calibration.of(group, names);
        }
        List<String> units = fitted("units", known.units(), "", where, shape);
        List<Double> scale = fitted("scale", known.scale(), 1.0, where, shape);
        List<Axis> axes = new ArrayList<>();
        for (int axis = 0; axis < names.size(); axis++) {
            axes.add(new Axis(names.get(axis), units.get(axis).isEmpty() ? null : units.get(axis)));
        }
        Optional<String> fault = Axis.fault(axes);
        if (fault.isPresent()) {
            String message = where + " has the axes " + names + ", which make no image: " + fault.get()
                    + "; name them with axes(\"z\", \"y\", \"x\") or the like";
            if (told.names() != null) {
                throw new IllegalArgumentException(message);
            }
            throw new StoreException(message);
        }
        return new Image(axes, scale);
    }

    private static List<String> names(String where, ArraySpec level, Calibration told) throws StoreException {
        if (told.names() != null) {
            return fitted("axes", told.names(), "", where, level.shape());
        }
        List<@Nullable String> names = level.dimensionNames();
        if (names.isEmpty() || names.contains(null)) {
            throw new StoreException(where + " does not name its axes, of which it has "
                    + level.shape().rank() + ": " + level.shape()
                    + "; name them with axes(\"z\", \"y\", \"x\") or the like");
        }
        return names.stream().map(Objects::requireNonNull).toList();
    }

    private static <T> List<T> fitted(String what, @Nullable List<T> told, T otherwise, String where, Shape shape) {
        if (told == null) {
            return Collections.nCopies(shape.rank(), otherwise);
        }
        if (told.size() != shape.rank()) {
            throw new IllegalArgumentException(
                    what + told + " is for " + told.size() + (told.size() == 1 ? " axis" : " axes") + ", but " + where
                            + " has " + shape.rank() + ": " + shape);
        }
        return told;
    }

    /** {@return the names of the axes} */
    List<String> names() {
        return axes.stream().map(Axis::name).toList();
    }

    /**
     * {@return the member {@code multiscales} of version 0.5}
     *
     * @param name what the image is called
     * @param levels the arrays by their paths below the group, the largest first
     */
    List<Object> multiscales(String name, Map<String, ArraySpec> levels) {
        Shape largest = levels.values().iterator().next().shape();
        List<Object> datasets = new ArrayList<>();
        levels.forEach((path, level) -> {
            Map<String, @Nullable Object> dataset = new LinkedHashMap<>();
            dataset.put("path", path);
            dataset.put("coordinateTransformations", transformations(largest, level));
            datasets.add(dataset);
        });
        Map<String, @Nullable Object> multiscale = new LinkedHashMap<>();
        multiscale.put("name", name);
        multiscale.put("axes", axes.stream().map(Axis::json).toList());
        multiscale.put("datasets", datasets);
        return List.of(multiscale);
    }

    /** Levels that state their factors are taken to be means, whose centres lie between those of their elements. */
    private List<Object> transformations(Shape largest, ArraySpec level) {
        Optional<List<Double>> stated = Calibration.factors(level, names());
        List<Double> scales = new ArrayList<>();
        List<Double> shifts = new ArrayList<>();
        for (int axis = 0; axis < axes.size(); axis++) {
            double factor = stated.isPresent()
                    ? stated.get().get(axis)
                    : factor(largest.extent(axis), level.shape().extent(axis));
            scales.add(scale.get(axis) * factor);
            shifts.add(scale.get(axis) * (factor - 1) / 2);
        }
        List<Object> transformations = new ArrayList<>();
        transformations.add(transformation("scale", scales));
        if (stated.isPresent() && shifts.stream().anyMatch(shift -> shift != 0)) {
            transformations.add(transformation("translation", shifts));
        }
        return transformations;
    }

    private static Map<String, @Nullable Object> transformation(String type, List<Double> values) {
        Map<String, @Nullable Object> transformation = new LinkedHashMap<>();
        transformation.put("type", type);
        transformation.put(type, values);
        return transformation;
    }

    /**
     * {@return the whole number by which one extent was divided, rounding either way, to give another; or the ratio}
     */
    private static double factor(long large, long small) {
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
