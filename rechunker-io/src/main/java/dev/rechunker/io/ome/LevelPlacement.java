package dev.rechunker.io.ome;

import dev.rechunker.store.StoreException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of a level are: the transformations of its dataset. Numbers are decimals, so that a third of 0.3
 * is 0.1.
 *
 * @param scale the distance of two elements, on each axis
 * @param translation the position of the first element, on each axis
 */
record LevelPlacement(List<BigDecimal> scale, List<BigDecimal> translation) {
    private static final String TRANSFORMATIONS = "coordinateTransformations";

    /** {@return the placement of a level whose first element is at the origin} */
    static LevelPlacement of(List<Double> scale) {
        return new LevelPlacement(
                scale.stream().map(BigDecimal::valueOf).toList(), Collections.nCopies(scale.size(), BigDecimal.ZERO));
    }

    /**
     * {@return the placement by the transformations of an object of the metadata; without any, distances are 1}
     *
     * @param where the name of the object, for messages
     * @throws StoreException if they are no scale and translation with a number for each axis
     */
    static LevelPlacement of(String where, Map<String, @Nullable Object> holder, int axes) throws StoreException {
        List<BigDecimal> scale = Collections.nCopies(axes, BigDecimal.ONE);
        List<BigDecimal> translation = Collections.nCopies(axes, BigDecimal.ZERO);
        for (Object item : holder.get(TRANSFORMATIONS) instanceof List<?> list ? list : List.of()) {
            Object type = item instanceof Map<?, ?> map ? map.get("type") : null;
            if ("scale".equals(type)) {
                scale = numbers(where, "scale", item, axes);
                translation = times(translation, scale);
            } else if ("translation".equals(type)) {
                translation = plus(translation, numbers(where, "translation", item, axes));
            } else if (!"identity".equals(type)) {
                throw new StoreException(where + " has the transformation " + item
                        + ", but levels can be made only of what has a scale and a translation");
            }
        }
        return new LevelPlacement(scale, translation);
    }

    private static List<BigDecimal> numbers(String where, String type, Object transformation, int axes)
            throws StoreException {
        List<BigDecimal> numbers = new ArrayList<>();
        Object values = ((Map<?, ?>) transformation).get(type);
        for (Object value : values instanceof List<?> list ? list : List.of()) {
            if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
                numbers.add(new BigDecimal(number.toString()));
            }
        }
        if (numbers.size() != axes || !(values instanceof List<?> list) || list.size() != axes) {
            throw new StoreException(where + " has the " + type + " " + values + ", which is not a number for each of "
                    + axes + " axes");
        }
        return numbers;
    }

    /** {@return the placement of a level that is made of this one} */
    LevelPlacement of(MadeLevel level) {
        return of(level.factors(), level.shifts());
    }

    /**
     * {@return the placement of a level that is made of this one}
     *
     * @param shifts the distance of its first element from the first of this one, in elements of this one
     */
    LevelPlacement of(List<Double> factors, List<Double> shifts) {
        return new LevelPlacement(
                times(scale, factors.stream().map(BigDecimal::valueOf).toList()),
                plus(
                        translation,
                        times(scale, shifts.stream().map(BigDecimal::valueOf).toList())));
    }

    /** {@return this placement, transformed by that of the whole image} */
    LevelPlacement within(LevelPlacement image) {
        return new LevelPlacement(times(scale, image.scale), plus(times(translation, image.scale), image.translation));
    }

    private static List<BigDecimal> times(List<BigDecimal> one, List<BigDecimal> other) {
        List<BigDecimal> products = new ArrayList<>();
        for (int axis = 0; axis < one.size(); axis++) {
            products.add(one.get(axis).multiply(other.get(axis)));
        }
        return products;
    }

    private static List<BigDecimal> plus(List<BigDecimal> one, List<BigDecimal> other) {
        List<BigDecimal> sums = new ArrayList<>();
        for (int axis = 0; axis < one.size(); axis++) {
            sums.add(one.get(axis).add(other.get(axis)));
        }
        return sums;
    }

    /** {@return an object of the metadata for an array with this placement; a translation only if it is not zero} */
    Map<String, @Nullable Object> dataset(String path) {
        List<Object> transformations = new ArrayList<>();
        transformations.add(transformation("scale", scale));
        if (translation.stream().anyMatch(distance -> distance.signum() != 0)) {
            transformations.add(transformation("translation", translation));
        }
        Map<String, @Nullable Object> dataset = new LinkedHashMap<>();
        dataset.put("path", path);
        dataset.put(TRANSFORMATIONS, transformations);
        return dataset;
    }

    private static Map<String, @Nullable Object> transformation(String type, List<BigDecimal> values) {
        Map<String, @Nullable Object> transformation = new LinkedHashMap<>();
        transformation.put("type", type);
        transformation.put(type, values.stream().map(BigDecimal::doubleValue).toList());
        return transformation;
    }
}
