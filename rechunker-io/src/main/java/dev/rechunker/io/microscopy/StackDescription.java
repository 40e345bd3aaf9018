package dev.rechunker.io.microscopy;

import dev.rechunker.io.ome.OmeImage;
import dev.rechunker.io.ome.OmeImage.ImageAxis;
import dev.rechunker.io.ome.OmeImage.ImageChannel;
import dev.rechunker.io.ome.OmeImage.ImageLevel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Collects what is known of an image with the axes t, c, z, y, x. Not thread-safe. */
final class StackDescription {
    static final List<String> AXES = List.of("t", "c", "z", "y", "x");
    private static final int MOST_CHANNELS = 100;
    private static final int MOST_ACTIVE = 6;

    private final List<ImageAxis> axes = new ArrayList<>();
    private final List<Double> scale = new ArrayList<>(Collections.nCopies(AXES.size(), 1.0));
    private final List<Double> first = new ArrayList<>(Collections.nCopies(AXES.size(), 0.0));
    private final List<List<Double>> levels = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();

    private record Channel(String label, OptionalInt color, double start, double end) {}

    StackDescription() {
        AXES.forEach(axis -> axes.add(new ImageAxis(axis, null)));
    }

    /**
     * Says where the elements are on an axis.
     *
     * @param unit the name or the symbol of the unit, which is left out if OME-Zarr does not have it
     * @param distance the distance of two elements
     * @param position the position of the first element
     */
    void place(String axis, String unit, double distance, double position) {
        int index = AXES.indexOf(axis);
        axes.set(index, new ImageAxis(axis, OmeImage.unit(unit).orElse(null)));
        scale.set(index, distance);
        first.set(index, position);
    }

    /** Adds the next level, which is smaller than the image by factors of z, y, x. */
    void addLevel(double z, double y, double x) {
        levels.add(List.of(1.0, 1.0, z, y, x));
    }

    /**
     * Adds the next channel.
     *
     * @param color the colour as 0xRRGGBB; empty for a usual one
     * @param range the values that are shown black and brightest; empty if they are not known
     */
    void addChannel(String label, OptionalInt color, List<Double> range) {
        channels.add(new Channel(
                label,
                color,
                range.isEmpty() ? Double.NaN : range.get(0),
                range.isEmpty() ? Double.NaN : range.get(1)));
    }

    /** {@return the attributes of the group with the levels} */
    Map<String, @Nullable Object> attributes(String name) {
        List<ImageLevel> placed = new ArrayList<>();
        for (List<Double> factors : levels) {
            placed.add(ImageLevel.smaller(Integer.toString(placed.size()), scale, first, factors));
        }
        List<ImageChannel> shown = new ArrayList<>();
        for (Channel channel : channels.size() > MOST_CHANNELS ? List.<Channel>of() : channels) {
            int color = channel.color.orElse(OmeImage.usualColor(shown.size(), channels.size()));
            boolean active = shown.size() < MOST_ACTIVE;
            shown.add(new ImageChannel(
                    channel.label, color, false, active, Double.NaN, Double.NaN, channel.start, channel.end));
        }
        return new OmeImage(name, axes, placed, shown).attributes();
    }
}
