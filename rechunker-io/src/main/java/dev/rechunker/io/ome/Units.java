package dev.rechunker.io.ome;

import dev.rechunker.store.FormatRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The units of OME-Zarr, and common symbols for them. */
final class Units {
    private static final String METER = "meter";
    private static final Map<String, Double> PREFIXES = Map.ofEntries(
            Map.entry("", 1.0),
            Map.entry("atto", 1e-18),
            Map.entry("centi", 1e-2),
            Map.entry("deci", 1e-1),
            Map.entry("deca", 1e1),
            Map.entry("exa", 1e18),
            Map.entry("femto", 1e-15),
            Map.entry("giga", 1e9),
            Map.entry("hecto", 1e2),
            Map.entry("kilo", 1e3),
            Map.entry("mega", 1e6),
            Map.entry("micro", 1e-6),
            Map.entry("milli", 1e-3),
            Map.entry("nano", 1e-9),
            Map.entry("peta", 1e15),
            Map.entry("pico", 1e-12),
            Map.entry("tera", 1e12),
            Map.entry("yocto", 1e-24),
            Map.entry("yotta", 1e24),
            Map.entry("zepto", 1e-21),
            Map.entry("zetta", 1e21));
    /** Units without prefixes, and their length in metres; 0 for units of time. */
    private static final Map<String, Double> OTHERS = Map.ofEntries(
            Map.entry("angstrom", 1e-10),
            Map.entry("foot", 0.3048),
            Map.entry("inch", 0.0254),
            Map.entry("mile", 1609.344),
            Map.entry("parsec", 3.0857e16),
            Map.entry("yard", 0.9144),
            Map.entry("day", 0.0),
            Map.entry("hour", 0.0),
            Map.entry("minute", 0.0));

    private static final Map<String, String> SYMBOLS = Map.ofEntries(
            Map.entry("\u00b5m", "micrometer"),
            Map.entry("\u03bcm", "micrometer"),
            Map.entry("um", "micrometer"),
            Map.entry("micron", "micrometer"),
            Map.entry("microns", "micrometer"),
            Map.entry("nm", "nanometer"),
            Map.entry("pm", "picometer"),
            Map.entry("mm", "millimeter"),
            Map.entry("cm", "centimeter"),
            Map.entry("m", "meter"),
            Map.entry("\u00c5", "angstrom"),
            Map.entry("in", "inch"),
            Map.entry("s", "second"),
            Map.entry("sec", "second"),
            Map.entry("ms", "millisecond"),
            Map.entry("\u00b5s", "microsecond"),
            Map.entry("min", "minute"),
            Map.entry("h", "hour"),
            Map.entry("d", "day"));

    private Units() {}

    /** {@return the unit of a name or symbol; empty if it is unknown} */
    static Optional<String> find(String text) {
        String unit = SYMBOLS.getOrDefault(text.trim(), text.trim());
        for (String base : List.of(METER, "second")) {
            if (unit.endsWith(base) && PREFIXES.containsKey(unit.substring(0, unit.length() - base.length()))) {
                return Optional.of(unit);
            }
        }
        return OTHERS.containsKey(unit) ? Optional.of(unit) : Optional.empty();
    }

    /**
     * {@return axes with their spacing, in metres if all axes of space have units of length}
     *
     * @param space whether axes are axes of space
     * @param distances the distance of two elements on each axis
     * @param units the unit of each axis; null where it is unknown
     */
    static List<FormatRules.Axis> axes(List<Boolean> space, List<Double> distances, List<@Nullable String> units) {
        boolean comparable = true;
        for (int axis = 0; axis < space.size(); axis++) {
            comparable &= !space.get(axis) || metres(units.get(axis)) > 0;
        }
        List<FormatRules.Axis> axes = new ArrayList<>();
        for (int axis = 0; axis < space.size(); axis++) {
            boolean converted = comparable && space.get(axis);
            double distance = Math.abs(distances.get(axis));
            axes.add(new FormatRules.Axis(space.get(axis), converted ? distance * metres(units.get(axis)) : distance));
        }
        return axes;
    }

    /** {@return the length of a unit in metres; 0 if it is unknown or no length} */
    private static double metres(@Nullable String text) {
        String unit = text == null ? "" : find(text).orElse("");
        if (unit.endsWith(METER)) {
            return PREFIXES.getOrDefault(unit.substring(0, unit.length() - METER.length()), 0.0);
        }
        return OTHERS.getOrDefault(unit, 0.0);
    }

    /**
     * {@return the unit of a name or symbol; {@code ""} for an empty text}
     *
     * @throws IllegalArgumentException if the unit is unknown
     */
    static String require(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return "";
        }
        return find(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "\"" + text + "\" is not a unit of OME-Zarr; write one such as micrometer or second, or \"\""));
    }
}
