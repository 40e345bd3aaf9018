package dev.rechunker.resource;

import com.google.common.math.LongMath;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes. In text form, {@code kB}, {@code MB}, {@code GB}, {@code TB} are powers of 1000, {@code KiB},
 * {@code MiB}, {@code GiB}, {@code TiB} are powers of 1024, and {@code 50%} is a share of this JVM's maximum heap.
 *
 * @param bytes the number, zero or positive
 */
public record ByteSize(long bytes) {
    private static final Pattern FORM =
            Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*(%|([kKmMgGtTpP]?)(i?)[bB]?)\\s*", Pattern.CASE_INSENSITIVE);
    private static final String PREFIXES = "kmgtp";

    /** Checks the number. */
    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size of " + bytes + " bytes is negative");
        }
    }

    /** {@return a number of bytes} */
    public static ByteSize of(long bytes) {
        return new ByteSize(bytes);
    }

    /**
     * {@return the size that a text states: {@code "2GB"}, {@code "512MiB"}, {@code "1.5 GiB"}, {@code "50%"},
     * {@code "65536"}}
     *
     * @throws IllegalArgumentException if the text is not of this form, or states more than 2^63 - 1 bytes
     */
    public static ByteSize parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a size; write \"2GB\", \"512MiB\", \"50%\" or a number of bytes");
        }
        if (m.group(2).equals("%")) {
            double number = Double.parseDouble(m.group(1));
            if (number > 100) {
                throw new IllegalArgumentException("\"" + text + "\" is more than the whole heap");
            }
            return new ByteSize((long) (Runtime.getRuntime().maxMemory() * (number / 100)));
        }
        String prefix = m.group(3).toLowerCase(Locale.ROOT);
        boolean binary = !m.group(4).isEmpty();
        if (binary && prefix.isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a size; write \"KiB\", \"MiB\" or \"GiB\"");
        }
        int power = prefix.isEmpty() ? 0 : PREFIXES.indexOf(prefix) + 1;
        BigDecimal value = new BigDecimal(m.group(1))
                .multiply(BigDecimal.valueOf(binary ? 1024 : 1000).pow(power));
        if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("\"" + text + "\" is more than 2^63 bytes");
        }
        return new ByteSize(value.longValue());
    }

    /**
     * {@return the smallest size that is not less than this one and that {@link #toString()} prints exactly: for a
     * least size in a message}
     */
    public ByteSize roundedUp() {
        long step = 1;
        while (bytes / step >= 1000) {
            step *= 10;
        }
        long steps = LongMath.divide(bytes, step, RoundingMode.CEILING);
        return steps > Long.MAX_VALUE / step ? this : of(steps * step);
    }

    /**
     * {@return the number in the largest decimal unit in which it is at least one, to three digits: {@code 2.49 GB}}
     */
    @Override
    public String toString() {
        if (bytes < 1000) {
            return bytes + " B";
        }
        double value = bytes;
        int power = 0;
        while (value >= 999.5 && power < PREFIXES.length()) {
            value /= 1000;
            power++;
        }
        String digits = value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, digits, value) + " " + " kMGTP".charAt(power) + "B";
    }
}
