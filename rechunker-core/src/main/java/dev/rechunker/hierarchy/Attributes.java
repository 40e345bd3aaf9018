package dev.rechunker.hierarchy;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Comparison of attributes and other plain data. */
public final class Attributes {
    /**
     * The attributes that determine what a stored number means, from the netCDF Users Guide and the CF conventions. The
     * same number is another value if, for example, its offset, unit or fill value differs.
     */
    public static final Set<String> MEANINGS = Set.of(
            "_FillValue",
            "_Unsigned",
            "add_offset",
            "calendar",
            "flag_masks",
            "flag_meanings",
            "flag_values",
            "missing_value",
            "scale_factor",
            "units",
            "valid_max",
            "valid_min",
            "valid_range");

    /** What an attribute that is not there means, by the CF conventions. */
    private static final Map<String, Object> DEFAULTS =
            Map.of("_Unsigned", "false", "add_offset", 0L, "calendar", "standard", "scale_factor", 1L);

    private static final Map<String, String> CALENDARS =
            Map.of("gregorian", "standard", "365_day", "noleap", "366_day", "all_leap");
    /** The end of a unit of time whose epoch is at midnight. */
    private static final Pattern MIDNIGHT = Pattern.compile("(?<= since .{1,20})[ T]0?0:0?0(:0?0(\\.0+)?)?$");

    private Attributes() {}

    /**
     * {@return whether an attribute gives numbers the same meaning in both maps}
     *
     * <p>Other ways to write the same, such as another name of a calendar, are no difference.
     */
    public static boolean mean(
            Map<String, ? extends @Nullable Object> ours, Map<String, ? extends @Nullable Object> theirs, String name) {
        return same(meaning(ours.get(name), name), meaning(theirs.get(name), name));
    }

    private static @Nullable Object meaning(@Nullable Object value, String name) {
        if (value == null) {
            return DEFAULTS.get(name);
        }
        if (value instanceof List<?> list && list.size() == 1) {
            return meaning(list.get(0), name);
        }
        if (!(value instanceof String text)) {
            return value;
        }
        return switch (name) {
            case "calendar" -> {
                String lower = text.toLowerCase(Locale.ROOT);
                yield CALENDARS.getOrDefault(lower, lower);
            }
            case "units" -> MIDNIGHT.matcher(text).replaceFirst("");
            default -> text;
        };
    }

    /** {@return whether an attribute has the same value in both maps, or is in neither} */
    public static boolean same(
            Map<String, ? extends @Nullable Object> ours, Map<String, ? extends @Nullable Object> theirs, String name) {
        return ours.containsKey(name) == theirs.containsKey(name) && same(ours.get(name), theirs.get(name));
    }

    /** {@return whether two pieces of plain data are equal; numbers are compared by value, whatever their class} */
    public static boolean same(@Nullable Object a, @Nullable Object b) {
        if (Objects.equals(a, b)) {
            return true;
        }
        if (a instanceof Number first && b instanceof Number second) {
            Optional<BigDecimal> exact = exact(first);
            Optional<BigDecimal> other = exact(second);
            if (exact.isPresent() && other.isPresent()) {
                return exact.get().compareTo(other.get()) == 0;
            }
            return Double.compare(first.doubleValue(), second.doubleValue()) == 0;
        }
        if (a instanceof List<?> first && b instanceof List<?> second && first.size() == second.size()) {
            for (int i = 0; i < first.size(); i++) {
                if (!same(first.get(i), second.get(i))) {
                    return false;
                }
            }
            return true;
        }
        return a instanceof Map<?, ?> first
                && b instanceof Map<?, ?> second
                && first.keySet().equals(second.keySet())
                && first.keySet().stream().allMatch(key -> same(first.get(key), second.get(key)));
    }

    /** {@return the exact value that a number is printed as, or empty if it is not finite} */
    private static Optional<BigDecimal> exact(Number number) {
        try {
            return Optional.of(new BigDecimal(number.toString()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
