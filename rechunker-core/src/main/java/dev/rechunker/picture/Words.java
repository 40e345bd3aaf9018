package dev.rechunker.picture;

import dev.rechunker.memory.ByteSize;
import java.util.Locale;

/** Numbers as people read them, rounded to what matters. */
final class Words {
    private Words() {}

    /** {@return {@code 701,792}, or {@code 1.24e+12} where digits no longer help} */
    static String count(double number) {
        return number < 1e9 ? String.format(Locale.ROOT, "%,.0f", number) : String.format(Locale.ROOT, "%.3g", number);
    }

    /** {@return {@code 701,792}, or {@code 1.24e+12} where digits no longer help} */
    static String count(long number) {
        return count((double) number);
    }

    /** {@return {@code 1 task}, {@code 15 tasks}} */
    static String count(long number, String noun) {
        return count((double) number, noun);
    }

    /** {@return {@code 1 piece}, {@code 210 pieces}} */
    static String count(double number, String noun) {
        return count(number) + " " + noun + (Math.round(number) == 1 ? "" : "s");
    }

    /** {@return {@code 2.49 GB}, {@code 50 MB}} */
    static String bytes(double bytes) {
        return bytes((long) bytes);
    }

    /** {@return {@code 2.49 GB}, {@code 50 MB}} */
    static String bytes(long bytes) {
        return ByteSize.of(bytes).toString().replaceFirst("\\.0+ ", " ");
    }

    /**
     * {@return {@code 31.2 ms}, {@code 0.36 s}, {@code 2.24 s}, {@code 10.3 s}, {@code 2 min 33 s}, {@code 3 h 5 min},
     * {@code 148 h}}
     */
    static String seconds(double seconds) {
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

    /** {@return {@code once}, {@code 1.08×}, {@code 14×}} */
    static String times(double factor) {
        return Math.abs(factor - 1) < 0.005 ? "once" : factor(factor) + "×";
    }

    /** {@return {@code 1.4-fold}, {@code 330-fold}} */
    static String fold(double factor) {
        return factor(factor) + "-fold";
    }

    private static String factor(double factor) {
        return factor < 9.95 ? digits(factor, 2) : count(factor);
    }

    /** {@return {@code every 2nd cut}, {@code every 50th cut}} */
    static String every(long number, String noun) {
        return "every " + count(number) + (number == 2 ? "nd " : "th ") + noun;
    }

    /** {@return a number without the zeros at its end} */
    static String digits(double number, int places) {
        String text = String.format(Locale.ROOT, "%." + places + "f", number);
        return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
    }
}
