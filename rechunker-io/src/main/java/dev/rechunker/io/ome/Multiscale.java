package dev.rechunker.io.ome;

import static dev.rechunker.io.ome.Metadata.object;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.FormatRules;
import dev.rechunker.store.StoreException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An image of the OME metadata of a group, of which new levels are made.
 *
 * @param where the name of the group, for messages
 * @param json the object in {@code multiscales}
 * @param axes the objects of its axes
 * @param datasets the objects of its levels, the largest first
 */
record Multiscale(
        String where,
        Map<String, @Nullable Object> json,
        List<Map<String, @Nullable Object>> axes,
        List<Map<String, @Nullable Object>> datasets) {
    /** What the member {@code metadata} says of the method by which levels were made. */
    private static final Set<String> OF_METHOD = Set.of("description", "method", "version", "args", "kwargs");

    /**
     * {@return the image of a member {@code multiscales}}
     *
     * @throws StoreException if it has several images, or one without levels or axes
     */
    static Multiscale of(String where, List<?> multiscales) throws StoreException {
        if (multiscales.size() != 1) {
            throw new StoreException(where + " has " + multiscales.size()
                    + " images in its multiscales, but levels are made only of groups with one; copy it without");
        }
        Map<String, @Nullable Object> json = object(multiscales.get(0));
        Multiscale image = new Multiscale(where, json, objects(json.get("axes")), objects(json.get("datasets")));
        if (image.datasets.isEmpty() || image.paths().size() != image.datasets.size()) {
            throw new StoreException(where + " has OME metadata without levels, or with one that has no path");
        }
        return image;
    }

    private static List<Map<String, @Nullable Object>> objects(@Nullable Object list) {
        List<Map<String, @Nullable Object>> objects = new ArrayList<>();
        for (Object item : list instanceof List<?> items ? items : List.of()) {
            objects.add(object(item));
        }
        return objects;
    }

    /** {@return the paths of the levels below the group, the largest first} */
    List<String> paths() {
        return datasets.stream()
                .map(dataset -> dataset.get("path"))
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .toList();
    }

    /**
     * {@return what is known of the image, to make levels of it}
     *
     * @param largest the largest level
     * @param labels whether elements are labels
     * @throws StoreException if its axes or transformations are not those of the largest level
     */
    FormatRules.Image image(ArraySpec largest, boolean labels) throws StoreException {
        int rank = largest.shape().rank();
        if (axes.size() != rank) {
            throw new StoreException(where + " has " + axes.size() + " axes in its OME metadata, but its level "
                    + paths().get(0) + " has " + rank + ": " + largest.shape());
        }
        List<BigDecimal> outer = LevelPlacement.of(where, json, rank).scale();
        List<BigDecimal> scale = first(rank).scale();
        List<Double> distances = new ArrayList<>();
        List<@Nullable String> units = new ArrayList<>();
        List<Boolean> space = new ArrayList<>();
        for (int axis = 0; axis < rank; axis++) {
            distances.add(scale.get(axis).multiply(outer.get(axis)).doubleValue());
            units.add(axes.get(axis).get("unit") instanceof String unit ? unit : null);
            space.add(isSpace(axes.get(axis)));
        }
        return new FormatRules.Image(paths(), Units.axes(space, distances, units), labels);
    }

    /** {@return where the elements of each level are, by its path, the largest first} */
    Map<String, LevelPlacement> placements() throws StoreException {
        LevelPlacement all = LevelPlacement.of(where, json, axes.size());
        Map<String, LevelPlacement> placements = new LinkedHashMap<>();
        for (int level = 0; level < datasets.size(); level++) {
            placements.put(
                    paths().get(level),
                    LevelPlacement.of(where, datasets.get(level), axes.size()).within(all));
        }
        return placements;
    }

    private static boolean isSpace(Map<String, @Nullable Object> axis) {
        return axis.get("type") instanceof String type
                ? type.equals("space")
                : axis.get("name") instanceof String name && new Axis(name, null).type() == Axis.Type.SPACE;
    }

    private LevelPlacement first(int rank) throws StoreException {
        return LevelPlacement.of(where, datasets.get(0), rank);
    }

    /**
     * {@return the object in {@code multiscales} with new levels}
     *
     * @param levels the levels by path, the largest first
     */
    Map<String, @Nullable Object> with(Map<String, ArraySpec> levels) throws StoreException {
        List<Object> all = new ArrayList<>();
        LevelPlacement first = first(axes.size());
        for (Map.Entry<String, ArraySpec> level : levels.entrySet()) {
            Optional<MadeLevel> made = MadeLevel.of(level.getValue());
            if (made.isPresent()) {
                all.add(first.of(made.get()).dataset(level.getKey()));
            } else {
                Map<String, @Nullable Object> kept = new LinkedHashMap<>(datasets.get(0));
                kept.put("path", level.getKey());
                kept.putIfAbsent(
                        "coordinateTransformations",
                        Objects.requireNonNull(first.dataset("").get("coordinateTransformations")));
                all.add(kept);
            }
        }
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(json);
        changed.put("datasets", all);
        MadeLevel.any(levels).ifPresent(made -> {
            Map<String, @Nullable Object> metadata = new LinkedHashMap<>(made.metadata());
            object(json.get("metadata")).forEach((key, value) -> {
                if (!OF_METHOD.contains(key)) {
                    metadata.put(key, value);
                }
            });
            changed.put("type", made.method());
            changed.put("metadata", metadata);
        });
        return changed;
    }
}
