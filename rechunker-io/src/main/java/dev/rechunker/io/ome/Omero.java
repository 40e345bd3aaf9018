package dev.rechunker.io.ome;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How viewers show the channels of an image: the member {@code omero}.
 *
 * <p>A new image has channels without windows until it is written. The windows, which are the ranges of values that are
 * shown, then follow from the elements that were written.
 */
final class Omero {
    static final String MEMBER = "omero";

    private static final String CHANNELS = "channels";
    private static final String WINDOW = "window";
    private static final int MOST_CHANNELS = 100;
    private static final int MOST_ACTIVE = 6;
    private static final String GREY = "FFFFFF";
    private static final List<String> COLORS = List.of("FF0000", "00FF00", "0000FF", "FF00FF", "00FFFF", "FFFF00");
    private static final Set<DataType.Kind> NUMBERS =
            Set.of(DataType.Kind.INT, DataType.Kind.UINT, DataType.Kind.FLOAT);

    private Omero() {}

    /**
     * {@return the member for a new image, without windows; empty for an image without real numbers, or with more
     * channels than a viewer shows}
     *
     * @param largest the largest level
     */
    static Optional<Map<String, @Nullable Object>> of(List<Axis> axes, ArraySpec largest) {
        int axis = channelAxis(axes.stream().map(Axis::name).toList());
        long channels = axis < 0 ? 1 : largest.shape().extent(axis);
        if (channels < 1
                || channels > MOST_CHANNELS
                || !NUMBERS.contains(largest.dataType().kind())) {
            return Optional.empty();
        }
        List<Object> list = new ArrayList<>();
        for (int channel = 0; channel < channels; channel++) {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("active", channel < MOST_ACTIVE);
            json.put("coefficient", 1L);
            json.put("color", usualColor(channel, (int) channels));
            json.put("family", "linear");
            json.put("inverted", false);
            json.put("label", "Channel " + channel);
            list.add(json);
        }
        Map<String, @Nullable Object> defaults = new LinkedHashMap<>();
        defaults.put("defaultT", 0L);
        defaults.put("defaultZ", 0L);
        for (int i = 0; i < axes.size(); i++) {
            if (axes.get(i).name().equalsIgnoreCase("z")) {
                defaults.put("defaultZ", largest.shape().extent(i) / 2);
            }
        }
        defaults.put("model", channels > 1 ? "color" : "greyscale");
        Map<String, @Nullable Object> omero = new LinkedHashMap<>();
        omero.put(CHANNELS, list);
        omero.put("rdefs", defaults);
        return Optional.of(omero);
    }

    /** {@return the colour that a channel has unless another is known: red, green and blue in hexadecimal digits} */
    static String usualColor(int channel, int channels) {
        return channels > 1 && channel < COLORS.size() ? COLORS.get(channel) : GREY;
    }

    private static int channelAxis(List<String> names) {
        for (int axis = 0; axis < names.size(); axis++) {
            if (new Axis(names.get(axis), null).type() == Axis.Type.CHANNEL) {
                return axis;
            }
        }
        return -1;
    }

    /**
     * {@return a group with the windows that its channels lack, from the smallest level of the image that was written}
     *
     * @param place the location of the group, whose arrays exist
     */
    static GroupSpec completed(StoreLocation place, GroupSpec group) throws IOException {
        Optional<Metadata> found = Metadata.find(place, group.attributes());
        if (found.isEmpty() || !lacksWindow(channels(found.get()))) {
            return group;
        }
        Metadata metadata = found.get();
        Map<String, List<String>> levels = metadata.levels();
        Optional<String> smallest = levels.keySet().stream().reduce((one, next) -> next);
        if (smallest.isEmpty()) {
            return group;
        }
        StoreLocation level = place.resolve(smallest.get());
        if (!(LevelImages.readable(level) instanceof ChunkStore.ArrayNode array)
                || !NUMBERS.contains(array.spec().dataType().kind())) {
            return group;
        }
        int axis = channelAxis(levels.getOrDefault(smallest.get(), List.of()));
        List<Contrast.Window> windows;
        try (ArrayReader reader = level.store().openReader(level.path())) {
            windows = Contrast.of(
                    reader,
                    axis < array.spec().shape().rank() ? axis : -1,
                    channels(metadata).size());
        }
        Map<String, @Nullable Object> omero = new LinkedHashMap<>(Metadata.object(metadata.member(MEMBER)));
        List<@Nullable Object> channels = new ArrayList<>();
        for (Object channel : channels(metadata)) {
            Map<String, @Nullable Object> json = new LinkedHashMap<>(Metadata.object(channel));
            Contrast.Window window = windows.get(Math.min(channels.size(), windows.size() - 1));
            json.put(WINDOW, window.completing(Metadata.object(json.get(WINDOW))));
            channels.add(json);
        }
        omero.put(CHANNELS, channels);
        return group.withAttributes(
                metadata.withMember(MEMBER, omero).in(metadata.version()).attributes());
    }

    private static List<?> channels(Metadata metadata) {
        return Metadata.object(metadata.member(MEMBER)).get(CHANNELS) instanceof List<?> list ? list : List.of();
    }

    /** {@return whether a channel has no range of values} */
    private static boolean lacksWindow(List<?> channels) {
        return channels.stream()
                .map(channel -> Metadata.object(Metadata.object(channel).get(WINDOW)))
                .anyMatch(window -> !window.keySet().containsAll(Contrast.Window.MEMBERS));
    }
}
