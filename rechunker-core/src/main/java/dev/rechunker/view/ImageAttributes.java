package dev.rechunker.view;

import dev.rechunker.array.ArraySpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attributes that say something of the axes of arrays, as they are of a view: the images of OME-Zarr, and distances of
 * elements as in N5 and by ilastik. What cannot be said of the view is left out, or noted.
 *
 * <p>Attributes have no negative distances. Of a reversed axis, they say where its elements are without the direction.
 */
final class ImageAttributes {
    private static final String TRANSFORMATIONS = "coordinateTransformations";

    /** The attributes with a number for each axis, x first, that is the distance of two elements. */
    private static final Set<String> DISTANCES = Set.of("resolution", "pixelResolution");

    /** The other attributes with something for each axis, x first. */
    private static final Set<String> OF_AXES = Set.of(LevelsView.FACTORS, "units", "axes");

    private final List<String> notes = new ArrayList<>();

    /**
     * An array and its view.
     *
     * @param spec the array
     * @param geometry what the view shows of it
     */
    record Shown(ArraySpec spec, Geometry geometry) {
        /** {@return whether the view shows the array as it is} */
        boolean isWhole() {
            return geometry.isIdentity(spec.shape());
        }
    }

    /** {@return what the attributes do not say of the view, or say wrongly} */
    List<String> notes() {
        return notes;
    }

    /** {@return the attributes of an array as they are of its view} */
    Map<String, @Nullable Object> ofArray(Map<String, @Nullable Object> attributes, Shown shown) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>();
        attributes.forEach((key, value) -> {
            if (DISTANCES.contains(key) && value instanceof Map<?, ?> parts) {
                Map<String, @Nullable Object> object = new LinkedHashMap<>(object(parts));
                object.computeIfPresent("dimensions", (name, list) -> ofAxes(key, list, shown, true, true));
                changed.put(key, object);
                return;
            }
            boolean inOrder = key.equals(Images.ELEMENT_SIZE);
            boolean distances = DISTANCES.contains(key) || inOrder;
            boolean known = distances || OF_AXES.contains(key);
            Object kept = known ? ofAxes(key, value, shown, distances, !inOrder) : value;
            if (kept != null || value == null) {
                changed.put(key, kept);
            }
        });
        return changed;
    }

    /** {@return the value of an attribute with one item for each axis; null if it cannot be said of the view} */
    private @Nullable Object ofAxes(
            String key, @Nullable Object value, Shown shown, boolean distances, boolean xFirst) {
        if (!(value instanceof List<?> list)) {
            return value;
        }
        int rank = shown.spec.shape().rank();
        if (list.size() != rank) {
            notes.add("the attribute \"" + key + "\" is not kept, as it has " + list.size() + " items for " + rank
                    + " axes, which are others in the view");
            return null;
        }
        Geometry geometry = shown.geometry;
        @Nullable Object[] changed = new Object[geometry.rank()];
        for (int axis = 0; axis < geometry.rank(); axis++) {
            int from = geometry.axis(axis);
            Object item;
            if (from >= 0) {
                item = list.get(xFirst ? rank - 1 - from : from);
                item = distances ? scaled(item, distance(geometry.indices(axis))) : item;
            } else {
                Object any = list.isEmpty() ? 1L : list.get(0);
                String name = geometry.name(axis);
                item = any instanceof Number ? 1L : key.equals("axes") && name != null ? name : "";
            }
            changed[xFirst ? geometry.rank() - 1 - axis : axis] = item;
        }
        List<@Nullable Object> all = new ArrayList<>();
        for (Object item : changed) {
            all.add(item);
        }
        return all;
    }

    /**
     * {@return the attributes of a group as they are of the views of arrays in it}
     *
     * @param arrays the arrays that the view changes, by their paths below the group
     */
    Map<String, @Nullable Object> ofGroup(
            Map<String, @Nullable Object> attributes, Function<String, Optional<Shown>> arrays) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(attributes);
        changed.computeIfPresent("ome", (key, ome) -> ome instanceof Map<?, ?> ? images(object(ome), arrays) : ome);
        return images(changed, arrays);
    }

    private Map<String, @Nullable Object> images(
            Map<String, @Nullable Object> members, Function<String, Optional<Shown>> arrays) {
        if (!(members.get(Images.MULTISCALES) instanceof List<?> images)) {
            return members;
        }
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(members);
        List<@Nullable Object> all = new ArrayList<>();
        for (Object item : images) {
            Optional<Shown> largest = datasets(item).stream()
                    .flatMap(dataset -> array(dataset, arrays).stream())
                    .findFirst();
            if (largest.isEmpty()) {
                all.add(item);
                continue;
            }
            all.add(image(object(item), largest.get(), arrays));
            changed.computeIfPresent(
                    "omero",
                    (key, omero) ->
                            omero instanceof Map<?, ?> ? omero(object(omero), object(item), largest.get()) : omero);
        }
        changed.put(Images.MULTISCALES, all);
        return changed;
    }

    private static List<Map<String, @Nullable Object>> datasets(@Nullable Object image) {
        List<Map<String, @Nullable Object>> datasets = new ArrayList<>();
        for (Object item : object(image).get("datasets") instanceof List<?> items ? items : List.of()) {
            datasets.add(object(item));
        }
        return datasets;
    }

    private static Optional<Shown> array(
            Map<String, @Nullable Object> dataset, Function<String, Optional<Shown>> arrays) {
        return dataset.get("path") instanceof String path ? arrays.apply(path) : Optional.empty();
    }

    private Map<String, @Nullable Object> image(
            Map<String, @Nullable Object> image, Shown largest, Function<String, Optional<Shown>> arrays) {
        Geometry geometry = largest.geometry;
        if (image.containsKey("axes")
                && (!(image.get("axes") instanceof List<?> axes)
                        || axes.size() != largest.spec.shape().rank())) {
            notes.add("the axes of its multiscales do not match those of its array, and are not changed");
            return image;
        }
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(image);
        if (image.get("axes") instanceof List<?> axes) {
            List<@Nullable Object> shown = new ArrayList<>();
            for (int axis = 0; axis < geometry.rank(); axis++) {
                int from = geometry.axis(axis);
                shown.add(from >= 0 ? axes.get(from) : newAxis(geometry.name(axis), axes));
                if (from >= 0) {
                    note(geometry.indices(axis), axes.get(from));
                }
            }
            changed.put("axes", shown);
        }
        changed.computeIfPresent(TRANSFORMATIONS, (key, list) -> transformations(list, largest, false));
        List<@Nullable Object> levels = new ArrayList<>();
        for (Map<String, @Nullable Object> dataset : datasets(image)) {
            Map<String, @Nullable Object> level = new LinkedHashMap<>(dataset);
            Shown shown = array(dataset, arrays).orElse(largest);
            level.computeIfPresent(TRANSFORMATIONS, (key, list) -> transformations(list, shown, true));
            levels.add(level);
        }
        changed.put("datasets", levels);
        return changed;
    }

    private void note(Indices shown, @Nullable Object axis) {
        Object name = axis instanceof Map<?, ?> object ? object.get("name") : axis;
        if (shown.count() > 1 && !shown.isEven()) {
            notes.add("the elements of its axis " + name + " have different distances, which its metadata cannot say");
        } else if (shown.count() > 1 && shown.stepAt(0) < 0) {
            notes.add("its axis " + name + " is reversed, but its metadata say where elements are as if it were not");
        }
    }

    private static Object newAxis(@Nullable String name, List<?> others) {
        String called = name == null ? "" : name;
        if (others.stream().anyMatch(String.class::isInstance)) {
            return called;
        }
        Map<String, @Nullable Object> axis = new LinkedHashMap<>();
        axis.put("name", called);
        String type = switch (called.toLowerCase(Locale.ROOT)) {
            case "t", "time" -> "time";
            case "c", "ch", "channel" -> "channel";
            case "z", "y", "x" -> "space";
            default -> "";
        };
        if (!type.isEmpty()) {
            axis.put("type", type);
        }
        return axis;
    }

    /**
     * {@return the transformations of the elements of a view}
     *
     * @param ofElements whether they are from the indices of elements; otherwise from what others have made of them
     */
    private List<@Nullable Object> transformations(@Nullable Object value, Shown shown, boolean ofElements) {
        int rank = shown.spec.shape().rank();
        List<@Nullable Object> changed = new ArrayList<>();
        List<?> scale = List.of();
        boolean moved = false;
        for (Object item : value instanceof List<?> items ? items : List.of()) {
            Map<String, @Nullable Object> transformation = new LinkedHashMap<>(object(item));
            for (String kind : List.of("scale", "translation")) {
                Object numbers = transformation.get(kind);
                if (numbers instanceof List<?> list && list.size() == rank) {
                    boolean isScale = kind.equals("scale");
                    scale = isScale ? list : scale;
                    moved |= !isScale;
                    transformation.put(kind, numbers(list, scale, shown.geometry, isScale, ofElements));
                } else if (numbers != null || transformation.containsKey("path")) {
                    notes.add("its coordinateTransformations are not those of its axes, and are not changed");
                    return value instanceof List<?> same ? new ArrayList<>(same) : changed;
                }
            }
            changed.add(transformation);
        }
        if (ofElements && !moved && !scale.isEmpty() && startsLater(shown.geometry)) {
            List<Long> zeros = new ArrayList<>();
            scale.forEach(number -> zeros.add(0L));
            Map<String, @Nullable Object> translation = new LinkedHashMap<>();
            translation.put("type", "translation");
            translation.put("translation", numbers(zeros, scale, shown.geometry, false, true));
            changed.add(translation);
        }
        return changed;
    }

    private static boolean startsLater(Geometry geometry) {
        for (int axis = 0; axis < geometry.rank(); axis++) {
            Indices shown = geometry.indices(axis);
            if (geometry.axis(axis) >= 0 && shown.count() > 0 && shown.least(0, shown.count()) > 0) {
                return true;
            }
        }
        return false;
    }

    private static List<@Nullable Object> numbers(
            List<?> list, List<?> scale, Geometry geometry, boolean isScale, boolean ofElements) {
        List<@Nullable Object> numbers = new ArrayList<>();
        for (int axis = 0; axis < geometry.rank(); axis++) {
            int from = geometry.axis(axis);
            Indices shown = geometry.indices(axis);
            if (from < 0) {
                numbers.add(isScale ? 1.0 : 0.0);
            } else if (!ofElements || shown.count() == 0) {
                numbers.add(list.get(from));
            } else if (isScale) {
                numbers.add(scaled(list.get(from), distance(shown)));
            } else {
                long first = shown.least(0, shown.count());
                double step = from < scale.size() && scale.get(from) instanceof Number one ? one.doubleValue() : 1;
                Object before = list.get(from);
                numbers.add(first > 0 && before instanceof Number number ? moved(number, first * step) : before);
            }
        }
        return numbers;
    }

    private static @Nullable Object moved(Number before, double by) {
        return before.doubleValue() + by;
    }

    private static long distance(Indices shown) {
        return shown.count() > 1 ? Math.abs(shown.stepAt(0)) : 1;
    }

    private static @Nullable Object scaled(@Nullable Object number, long factor) {
        return factor <= 1 || !(number instanceof Number one) ? number : (Object) (one.doubleValue() * factor);
    }

    /** {@return how viewers show a view: the channels that are left, and what is shown first, if it is left} */
    private Map<String, @Nullable Object> omero(
            Map<String, @Nullable Object> omero, Map<String, @Nullable Object> image, Shown shown) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(omero);
        int channel = axis(image, "type", "channel", "c");
        if (omero.get("channels") instanceof List<?> channels
                && channel >= 0
                && channels.size() == shown.spec.shape().extent(channel)) {
            List<@Nullable Object> left = new ArrayList<>();
            Indices indices = shown.geometry.shown(channel);
            for (long i = 0; i < indices.count(); i++) {
                left.add(channels.get((int) indices.at(i)));
            }
            changed.put("channels", left);
        }
        if (omero.get("rdefs") instanceof Map<?, ?> first) {
            Map<String, @Nullable Object> defaults = new LinkedHashMap<>(object(first));
            putFirst(defaults, "defaultZ", axis(image, "name", "z", "z"), shown);
            putFirst(defaults, "defaultT", axis(image, "name", "t", "t"), shown);
            changed.put("rdefs", defaults);
        }
        return changed;
    }

    /** Puts the new index of the plane that is shown first; removes it if that is not left. */
    private static void putFirst(Map<String, @Nullable Object> defaults, String key, int axis, Shown shown) {
        if (axis < 0 || !(defaults.get(key) instanceof Number plane)) {
            return;
        }
        Indices indices = shown.geometry.shown(axis);
        defaults.remove(key);
        for (long i = 0; i < indices.count(); i++) {
            if (indices.at(i) == plane.longValue()) {
                defaults.put(key, i);
                return;
            }
        }
    }

    /** {@return the axis of an image that is described by an object with a member, or by a text; -1 if none is} */
    private static int axis(Map<String, @Nullable Object> image, String member, String value, String text) {
        List<?> axes = image.get("axes") instanceof List<?> list ? list : List.of();
        for (int axis = 0; axis < axes.size(); axis++) {
            Object item = axes.get(axis);
            Object said = item instanceof Map<?, ?> object ? object.get(member) : item;
            if (value.equals(said) || text.equals(said)) {
                return axis;
            }
        }
        return -1;
    }

    /** {@return a value as an object; an empty object if it is none} */
    @SuppressWarnings("unchecked") // attributes are plain data, whose keys are strings
    private static Map<String, @Nullable Object> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
    }
}
