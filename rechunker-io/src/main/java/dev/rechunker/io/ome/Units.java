package dev.rechunker.io.ome;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The units of OME-Zarr, and common symbols for them. */
final class Units {
    private static final Set<String> PREFIXES = Set.of(
            "", "atto", "centi", "deci", "deca", "exa", "femto", "giga", "hecto", "kilo", "mega", "micro", "milli",
            "nano", "peta", "pico", "tera", "yocto", "yotta", "zepto", "zetta");
    private static final Set<String> OTHERS =
            Set.of("angstrom", "foot", "inch", "mile", "parsec", "yard", "day", "hour", "minute");
    private static final Map<String, String> SYMBOLS = Map.ofEntries(
            Map.entry("\u00b5m", "micrometer"),
            Map.entry("\u03bcm", "micrometer"),
            Map.entry("um", "micrometer"),
            Map.entry("micron", "micrometer"),
            Map.entry("microns", "micrometer"),
            Map.entry("nm", "nanometer"),
            Map.entry("mm", "millimeter"),
            Map.entry("cm", "centimeter"),
            Map.entry("m", "meter"),
            Map.entry("\u00c5", "angstrom"),
            Map.entry("s", "second"),
            Map.entry("sec", "second"),
            Map.entry("ms", "millisecond"),
            Map.entry("min", "minute"),
            Map.entry("h", "hour"));

    private Units() {}

    /** {@return the unit of a name or symbol; empty if it is unknown} */
    static Optional<String> find(String text) {
        String unit = SYMBOLS.getOrDefault(text.trim(), text.trim());
        for (String base : Set.of("meter", "second")) {
            if (unit.endsWith(base) && PREFIXES.contains(unit.substring(0, unit.length() - base.length()))) {
                return Optional.of(unit);
            }
        }
        return OTHERS.contains(unit) ? Optional.of(unit) : Optional.empty();
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
