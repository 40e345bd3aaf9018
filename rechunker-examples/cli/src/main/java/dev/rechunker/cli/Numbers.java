package dev.rechunker.cli;

import java.time.Duration;
import java.util.Locale;

/** Integers in options, and durations in reports. */
final class Numbers {
    private Numbers() {}

    /** {@return a duration such as {@code 2.4 s}, {@code 13 min 20 s} or {@code 2 h 5 min}} */
    static String duration(Duration time) {
        if (time.toSeconds() < 100) {
            return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
        }
        return time.toHours() > 0
                ? time.toHours() + " h " + time.toMinutesPart() + " min"
                : time.toMinutes() + " min " + time.toSecondsPart() + " s";
    }

    /** {@return whether a text is the number of an axis, not a name} */
    static boolean isAxis(String text) {
        return text.matches("[0-9]{1,9}");
    }

    /** {@return the integers in a text, which are separated by commas; none if it is blank} */
    static long[] parse(String option, String text) {
        if (text.isBlank()) {
            return new long[0];
        }
        String[] parts = text.split(",", -1);
        long[] numbers = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            try {
                numbers[i] = Long.parseLong(parts[i].trim());
            } catch (NumberFormatException e) {
                boolean large = parts[i].trim().matches("[-+]?\\d+");
                throw new UsageException(option + " \"" + text + "\" has \"" + parts[i].trim() + "\", which is "
                        + (large ? "beyond 2^63" : "not an integer; write integers like 8901,720,1440"));
            }
        }
        return numbers;
    }
}
