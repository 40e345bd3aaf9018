package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names, units and scale of axes in C order, as far as they are known: given by a caller, or found in attributes.
 *
 * @param names the names; null if unknown
 * @param units the units, {@code ""} for an axis without a unit; null if unknown
 * @param scale the distance of two elements along each axis; null if unknown
 */
record ImageCalibration(
        @Nullable List<String> names,
        @Nullable List<String> units,
        @Nullable List<Double> scale) {
    static final ImageCalibration NONE = new ImageCalibration(null, null, null);

    ImageCalibration withNames(List<String> given) {
        return new ImageCalibration(given, units, scale);
    }

    ImageCalibration withUnits(List<String> given) {
        return new ImageCalibration(names, given, scale);
    }

    ImageCalibration withScale(List<Double> given) {
        return new ImageCalibration(names, units, given);
    }

    /** {@return whether units or scale are known} */
    boolean isMeasured() {
        return units != null || scale != null;
    }

    /**
     * {@return units and scale from the attributes of an array or group; invalid attributes are ignored}
     *
     * @param names the names of the axes
     */
    static ImageCalibration of(Map<String, @Nullable Object> attributes, List<String> names) {
        Optional<List<Double>> micrometers = numbers(attributes.get("element_size_um"), names, false);
        if (micrometers.isPresent()) {
            return new ImageCalibration(null, sameUnit("micrometer", names), micrometers.get());
        }
        if (attributes.get("pixelResolution") instanceof Map<?, ?> resolution) {
            Optional<List<Double>> scale = numbers(resolution.get("dimensions"), names, true);
            if (scale.isPresent()) {
                return new ImageCalibration(null, units(resolution.get("unit"), names), scale.get());
            }
        }
        for (String key : List.of("pixelResolution", "resolution")) {
            Optional<List<Double>> scale = numbers(attributes.get(key), names, true);
            if (scale.isPresent()) {
                Object units = attributes.get("units") instanceof List<?> list ? list : attributes.get("unit");
                return new ImageCalibration(null, units(units, names), scale.get());
            }
        }
        return NONE;
    }

    /** {@return the factors by which a level is smaller than the largest one, from its attributes} */
    static Optional<List<Double>> factors(ArraySpec level, List<String> names) {
        return numbers(level.attributes().get("downsamplingFactors"), names, true);
    }

    /**
     * {@return positive numbers for all axes in C order} If there is one number for each axis of space, other axes get
     * 1.
     */
    private static Optional<List<Double>> numbers(@Nullable Object value, List<String> names, boolean xFirst) {
        if (!(value instanceof List<?> list)) {
            return Optional.empty();
        }
        List<Double> numbers = new ArrayList<>();
        for (Object item : list) {
            double number = item instanceof Number n ? n.doubleValue() : Double.NaN;
            if (!(number > 0) || Double.isInfinite(number)) {
                return Optional.empty();
            }
            numbers.add(number);
        }
        return spread(numbers, 1.0, names, xFirst);
    }

    /** {@return the known units for all axes in C order; a single text is the unit of all axes of space} */
    private static @Nullable List<String> units(@Nullable Object value, List<String> names) {
        if (value instanceof String unit) {
            return Units.find(unit).map(known -> sameUnit(known, names)).orElse(null);
        }
        List<String> units = new ArrayList<>();
        for (Object item : value instanceof List<?> list ? list : List.of()) {
            units.add(item instanceof String unit ? Units.find(unit).orElse("") : "");
        }
        return spread(units, "", names, true).orElse(null);
    }

    private static List<String> sameUnit(String unit, List<String> names) {
        return names.stream()
                .map(name -> new Axis(name, null).type() == Axis.Type.SPACE ? unit : "")
                .toList();
    }

    private static <T> Optional<List<T>> spread(List<T> values, T others, List<String> names, boolean xFirst) {
        List<T> ordered = new ArrayList<>(values);
        if (xFirst) {
            Collections.reverse(ordered);
        }
        if (ordered.size() == names.size()) {
            return Optional.of(ordered);
        }
        List<T> spread = new ArrayList<>();
        int next = 0;
        for (String name : names) {
            boolean space = new Axis(name, null).type() == Axis.Type.SPACE;
            spread.add(space && next < ordered.size() ? ordered.get(next) : others);
            next += space ? 1 : 0;
        }
        return next == ordered.size() ? Optional.of(spread) : Optional.empty();
    }
}
