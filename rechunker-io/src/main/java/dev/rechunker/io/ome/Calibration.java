package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names, units and distances of axes in C order, each as far as it is known: what a caller tells, or what attributes
 * say.
 *
 * @param names the names, or null
 * @param units the units, {@code ""} for an axis without, or null
 * @param scale the distances of two elements, or null
 */
record Calibration(
        @Nullable List<String> names,
        @Nullable List<String> units,
        @Nullable List<Double> scale) {
    static final Calibration NONE = new Calibration(null, null, null);

    Calibration withNames(List<String> told) {
        return new Calibration(told, units, scale);
    }

    Calibration withUnits(List<String> told) {
        return new Calibration(names, told, scale);
    }

    Calibration withScale(List<Double> told) {
        return new Calibration(names, units, told);
    }

    /** {@return whether units or scale are known} */
    boolean isMeasured() {
        return units != null || scale != null;
    }

    /**
     * {@return what the attributes of an array or group say about units and scale; what makes no sense says nothing}
     *
     * @param names the axes
     */
    static Calibration of(Map<String, @Nullable Object> attributes, List<String> names) {
        Optional<List<Double>> micrometers = numbers(attributes.get("element_size_um"), names, false);
        if (micrometers.isPresent()) {
            return new Calibration(null, sameUnit("micrometer", names), micrometers.get());
        }
        if (attributes.get("pixelResolution") instanceof Map<?, ?> resolution) {
            Optional<List<Double>> scale = numbers(resolution.get("dimensions"), names, true);
            if (scale.isPresent()) {
                return new Calibration(null, units(resolution.get("unit"), names), scale.get());
            }
        }
        for (String key : List.of("pixelResolution", "resolution")) {
            Optional<List<Double>> scale = numbers(attributes.get(key), names, true);
            if (scale.isPresent()) {
                Object units = attributes.get("units") instanceof List<?> list ? list : attributes.get("unit");
                return new Calibration(null, units(units, names), scale.get());
            }
        }
        return NONE;
    }

    /** {@return how many elements of the largest level one of this array covers along each axis, if it says so} */
    static Optional<List<Double>> factors(ArraySpec level, List<String> names) {
        return numbers(level.attributes().get("downsamplingFactors"), names, true);
    }

    /** {@return positive numbers for all axes in C order; 1 on others where there is one for each axis of space} */
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

    /** {@return units that are known; one text is for all axes of space} */
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
