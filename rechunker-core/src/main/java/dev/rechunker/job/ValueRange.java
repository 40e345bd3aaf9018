package dev.rechunker.job;

import dev.rechunker.element.CfTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of coordinates in text form, which includes both ends.
 *
 * <p>A number with a point or an exponent and a date with a month are values by their form. {@code @} makes a value of
 * any number, and of a year.
 *
 * @param from one end; empty for the first value
 * @param to the other end; empty for the last value
 */
record ValueRange(String from, String to) {
    private static final char MARK = '@';
    private static final String DATE =
            "-?\\d{4,6}-\\d{2}(?:-\\d{2}(?:T\\d{2}(?::\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?)?Z?)?)?";
    private static final String NUMBER = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,3})?";
    private static final String VALUE = "(@?(?:" + DATE + "|" + NUMBER + "))?";
    private static final Pattern RANGE = Pattern.compile(VALUE + "\\s*:\\s*" + VALUE);
    private static final Pattern POINT = Pattern.compile("[.eE]");

    /**
     * {@return the range that a text states; empty if it is no range of values}
     *
     * @throws IllegalArgumentException if one end is a value and the other one an index
     */
    static Optional<ValueRange> parse(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            return Optional.empty();
        }
        String from = range.group(1) == null ? "" : range.group(1);
        String to = range.group(2) == null ? "" : range.group(2);
        boolean first = isValue(from);
        boolean last = isValue(to);
        if ((first && (last || to.isEmpty())) || (last && from.isEmpty())) {
            return Optional.of(new ValueRange(plain(from), plain(to)));
        }
        if (first || last || from.startsWith("-") || to.startsWith("-")) {
            throw new IllegalArgumentException("\"" + text + "\" has an end that is an index, and one that is not;"
                    + " for coordinates write numbers with a point, dates, or @ before each, as in "
                    + marked(from) + ":" + marked(to));
        }
        return Optional.empty();
    }

    private static boolean isValue(String end) {
        return !end.isEmpty()
                && (end.charAt(0) == MARK
                        || POINT.matcher(end).find()
                        || (CfTime.isDate(end) && end.lastIndexOf('-') > 0));
    }

    private static String plain(String end) {
        return end.startsWith("@") ? end.substring(1) : end;
    }

    private static String marked(String end) {
        return end.isEmpty() ? "" : "@" + plain(end);
    }

    /** {@return the range in the form of {@link #parse}} */
    @Override
    public String toString() {
        return marked(from) + ":" + marked(to);
    }
}
