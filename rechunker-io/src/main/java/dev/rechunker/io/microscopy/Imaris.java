package dev.rechunker.io.microscopy;

import dev.rechunker.geometry.Shape;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.ome.OmeImage;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Shows a file of Imaris ({@code .ims}), which is HDF5, as an image: a group with OME metadata at the root, and its
 * levels {@code 0}, {@code 1} and so on with the axes t, c, z, y, x, without padding. Other objects of the file are
 * found at their own paths, such as {@code DataSetInfo/Image}.
 */
public final class Imaris {
    private static final String MARK = "ImarisDataSet";
    private static final List<String> SPACE = List.of("x", "y", "z");
    private static final MathContext PRECISION = new MathContext(12);
    private static final int MOST = 1 << 20;

    private final ChunkStore file;
    private final String data;
    private final StoreLocation info;
    private final ImageStore.Contents contents = new ImageStore.Contents();

    private Imaris(ChunkStore file, String data, String info) {
        this.file = file;
        this.data = data;
        this.info = file.at(info);
    }

    /**
     * {@return the store of an HDF5 file as an image if it is a file of Imaris, and otherwise as it is}
     *
     * @param file a store of HDF5, which is closed with the view
     */
    public static ChunkStore view(ChunkStore file) throws IOException {
        Map<String, @Nullable Object> root;
        try {
            root = attributes(file.at(""));
        } catch (StoreException e) {
            return file; // is reported when the root is used
        }
        if (text(root, MARK).isEmpty()) {
            return file;
        }
        String data = text(root, "DataSetDirectoryName").orElse("DataSet");
        String info = text(root, "DataSetInfoDirectoryName").orElse("DataSetInfo");
        return new ImageStore(file, "", file.descriptor(), () -> load(file, data, info));
    }

    private static ImageStore.Contents load(ChunkStore file, String data, String info) throws IOException {
        try {
            ChunkStore.requirePath(data);
            ChunkStore.requirePath(info);
        } catch (IllegalArgumentException e) {
            throw refusal(file.name(), "its names of groups are \"" + data + "\" and \"" + info + "\"");
        }
        return new Imaris(file, data, info).load();
    }

    private static StoreException refusal(String where, String problem) {
        return new StoreException(where + " is a file of Imaris, but " + problem);
    }

    private ImageStore.Contents load() throws IOException {
        int times = count(level(0), "TimePoint ");
        int channels = count(NodePaths.below(level(0), "TimePoint 0"), "Channel ");
        List<Shape> sizes = new ArrayList<>();
        for (int level = 0; attributesIfAny(file.at(level(level))).isPresent(); level++) {
            sizes.add(size(level));
            List<StoreLocation> members = new ArrayList<>();
            for (int time = 0; time < times; time++) {
                for (int channel = 0; channel < channels; channel++) {
                    members.add(file.at(member(level, time, channel)).resolve("Data"));
                }
            }
            contents.add(Integer.toString(level), new StackedLevel(members, channels, sizes.get(level), false));
        }
        Shape largest = sizes.get(0);
        StackDescription image = new StackDescription();
        for (Shape size : sizes) {
            image.addLevel(
                    factor(largest.extent(0), size.extent(0)),
                    factor(largest.extent(1), size.extent(1)),
                    factor(largest.extent(2), size.extent(2)));
        }
        Map<String, @Nullable Object> stated = attributes(info.resolve("Image"));
        describeSpace(image, stated, largest);
        describeChannels(image, channels);
        describeTimes(image, times);
        String name = text(stated, "Name")
                .filter(text -> !text.isBlank())
                .orElseGet(() -> NodePaths.leaf(file.name().replace('\\', '/')));
        contents.add("", image.attributes(name));
        omit();
        return contents;
    }

    /** {@return by how much a level is smaller: usually axes are halved, and rounded up or down} */
    private static double factor(long large, long small) {
        for (long halved = 1; halved <= large; halved *= 2) {
            if (large / halved == small || (large + halved - 1) / halved == small) {
                return halved;
            }
        }
        return OmeImage.factor(large, small);
    }

    private String level(int level) {
        return NodePaths.below(data, "ResolutionLevel " + level);
    }

    private String member(int level, int time, int channel) {
        return level(level) + "/TimePoint " + time + "/Channel " + channel;
    }

    /** {@return the number of nodes in a group that have a name and a number, from 0 on} */
    private int count(String group, String name) throws IOException {
        List<String> children = file.node(group).isPresent() ? file.children(group) : List.of();
        int count =
                (int) children.stream().filter(child -> child.startsWith(name)).count();
        for (int number = 0; number < Math.max(1, count); number++) {
            if (!children.contains(name + number)) {
                throw refusal(NodePaths.inStore(file.name(), group), "there is no \"" + name + number + "\" in it");
            }
        }
        return count;
    }

    /** {@return the extents of z, y, x of a level, without padding} */
    private Shape size(int level) throws IOException {
        StoreLocation channel = file.at(member(level, 0, 0));
        Map<String, @Nullable Object> attributes = attributes(channel);
        long[] size = new long[3];
        for (int axis = 0; axis < 3; axis++) {
            String name = SPACE.get(2 - axis).toUpperCase(Locale.ROOT);
            Optional<String> stated = text(attributes, "ImageSize" + name);
            if (stated.isEmpty() && level == 0) {
                stated = text(attributes(info.resolve("Image")), name);
            }
            size[axis] = stated.isPresent() ? size(channel, name, stated.get()) : stored(channel, axis);
        }
        return Shape.of(size);
    }

    private static long size(StoreLocation channel, String axis, String stated) throws StoreException {
        try {
            long size = Long.parseLong(stated);
            if (size > 0) {
                return size;
            }
        } catch (NumberFormatException e) {
            // is refused like a size that is not possible
        }
        throw refusal(channel.toString(), "its size of " + axis + " is \"" + stated + "\"");
    }

    private static long stored(StoreLocation channel, int axis) throws IOException {
        StoreLocation array = channel.resolve("Data");
        if (array.store().node(array.path()).orElse(null) instanceof ArrayNode node
                && node.spec().shape().rank() == 3) {
            return node.spec().shape().extent(axis);
        }
        throw refusal(channel.toString(), "there is no array \"Data\" of three dimensions in it");
    }

    /** Adds the size of voxels, from the positions of the corners of the image. */
    private static void describeSpace(StackDescription image, Map<String, @Nullable Object> stated, Shape largest) {
        String unit = text(stated, "Unit").orElse("um");
        for (int axis = 0; axis < 3; axis++) {
            Optional<BigDecimal> first = number(text(stated, "ExtMin" + axis));
            Optional<BigDecimal> last = number(text(stated, "ExtMax" + axis));
            if (first.isPresent() && last.isPresent()) {
                BigDecimal extent = last.get().subtract(first.get());
                BigDecimal voxel = extent.divide(BigDecimal.valueOf(largest.extent(2 - axis)), PRECISION);
                if (voxel.signum() > 0) {
                    image.place(
                            SPACE.get(axis),
                            unit,
                            voxel.doubleValue(),
                            first.get().doubleValue());
                }
            }
        }
    }

    private void describeChannels(StackDescription image, int channels) throws IOException {
        for (int channel = 0; channel < channels; channel++) {
            Map<String, @Nullable Object> stated = attributes(info.resolve("Channel " + channel));
            String usual = "Channel " + channel;
            String label = text(stated, "Name").filter(text -> !text.isBlank()).orElse(usual);
            List<Double> range = numbers(text(stated, "ColorRange"));
            boolean isRange = range.size() == 2 && range.get(0) < range.get(1);
            image.addChannel(label, color(stated), isRange ? range : List.of());
        }
    }

    /** {@return the colour of a channel; empty if it has none, but a table of them} */
    private static OptionalInt color(Map<String, @Nullable Object> channel) {
        List<Double> parts = numbers(text(channel, "Color"));
        boolean isTable = text(channel, "ColorMode").orElse("").equals("TableColor");
        if (isTable || parts.size() != 3 || !parts.stream().allMatch(part -> part >= 0 && part <= 1)) {
            return OptionalInt.empty();
        }
        int color = 0;
        for (double part : parts) {
            color = color << 8 | (int) Math.round(255 * part);
        }
        return OptionalInt.of(color);
    }

    /** Adds the mean distance of time points, if their times are known. */
    private void describeTimes(StackDescription image, int times) throws IOException {
        Map<String, @Nullable Object> stated = attributes(info.resolve("TimeInfo"));
        Optional<LocalDateTime> first = time(text(stated, "TimePoint1"));
        Optional<LocalDateTime> last = time(text(stated, "TimePoint" + times));
        if (times > 1 && first.isPresent() && last.isPresent() && first.get().isBefore(last.get())) {
            long millis = ChronoUnit.MILLIS.between(first.get(), last.get());
            BigDecimal seconds =
                    BigDecimal.valueOf(millis).movePointLeft(3).divide(BigDecimal.valueOf(times - 1L), PRECISION);
            image.place("t", "second", seconds.doubleValue(), 0);
        }
    }

    private static Optional<LocalDateTime> time(Optional<String> text) {
        try {
            return text.map(stated -> LocalDateTime.parse(stated.strip().replaceFirst(" +", "T")));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private void omit() throws IOException {
        for (String child : file.children("")) {
            if (child.equals(info.path())) {
                contents.omit(
                        "what \"" + child
                                + "\" says is left out, except for sizes, positions, times, and names, colors and contrast of channels");
            } else if (!child.equals(data)) {
                contents.omit("\"" + child + "\" is left out, which is not part of the image");
            }
        }
    }

    private static Optional<Map<String, @Nullable Object>> attributesIfAny(StoreLocation group) throws IOException {
        return group.store().node(group.path()).orElse(null) instanceof GroupNode node
                ? Optional.of(node.attributes())
                : Optional.empty();
    }

    private static Map<String, @Nullable Object> attributes(StoreLocation group) throws IOException {
        return attributesIfAny(group).orElse(Map.of());
    }

    /** {@return an attribute that is a text: one that is stored as such, or as a list of characters} */
    private static Optional<String> text(Map<String, @Nullable Object> attributes, String name) {
        Object value = attributes.get(name);
        if (value instanceof String || value instanceof Number) {
            return Optional.of(value.toString());
        }
        if (!(value instanceof List<?> list) || list.isEmpty() || list.size() > MOST) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        for (Object item : list) {
            if (!(item instanceof String character)) {
                return Optional.empty();
            }
            text.append(character);
        }
        return Optional.of(text.toString());
    }

    private static Optional<BigDecimal> number(Optional<String> text) {
        try {
            return text.map(stated -> new BigDecimal(stated.strip()))
                    .filter(number -> Math.abs(number.doubleValue()) < 1e100 && number.scale() < 400);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static List<Double> numbers(Optional<String> text) {
        List<Double> numbers = new ArrayList<>();
        for (String part : text.orElse("").strip().split("\\s+")) {
            Optional<BigDecimal> number = number(Optional.of(part));
            if (number.isEmpty()) {
                return List.of();
            }
            numbers.add(number.get().doubleValue());
        }
        return numbers;
    }
}
