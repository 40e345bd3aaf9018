package dev.rechunker.io.tiff;

import dev.rechunker.array.DataType;
import dev.rechunker.io.tiff.OmeXml.Channel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that describe an image as in OME-Zarr 0.4, so that a copy to OME-Zarr keeps axes, units, scale and
 * channels.
 *
 * @param name the name of the image
 * @param axes the axes, slowest first
 * @param channels the channels; none if nothing is known of them
 */
record OmeMetadata(String name, List<Axis> axes, List<Channel> channels) {
    private static final String VERSION = "0.4";
    private static final Map<String, String> UNITS = Map.ofEntries(
            Map.entry("\u00b5m", "micrometer"),
            Map.entry("\u03bcm", "micrometer"),
            Map.entry("um", "micrometer"),
            Map.entry("micron", "micrometer"),
            Map.entry("microns", "micrometer"),
            Map.entry("micrometer", "micrometer"),
            Map.entry("nm", "nanometer"),
            Map.entry("pm", "picometer"),
            Map.entry("mm", "millimeter"),
            Map.entry("cm", "centimeter"),
            Map.entry("m", "meter"),
            Map.entry("\u00c5", "angstrom"),
            Map.entry("in", "inch"),
            Map.entry("inch", "inch"),
            Map.entry("s", "second"),
            Map.entry("sec", "second"),
            Map.entry("ms", "millisecond"),
            Map.entry("\u00b5s", "microsecond"),
            Map.entry("min", "minute"),
            Map.entry("h", "hour"),
            Map.entry("d", "day"));

    /**
     * An axis.
     *
     * @param name t, c, z, y or x
     * @param distance the distance of two elements; 0 if it is unknown
     * @param unit the unit as in the file; it is left out if it is unknown
     */
    record Axis(String name, double distance, String unit) {
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("name", name);
            json.put("type", name.equals("t") ? "time" : name.equals("c") ? "channel" : "space");
            String known = UNITS.get(unit.strip());
            if (known != null && distance > 0 && !name.equals("c")) {
                json.put("unit", known);
            }
            return json;
        }
    }

    /** {@return a positive number; 0 if the text is none} */
    static double positive(@Nullable String text) {
        try {
            double number = text == null ? 0 : Double.parseDouble(text.strip());
            return number > 0 && number < Double.POSITIVE_INFINITY ? number : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * {@return the attributes}
     *
     * @param levels the shapes of the levels, which have the paths 0, 1 and so on
     */
    Map<String, @Nullable Object> attributes(List<long[]> levels, DataType type) {
        List<Object> datasets = new ArrayList<>();
        for (int level = 0; level < levels.size(); level++) {
            List<Double> scale = new ArrayList<>();
            for (int axis = 0; axis < axes.size(); axis++) {
                double distance = axes.get(axis).distance() > 0 ? axes.get(axis).distance() : 1;
                scale.add(distance * factor(levels.get(0)[axis], levels.get(level)[axis]));
            }
            datasets.add(Map.of(
                    "path",
                    Integer.toString(level),
                    "coordinateTransformations",
                    List.of(Map.of("type", "scale", "scale", scale))));
        }
        Map<String, Object> multiscale = new LinkedHashMap<>();
        multiscale.put("version", VERSION);
        multiscale.put("name", name);
        multiscale.put("axes", axes.stream().map(Axis::json).toList());
        multiscale.put("datasets", datasets);
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put("multiscales", List.of(multiscale));
        boolean hasRange = type.equals(DataType.UINT8) || type.equals(DataType.UINT16);
        if (hasRange && !channels.isEmpty()) {
            attributes.put("omero", omero(type.itemSize() == 1 ? 255 : 65535));
        }
        return attributes;
    }

    /** {@return the integer by which an extent was divided to give another one, rounded down or up; else the ratio} */
    private static double factor(long large, long small) {
        long whole = Math.round((double) large / small);
        boolean fits = whole > 0 && (large / whole == small || (large + whole - 1) / whole == small);
        return fits ? whole : (double) large / small;
    }

    private Map<String, Object> omero(int most) {
        List<Object> all = new ArrayList<>();
        for (Channel channel : channels) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("label", channel.name());
            json.put("color", String.format(Locale.ROOT, "%06X", channel.color() >>> 8));
            json.put("active", true);
            json.put("window", Map.of("min", 0, "max", most, "start", 0, "end", most));
            all.add(json);
        }
        return Map.of("version", VERSION, "channels", all);
    }
}
