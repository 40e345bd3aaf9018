package dev.rechunker.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The multiscale images of a group, read from the OME metadata in its attributes. */
final class Multiscales {
    private Multiscales() {}

    /** {@return the version, name, axes and levels of each image; empty if the group is not an image} */
    static List<Map<String, @Nullable Object>> of(Map<String, @Nullable Object> attributes) {
        Map<?, ?> ome = attributes.get("ome") instanceof Map<?, ?> map ? map : attributes;
        List<Map<String, @Nullable Object>> images = new ArrayList<>();
        for (Map<?, ?> multiscale : objects(ome.get("multiscales"))) {
            Map<String, @Nullable Object> info = new LinkedHashMap<>();
            info.put("version", multiscale.containsKey("version") ? multiscale.get("version") : ome.get("version"));
            info.put("name", multiscale.get("name"));
            info.put(
                    "axes",
                    objects(multiscale.get("axes")).stream()
                            .map(Multiscales::axis)
                            .toList());
            info.put(
                    "levels",
                    objects(multiscale.get("datasets")).stream()
                            .map(dataset -> String.valueOf(dataset.get("path")))
                            .toList());
            images.add(info);
        }
        return images;
    }

    private static String axis(Map<?, ?> axis) {
        return axis.get("name") + (axis.get("unit") == null ? "" : " (" + axis.get("unit") + ")");
    }

    private static List<Map<?, ?>> objects(@Nullable Object list) {
        List<Map<?, ?>> objects = new ArrayList<>();
        for (Object item : list instanceof List<?> items ? items : List.of()) {
            if (item instanceof Map<?, ?> object) {
                objects.add(object);
            }
        }
        return objects;
    }
}
