package dev.rechunker.plan;

import dev.rechunker.resource.ByteSize;
import java.util.Locale;

/** Text of numbers and quantities, rounded to the digits that matter to a reader. */
public final class NumberText {
    private NumberText() {}

    /** {@return a number in the form {@code 701,792}, or {@code 1.24×10¹²} from a thousand million on} */
    public static String count(double number) {
        if (number < 1e9 || !Double.isFinite(number)) {
            return String.format(Locale.ROOT, "%,.0f", number);
        }
        String[] parts = String.format(Locale.ROOT, "%.2e", number).split("e\\+0*", 2);
        StringBuilder power = new StringBuilder(parts[0]).append("×10");
        parts[1].chars().forEach(digit -> power.append("⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(digit - '0')));
        return power.toString();
    }

    /** {@return a number in the form {@code 701,792}, or {@code 1.24×10¹²} from a thousand million on} */
    public static String count(long number) {
        return count((double) number);
    }

    /** {@return a number and a noun in singular or plural: {@code 1 task}, {@code 15 tasks}} */
    public static String count(long number, String noun) {
        return count((double) number, noun);
    }

    /** {@return a number and a noun in singular or plural: {@code 1 piece}, {@code 210 pieces}} */
    public static String count(double number, String noun) {
        return count(number) + " " + noun + (Math.round(number) == 1 ? "" : "s");
    }

    /** {@return a size such as {@code 2.49 GB} or {@code 50 MB}} */
    public static String bytes(double bytes) {
        return bytes((long) bytes);
    }

    /** {@return a size such as {@code 2.49 GB} or {@code 50 MB}} */
    public static String bytes(long bytes) {
        return ByteSize.of(bytes).toString().replaceFirst("\\.0+ ", " ");
    }

    /**
     * {@return a duration such as {@code 42 µs}, {@code 31.2 ms}, {@code 0.36 s}, {@code 2.24 s}, {@code 10.3 s},
     * {@code 2 min 33 s}, {@code 3 h 5 min} or {@code 148 h}}
     */
    public static String seconds(double seconds) {
        if (seconds >= 50e-9 && seconds < 0.0009995) {
            return digits(seconds * 1e6, seconds < 9.95e-6 ? 1 : 0) + " µs";
        }
        if (seconds < 0.9995) {
            return seconds < 0.0995 ? digits(seconds * 1e3, 2) + " ms" : digits(seconds, 2) + " s";
        }
        if (seconds < 99.5) {
            return digits(seconds, seconds < 9.995 ? 2 : 1) + " s";
        }
        long minutes = Math.round(seconds / 60);
        if (minutes < 60) {
            long whole = Math.round(seconds);
            return whole / 60 + " min " + whole % 60 + " s";
        }
        return minutes < 6000 ? minutes / 60 + " h " + minutes % 60 + " min" : count(minutes / 60) + " h";
    }

    /** {@return a factor in the form {@code once}, {@code 1.08×} or {@code 14×}} */
    public static String times(double factor) {
        return isOnce(factor) ? "once" : factor(factor) + "×";
    }

    /** {@return a factor in the form {@code once}, {@code 1.08 times} or {@code 14 times}} */
    public static String timesInWords(double factor) {
        return isOnce(factor) ? "once" : factor(factor) + " times";
    }

    private static boolean isOnce(double factor) {
        return Math.abs(factor - 1) < 0.005;
    }

    private static String factor(double factor) {
        return factor < 9.95 ? digits(factor, 2) : count(factor);
    }

    /** {@return a phrase such as {@code every 2nd cut} or {@code every 50th cut}} */
    public static String every(long number, String noun) {
        return "every " + count(number) + (number == 2 ? "nd " : "th ") + noun;
    }

    /** {@return a number with all its digits and a noun: {@code 33,554,432 bytes}} */
    public static String exact(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    /** {@return a number, rounded to a whole one, with all its digits and a noun} */
    public static String exact(double number, String noun) {
        return exact(Math.round(number), noun);
    }

    /** {@return a number with at most {@code places} decimals, without trailing zeros} */
    public static String digits(double number, int places) {
        String text = String.format(Locale.ROOT, "%." + places + "f", number);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
