package dev.rechunker.element;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The units of points in time and durations: those of NumPy, with or without a multiple. */
public final class TimeUnits {
    private static final Pattern UNIT =
            Pattern.compile("(?:0*([1-9]\\d{0,8}))?(Y|M|W|D|h|m|s|ms|us|\u03bcs|ns|ps|fs|as)");

    private TimeUnits() {}

    /**
     * {@return the unit that a text names, in its shortest form ({@code s} for {@code 1s}), or empty if it is not a
     * unit}
     *
     * @param text a unit such as {@code ns} or {@code 25s}, or {@code generic}, for which the result is an empty text
     */
    public static Optional<String> of(String text) {
        if (text.equals("generic")) {
            return Optional.of("");
        }
        Matcher m = UNIT.matcher(text);
        if (!m.matches()) {
            return Optional.empty();
        }
        String multiple = m.group(1);
        String name = m.group(2).replace('\u03bc', 'u');
        return Optional.of(multiple == null || multiple.equals("1") ? name : multiple + name);
    }
}
