package dev.rechunker.io.codec;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A compression of N5 with one setting, or Blosc.
 *
 * @param type the name in N5
 * @param setting the name of the setting in N5; empty for Blosc, which has several
 * @param option the option of the codec for the setting
 * @param absent the default of the setting
 * @param ignored other settings in N5, which readers ignore
 * @param implied other options of the codec, which N5 does not store, with the values that N5 implies
 */
public record N5Compression(
        String type, String setting, String option, long absent, Set<String> ignored, Map<String, List<?>> implied) {
    static N5Compression of(String type, String setting, String option, long absent, String... ignored) {
        return new N5Compression(type, setting, option, absent, Set.of(ignored), Map.of());
    }

    N5Compression implying(Map<String, List<?>> options) {
        return new N5Compression(type, setting, option, absent, ignored, options);
    }

    /** {@return whether N5 does not store an option but implies its value; a missing value is implied too} */
    public boolean implies(String name, @Nullable Object value) {
        List<?> right = implied.get(name);
        return right != null && (value == null || right.stream().anyMatch(known -> isSame(known, value)));
    }

    private static boolean isSame(Object known, Object value) {
        if (known instanceof Number wanted && value instanceof Number number) {
            return wanted.doubleValue() == number.doubleValue();
        }
        return known.equals(value);
    }
}
