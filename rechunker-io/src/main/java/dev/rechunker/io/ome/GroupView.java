package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.view.Images;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A group of the source as it is written to OME-Zarr.
 *
 * @param written the attributes
 * @param governed whether OME metadata of this group or of one above describe all nodes below
 * @param levels the arrays that are levels of images of this group, by their paths below the group
 * @param images the arrays directly in the group that become images of their own, by name
 * @param plain the reasons why other arrays directly in the group do not become images, by name
 */
record GroupView(
        Metadata.Written written,
        boolean governed,
        Map<String, Level> levels,
        Map<String, ArrayImage> images,
        Map<String, String> plain) {
    /**
     * The axes of an image, for an array that is a level of it.
     *
     * @param axes the names of the image's axes; empty if they are unknown
     * @param named whether they become the dimension names of the array
     */
    record Level(List<String> axes, boolean named) {
        /** The value for an array that is not a level. */
        static final Level NONE = new Level(List.of(), false);

        private boolean fits(ArraySpec spec) {
            return axes.isEmpty() || axes.size() == spec.shape().rank();
        }

        /** {@return the spec of the array as it is written} */
        ArraySpec of(ArraySpec spec) {
            return named && !axes.isEmpty() && fits(spec)
                    ? spec.toBuilder().dimensionNames(axes).build()
                    : spec;
        }

        /** {@return a message about properties of the array or its image that are not kept} */
        Optional<String> note(ArraySpec spec) {
            if (!fits(spec)) {
                return Optional.of("the axes " + axes + " of its image do not match its shape " + spec.shape()
                        + (named ? ", and do not become dimension names" : ""));
            }
            List<String> before = spec.dimensionNames();
            return before.isEmpty() || before.equals(of(spec).dimensionNames())
                    ? Optional.empty()
                    : Optional.of("the dimension names " + before + " become the axes of its image, " + axes);
        }
    }

    /**
     * An array that becomes an image.
     *
     * @param attributes the attributes of the image's group
     * @param level the array as a level of the image
     */
    record ArrayImage(Map<String, @Nullable Object> attributes, Level level) {
        /** The path of the array below the group. */
        static final String LEVEL = "0";

        /** The path of the next level, if levels are made of the array. */
        static final String SECOND = "1";

        static ArrayImage of(Source source, String name, ArraySpec spec, Map<String, @Nullable Object> group)
                throws StoreException {
            Image image = Image.of(source.where(), spec, group, source.given());
            List<Object> multiscales = image.multiscales(name, Map.of(LEVEL, spec));
            return new ArrayImage(
                    Metadata.create(multiscales, omero(source, image, spec), Map.of(), source.version())
                            .attributes(),
                    new Level(image.names(), true));
        }
    }

    /**
     * A node of the source, and the settings of the target.
     *
     * @param place the location of the node
     * @param version the version that is written
     * @param given the calibration of images that the caller has given
     */
    record Source(StoreLocation place, OmeVersion version, ImageCalibration given) {
        /** {@return the name of the node, for messages} */
        String where() {
            return place.toString();
        }

        Source below(String name) {
            return new Source(place.resolve(name), version, given);
        }
    }

    private static GroupView of(Metadata.Written written, boolean governed, Map<String, Level> levels) {
        return new GroupView(written, governed, levels, Map.of(), Map.of());
    }

    /**
     * {@return a group that has OME metadata, or is below one that has}
     *
     * @param arrays the arrays of the group if some are levels that are made by the copy, the largest first; else none
     */
    static GroupView governed(
            Source source,
            Map<String, @Nullable Object> attributes,
            Optional<Metadata> metadata,
            Map<String, ArraySpec> arrays)
            throws StoreException {
        if (metadata.isEmpty()) {
            return of(new Metadata.Written(attributes, List.of()), true, Map.of());
        }
        if (!source.given().equals(ImageCalibration.NONE)) {
            throw new IllegalArgumentException(source.where()
                    + " has OME metadata, which are kept; give axes, units and scale only for sources without");
        }
        boolean named = source.version() == OmeVersion.V0_5 && metadata.get().isOf(OmeVersion.V0_4);
        Metadata written = metadata.get().withLevels(source.where(), arrays);
        written.requireOrder(source.where());
        Map<String, Level> levels = new LinkedHashMap<>();
        written.levels().forEach((path, axes) -> levels.put(path, new Level(axes, named)));
        return of(written.in(source.version()), true, levels);
    }

    /**
     * {@return a group without OME metadata, for which they are created}
     *
     * @param calibration the attributes that may have units and scale of arrays in the group
     * @param arrays the arrays directly in the group
     */
    static GroupView withCreatedMetadata(
            Source source,
            Map<String, @Nullable Object> attributes,
            Map<String, @Nullable Object> calibration,
            Map<String, ArraySpec> arrays) {
        Map<String, ArraySpec> pyramid = Images.pyramid(arrays);
        if (!pyramid.isEmpty()) {
            Map.Entry<String, ArraySpec> largest = pyramid.entrySet().iterator().next();
            try {
                String where = source.below(largest.getKey()).where();
                Image image = Image.of(where, largest.getValue(), calibration, source.given());
                Map<String, Level> levels = new LinkedHashMap<>();
                pyramid.keySet().forEach(level -> levels.put(level, new Level(image.names(), true)));
                List<Object> multiscales = image.multiscales(Metadata.nameOf(source.place()), pyramid);
                Optional<Map<String, @Nullable Object>> omero = omero(source, image, largest.getValue());
                return of(Metadata.create(multiscales, omero, attributes, source.version()), true, levels);
            } catch (StoreException e) {
                return of(new Metadata.Written(attributes, List.of(notAnImage(e))), false, Map.of());
            }
        }
        Map<String, ArrayImage> images = new TreeMap<>();
        Map<String, String> plain = new TreeMap<>();
        arrays.forEach((array, spec) -> {
            try {
                images.put(array, ArrayImage.of(source.below(array), array, spec, calibration));
            } catch (StoreException e) {
                plain.put(array, notAnImage(e));
            }
        });
        return new GroupView(new Metadata.Written(attributes, List.of()), false, Map.of(), images, plain);
    }

    /** {@return how viewers show an image that is no image of labels} */
    private static Optional<Map<String, @Nullable Object>> omero(Source source, Image image, ArraySpec largest) {
        return Images.isBelowLabels(source.place()) ? Optional.empty() : Omero.of(image.axes(), largest);
    }

    private static String notAnImage(StoreException why) {
        return "does not become an image, and is copied unchanged: " + why.getMessage();
    }
}
