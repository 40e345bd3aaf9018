package dev.rechunker.job;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object in plain data, whose fields are read by name. A field that is missing or of another kind is refused.
 *
 * @param name the name of the object in messages
 * @param values the values of its fields
 */
record DataFields(String name, Map<?, ?> values) {
    private <T> Optional<T> find(String field, Class<T> type, String kind) throws StoreException {
        Object value = values.get(field);
        if (value == null) {
            return Optional.empty();
        }
        if (!type.isInstance(value)) {
            throw new StoreException("\"" + field + "\" of " + name + " is " + value + ", not " + kind);
        }
        return Optional.of(type.cast(value));
    }

    private <T> T require(String field, Class<T> type, String kind) throws StoreException {
        return find(field, type, kind)
                .orElseThrow(() -> new StoreException(name + " has no \"" + field + "\", which must be " + kind));
    }

    String text(String field) throws StoreException {
        return require(field, String.class, "a text");
    }

    long number(String field) throws StoreException {
        return whole(field, require(field, Number.class, "a number"));
    }

    /** {@return a number that is at least {@code least}} */
    int count(String field, int least) throws StoreException {
        long number = number(field);
        if (number < least || number > Integer.MAX_VALUE) {
            throw new StoreException("\"" + field + "\" of " + name + " is " + number + ", but must be at least "
                    + least + " and less than 2^31");
        }
        return (int) number;
    }

    List<String> texts(String field) throws StoreException {
        List<String> texts = new ArrayList<>();
        for (Object value : list(field)) {
            if (!(value instanceof String text)) {
                throw new StoreException("\"" + field + "\" of " + name + " contains " + value + ", not only texts");
            }
            texts.add(text);
        }
        return texts;
    }

    private long whole(String field, @Nullable Object value) throws StoreException {
        try {
            return new BigDecimal(String.valueOf(value)).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new StoreException(
                    "\"" + field + "\" of " + name + " is " + value + ", not a whole number below 2^63", e);
        }
    }

    double decimal(String field) throws StoreException {
        return require(field, Number.class, "a number").doubleValue();
    }

    boolean flag(String field) throws StoreException {
        return find(field, Boolean.class, "true or false").orElse(false);
    }

    List<?> list(String field) throws StoreException {
        return require(field, List.class, "a list");
    }

    DataFields fields(String field) throws StoreException {
        return new DataFields("\"" + field + "\" of " + name, require(field, Map.class, "an object"));
    }

    /** Makes something, or throws {@link IllegalArgumentException}. */
    interface Maker<T> {
        T make() throws IOException;
    }

    /** {@return what is made from a field; the message of a failure names the field} */
    <T> T made(String field, Maker<T> maker) throws IOException {
        try {
            return maker.make();
        } catch (IllegalArgumentException e) {
            throw new StoreException("\"" + field + "\" of " + name + " is not valid: " + e.getMessage(), e);
        }
    }

    boolean has(String field) {
        return values.get(field) != null;
    }

    static DataFields of(String name, @Nullable Object value) throws StoreException {
        if (value instanceof Map<?, ?> map) {
            return new DataFields(name, map);
        }
        throw new StoreException(name + " is " + value + ", not an object");
    }
}
