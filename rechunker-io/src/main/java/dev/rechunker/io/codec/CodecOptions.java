package dev.rechunker.io.codec;

import dev.rechunker.array.CodecSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a codec, which are taken one by one. Options that were not taken are refused at the end. */
final class CodecOptions {
    private final String codec;
    private final Map<String, @Nullable Object> remaining;

    CodecOptions(CodecSpec spec) {
        this.codec = spec.name();
        this.remaining = new LinkedHashMap<>(spec.options());
        ignore("id");
    }

    /** Takes an option; {@return its value, or null if it is missing or null} */
    @Nullable
    Object take(String option) {
        return remaining.remove(option);
    }

    /** Ignores options that do not change encoded bytes. */
    void ignore(String... options) {
        for (String option : options) {
            remaining.remove(option);
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
            throw new CodecException("codec \"" + codec + "\" needs the option " + option);
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
            throw new CodecException("codec \"" + codec + "\" needs the option " + option);
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
     * Refuses options that were not taken.
     *
     * @throws CodecException if there is an option that was not taken
     */
    void requireNoOthers() throws CodecException {
        for (Map.Entry<String, @Nullable Object> entry : remaining.entrySet()) {
            if (entry.getValue() != null) {
                throw new CodecException("codec \"" + codec + "\": option " + entry.getKey() + "=" + entry.getValue()
                        + " is not supported");
            }
        }
    }
}
