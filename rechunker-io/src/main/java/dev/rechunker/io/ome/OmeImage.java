package dev.rechunker.io.ome;

import static dev.rechunker.io.ome.Metadata.object;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An image as OME metadata describe it: axes, levels, and how channels are shown.
 *
 * @param name the name; empty if it has none
 * @param axes the axes in C order
 * @param levels the levels, the largest first
 * @param channels the channels in order; empty if nothing is said of them
 */
public record OmeImage(String name, List<ImageAxis> axes, List<ImageLevel> levels, List<ImageChannel> channels) {
    private static final String CHANNELS = "channels";
    private static final int WHITE = 0xFFFFFF;

    /** Copies the lists. */
    public OmeImage {
        axes = List.copyOf(axes);
        levels = List.copyOf(levels);
        channels = List.copyOf(channels);
    }

    /**
     * An axis.
     *
     * @param name the name, such as t, c, z, y, x
     * @param unit the unit with its name in OME-Zarr; null if it has none
     */
    public record ImageAxis(String name, @Nullable String unit) {}

    /**
     * A level.
     *
     * @param path the path of its array below the group of the image
     * @param scale the distance of two elements on each axis
     * @param translation the position of the first element on each axis
     */
    public record ImageLevel(String path, List<Double> scale, List<Double> translation) {
        /** Copies the lists. */
        public ImageLevel {
            scale = List.copyOf(scale);
            translation = List.copyOf(translation);
        }

        /**
         * {@return a level that is smaller than the image, with elements in the middle of those of which they were
         * made}
         *
         * @param scale the distance of two elements of the image on each axis
         * @param first the position of the first element of the image on each axis
         * @param factors by how much the level is smaller on each axis
         */
        public static ImageLevel smaller(String path, List<Double> scale, List<Double> first, List<Double> factors) {
            LevelPlacement level = new LevelPlacement(decimals(scale), decimals(first))
                    .of(
                            factors,
                            factors.stream().map(factor -> (factor - 1) / 2).toList());
            return new ImageLevel(path, doubles(level.scale()), doubles(level.translation()));
        }
    }

    /**
     * How a channel is shown. Values that are not known are NaN: a target in OME-Zarr finds them, from a sample of the
     * elements.
     *
     * @param label the name; empty if it has none
     * @param color the colour of the largest value, as 0xRRGGBB
     * @param inverted whether the smallest value has this colour instead
     * @param active whether it is shown at first
     * @param min the smallest value that elements may have
     * @param max the largest one
     * @param start the value that is shown in black
     * @param end the value that is shown in the full colour
     */
    public record ImageChannel(
            String label,
            int color,
            boolean inverted,
            boolean active,
            double min,
            double max,
            double start,
            double end) {
        private Map<String, @Nullable Object> json() {
            Map<String, @Nullable Object> window = new LinkedHashMap<>();
            putKnown(window, "min", min);
            putKnown(window, "max", max);
            putKnown(window, "start", start);
            putKnown(window, "end", end);
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            if (!label.isEmpty()) {
                json.put("label", label);
            }
            json.put("color", HexFormat.of().withUpperCase().toHexDigits(color & WHITE, 6));
            json.put("active", active);
            json.put("inverted", inverted);
            json.put("coefficient", 1);
            json.put("family", "linear");
            if (!window.isEmpty()) {
                json.put("window", window);
            }
            return json;
        }

        private static void putKnown(Map<String, @Nullable Object> window, String name, double value) {
            if (!Double.isNaN(value)) {
                window.put(name, value == (long) value ? (Object) (long) value : (Object) value);
            }
        }

        private static Optional<ImageChannel> of(Map<String, @Nullable Object> json) {
            Map<String, @Nullable Object> window = object(json.get("window"));
            if (!(window.get("start") instanceof Number start) || !(window.get("end") instanceof Number end)) {
                return Optional.empty();
            }
            return Optional.of(new ImageChannel(
                    json.get("label") instanceof String label ? label : "",
                    color(json.get("color")),
                    Boolean.TRUE.equals(json.get("inverted")),
                    !Boolean.FALSE.equals(json.get("active")),
                    (window.get("min") instanceof Number min ? min : start).doubleValue(),
                    (window.get("max") instanceof Number max ? max : end).doubleValue(),
                    start.doubleValue(),
                    end.doubleValue()));
        }

        private static int color(@Nullable Object text) {
            try {
                return text instanceof String hex ? Integer.parseInt(hex, 16) & WHITE : WHITE;
            } catch (NumberFormatException e) {
                return WHITE;
            }
        }
    }

    /**
     * {@return the unit of a name or symbol with its name in OME-Zarr, {@code micrometer} for {@code um}; empty if
     * OME-Zarr does not have it}
     */
    public static Optional<String> unit(String text) {
        return Units.find(text);
    }

    /** {@return the colour that a channel has unless another is known, as 0xRRGGBB: white if it is the only one} */
    public static int usualColor(int channel, int channels) {
        return HexFormat.fromHexDigits(Omero.usualColor(channel, channels));
    }

    /**
     * {@return the factor by which an extent is smaller than another one: the integer by which that was divided,
     * rounded up or down, and otherwise the ratio}
     */
    public static double factor(long large, long small) {
        return Image.factor(large, small);
    }

    /**
     * {@return the image that a group or an array of any store is, by OME metadata; or that it would become in
     * OME-Zarr; empty if it would not}
     *
     * <p>An array that is a level of an image is an image with this level, whose path is empty.
     *
     * @param axes the names of the axes in C order, for a source without OME metadata; none to take those of its arrays
     * @throws StoreException if there are OME metadata of an unknown version, or with several images
     * @throws IllegalArgumentException if the axes do not fit
     */
    public static Optional<OmeImage> of(StoreLocation node, String... axes) throws IOException {
        ImageCalibration given =
                axes.length == 0 ? ImageCalibration.NONE : ImageCalibration.NONE.withNames(List.of(axes));
        Node found = node.store().node(node.path()).orElse(null);
        if (found instanceof GroupNode) {
            return described(new OmeView(node, OmeVersion.V0_5, given).at(""));
        }
        for (String path = node.path(); axes.length == 0 && !path.isEmpty(); ) {
            path = NodePaths.parent(path);
            String level = node.path().substring(path.isEmpty() ? 0 : path.length() + 1);
            Optional<OmeImage> image = described(node.store().at(path)).flatMap(above -> above.atLevel(level));
            if (image.isPresent()) {
                return image;
            }
        }
        try {
            return described(new OmeView(node, OmeVersion.V0_5, given).at("")).flatMap(image -> image.atLevel("0"));
        } catch (StoreException notAnImage) {
            return Optional.empty();
        }
    }

    private Optional<OmeImage> atLevel(String path) {
        return levels.stream()
                .filter(level -> level.path.equals(path))
                .findFirst()
                .map(level -> new OmeImage(
                        name, axes, List.of(new ImageLevel("", level.scale, level.translation)), channels));
    }

    private static Optional<OmeImage> described(StoreLocation group) throws IOException {
        if (!(group.store().node(group.path()).orElse(null) instanceof GroupNode node)) {
            return Optional.empty();
        }
        Optional<Metadata> metadata = Metadata.find(group, node.attributes());
        Optional<Multiscale> image = metadata.isPresent() ? metadata.get().image(group.toString()) : Optional.empty();
        if (image.isEmpty()) {
            return Optional.empty();
        }
        List<ImageAxis> axes = new ArrayList<>();
        for (Map<String, @Nullable Object> axis : image.get().axes()) {
            axes.add(new ImageAxis(
                    axis.get("name") instanceof String name ? name : "",
                    axis.get("unit") instanceof String unit ? unit : null));
        }
        List<ImageLevel> levels = new ArrayList<>();
        for (Map.Entry<String, LevelPlacement> level : image.get().placements().entrySet()) {
            levels.add(new ImageLevel(
                    level.getKey(),
                    doubles(level.getValue().scale()),
                    doubles(level.getValue().translation())));
        }
        String name = image.get().json().get("name") instanceof String text ? text : "";
        return Optional.of(
                new OmeImage(name, axes, levels, channels(metadata.get().member(Omero.MEMBER))));
    }

    private static List<Double> doubles(List<BigDecimal> numbers) {
        return numbers.stream().map(BigDecimal::doubleValue).toList();
    }

    /** {@return the channels of a member {@code omero}; none if one of them does not say which values are shown} */
    private static List<ImageChannel> channels(@Nullable Object omero) {
        List<ImageChannel> channels = new ArrayList<>();
        for (Object item : object(omero).get(CHANNELS) instanceof List<?> list ? list : List.of()) {
            Optional<ImageChannel> channel = ImageChannel.of(object(item));
            if (channel.isEmpty()) {
                return List.of();
            }
            channels.add(channel.get());
        }
        return channels;
    }

    /** {@return the attributes of the group of the image, in version 0.5} */
    public Map<String, @Nullable Object> attributes() {
        List<Object> datasets = new ArrayList<>();
        for (ImageLevel level : levels) {
            datasets.add(new LevelPlacement(decimals(level.scale), decimals(level.translation)).dataset(level.path));
        }
        Map<String, @Nullable Object> multiscale = new LinkedHashMap<>();
        multiscale.put("name", name);
        multiscale.put(
                "axes",
                axes.stream().map(axis -> new Axis(axis.name, axis.unit).json()).toList());
        multiscale.put("datasets", datasets);
        Optional<Map<String, @Nullable Object>> omero = channels.isEmpty() ? Optional.empty() : Optional.of(omero());
        return Metadata.create(List.of(multiscale), omero, Map.of(), OmeVersion.V0_5)
                .attributes();
    }

    private Map<String, @Nullable Object> omero() {
        boolean grey = channels.stream().allMatch(channel -> channel.color == WHITE);
        Map<String, @Nullable Object> omero = new LinkedHashMap<>();
        omero.put(CHANNELS, channels.stream().map(ImageChannel::json).toList());
        omero.put("rdefs", Map.of("model", grey ? "greyscale" : "color"));
        return omero;
    }

    private static List<BigDecimal> decimals(List<Double> numbers) {
        return numbers.stream().map(BigDecimal::valueOf).toList();
    }
}
