package dev.rechunker.io.cog;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of an image on the Earth, as attributes of the image: the inverse of what {@code tiff} makes of the tags.
 */
final class GeoReference {
    /** The six numbers of GDAL as a text: x of the outer edge, step, shear, y, shear, step. */
    static final String TRANSFORM = "GeoTransform";

    /** The number of the reference system in the registry EPSG. */
    static final String EPSG = "epsg_code";

    /** The name of the reference system. */
    static final String CITATION = "crs_citation";

    /** {@code geographic} or {@code projected}. */
    static final String MODEL = "crs_model";

    static final String GEOGRAPHIC = "geographic";
    private static final String PROJECTED = "projected";

    private static final int MOST_CODE = 32766;
    private static final Pattern CODE = Pattern.compile("(?i)\\s*(?:EPSG:)?(\\d{1,6})\\s*");
    private static final Pattern LAST_AUTHORITY = Pattern.compile(
            "(?i)(?:AUTHORITY\\s*\\[\\s*\"EPSG\"\\s*,\\s*\"?|ID\\s*\\[\\s*\"EPSG\"\\s*,\\s*)(\\d+)\"?\\s*\\]\\s*\\]\\s*$");
    private static final Pattern WKT_NAME = Pattern.compile("^\\s*[A-Z_]+\\s*\\[\\s*\"([^\"]+)\"");

    private GeoReference() {}

    /** {@return the six numbers of a text; empty if it has others} */
    static Optional<double[]> transform(@Nullable Object text) {
        if (!(text instanceof String numbers)) {
            return Optional.empty();
        }
        String[] parts = numbers.strip().split("\\s+");
        if (parts.length != 6) {
            return Optional.empty();
        }
        double[] transform = new double[6];
        try {
            for (int i = 0; i < 6; i++) {
                transform[i] = Double.parseDouble(parts[i]);
            }
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        return Optional.of(transform);
    }

    /** {@return six numbers as a text} */
    static String text(double... transform) {
        StringBuilder text = new StringBuilder();
        for (double number : transform) {
            text.append(text.isEmpty() ? "" : " ").append(number);
        }
        return text.toString();
    }

    /**
     * {@return the attributes of the reference system that a grid mapping names; none if it names none}
     *
     * @param hasDegrees whether coordinates are in degrees
     */
    static Map<String, Object> system(Map<String, ? extends @Nullable Object> mapping, boolean hasDegrees) {
        String wkt =
                text(mapping, "crs_wkt").or(() -> text(mapping, "spatial_ref")).orElse("");
        Optional<Integer> code = code(mapping.get(EPSG)).or(() -> code(wkt));
        if (code.isEmpty()) {
            Matcher authority = LAST_AUTHORITY.matcher(wkt);
            code = authority.find() ? code(authority.group(1)) : code;
        }
        Matcher named = WKT_NAME.matcher(wkt);
        Optional<String> citation =
                text(mapping, CITATION).or(() -> named.find() ? Optional.of(named.group(1)) : Optional.empty());
        if (code.isEmpty() && citation.isEmpty()) {
            return Map.of();
        }
        String upper = wkt.strip().toUpperCase(Locale.ROOT);
        boolean isGeographic = "latitude_longitude".equals(mapping.get("grid_mapping_name"))
                || upper.startsWith("GEOG")
                || upper.startsWith("GEOD")
                || (!upper.startsWith("PROJ") && !mapping.containsKey("grid_mapping_name") && hasDegrees);
        Map<String, Object> attributes = new LinkedHashMap<>();
        code.ifPresent(number -> attributes.put(EPSG, (long) number));
        citation.ifPresent(name -> attributes.put(CITATION, name));
        attributes.put(MODEL, isGeographic ? GEOGRAPHIC : PROJECTED);
        return attributes;
    }

    private static Optional<String> text(Map<String, ? extends @Nullable Object> attributes, String name) {
        return attributes.get(name) instanceof String text && !text.isBlank() ? Optional.of(text) : Optional.empty();
    }

    private static Optional<Integer> code(@Nullable Object value) {
        Matcher text = CODE.matcher(
                value instanceof Number number ? String.valueOf(number.longValue()) : String.valueOf(value));
        return text.matches()
                ? Optional.of(Integer.parseInt(text.group(1))).filter(code -> code > 0 && code <= MOST_CODE)
                : Optional.empty();
    }

    /** {@return whether the attributes of a coordinate say that it is in degrees} */
    static boolean isInDegrees(Map<String, ? extends @Nullable Object> coordinate) {
        return coordinate.get("units") instanceof String units && units.startsWith("degree");
    }
}
