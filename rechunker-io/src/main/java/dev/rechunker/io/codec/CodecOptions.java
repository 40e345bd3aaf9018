package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of one codec, taken one by one; what nobody has taken is refused at the end. */
final class CodecOptions {
    private final String codec;
    private final Map<String, @Nullable Object> left;

    CodecOptions(CodecSpec spec) {
        this.codec = spec.name();
        this.left = new LinkedHashMap<>(spec.options());
        ignore("id");
    }

    /** {@return the setting, or null if it is absent or null} */
    @Nullable
    Object take(String option) {
        return left.remove(option);
    }

    /** Tolerates settings that do not change what is encoded. */
    void ignore(String... options) {
        for (String option : options) {
            left.remove(option);
        }
    }

    @Nullable
    Number number(String option) throws CodecException {
        Object value = take(option);
        if (value == null || value instanceof Number) {
            return (Number) value;
        }
        throw refusal(option, value, "is not a number");
    }

    Number requiredNumber(String option) throws CodecException {
        Number value = number(option);
        if (value == null) {
            throw new CodecException("codec \"" + codec + "\" needs " + option);
        }
        return value;
    }

    int integer(String option, int otherwise, int least, int most) throws CodecException {
        Number value = number(option);
        if (value == null) {
            return otherwise;
        }
        long exact = value.longValue();
        if (exact != value.doubleValue() || exact < least || exact > most) {
            throw refusal(option, value, "is not a whole number from " + least + " to " + most);
        }
        return (int) exact;
    }

    boolean flag(String option, boolean otherwise) throws CodecException {
        Object value = take(option);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw refusal(option, value, "is neither true nor false");
    }

    @Nullable
    String text(String option) throws CodecException {
        Object value = take(option);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw refusal(option, value, "is not a string");
    }

    String requiredText(String option) throws CodecException {
        String value = text(option);
        if (value == null) {
            throw new CodecException("codec \"" + codec + "\" needs " + option);
        }
        return value;
    }

    @Nullable
    List<?> list(String option) throws CodecException {
        Object value = take(option);
        if (value == null || value instanceof List<?>) {
            return (List<?>) value;
        }
        throw refusal(option, value, "is not a list");
    }

    CodecException refusal(String option, Object value, String why) {
        return new CodecException("codec \"" + codec + "\": " + option + " " + value + " " + why);
    }

    /**
     * Ends the taking.
     *
     * @throws CodecException if a setting is left that nobody knows
     */
    void end() throws CodecException {
        for (Map.Entry<String, @Nullable Object> entry : left.entrySet()) {
            if (entry.getValue() != null) {
                throw new CodecException("codec \"" + codec + "\": option " + entry.getKey() + "=" + entry.getValue()
                        + " is not supported");
            }
        }
    }
}
