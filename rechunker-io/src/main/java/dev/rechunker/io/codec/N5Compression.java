package dev.rechunker.io.codec;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A compression of N5 that has one setting, or Blosc.
 *
 * @param type its name in N5
 * @param setting its setting in N5; empty for Blosc, which has several
 * @param option the codec's option for it
 * @param absent the setting if none is stated
 * @param ignored other settings in N5, which do not matter to readers
 * @param implied other options of the codec, with the values that are right for N5, which does not state them
 */
public record N5Compression(
        String type, String setting, String option, long absent, Set<String> ignored, Map<String, List<?>> implied) {
    static N5Compression of(String type, String setting, String option, long absent, String... ignored) {
        return new N5Compression(type, setting, option, absent, Set.of(ignored), Map.of());
    }

    N5Compression implying(Map<String, List<?>> options) {
        return new N5Compression(type, setting, option, absent, ignored, options);
    }

    /** {@return whether an option is one that N5 does not state, with the value that N5 means, or none} */
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
