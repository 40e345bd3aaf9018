package dev.rechunker;

import dev.rechunker.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plain data read by name: an object of which each value is of the kind that is asked for, or refused by its name.
 *
 * @param name what the object is called in messages
 * @param values its values
 */
record Fields(String name, Map<?, ?> values) {
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
                .orElseThrow(() -> new StoreException(name + " has no \"" + field + "\", which is " + kind));
    }

    String text(String field) throws StoreException {
        return require(field, String.class, "a text");
    }

    Optional<String> findText(String field) throws StoreException {
        return find(field, String.class, "a text");
    }

    long number(String field) throws StoreException {
        return require(field, Number.class, "a number").longValue();
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

    Fields fields(String field) throws StoreException {
        return new Fields("\"" + field + "\" of " + name, require(field, Map.class, "an object"));
    }

    boolean has(String field) {
        return values.get(field) != null;
    }

    static Fields of(String name, @Nullable Object value) throws StoreException {
        if (value instanceof Map<?, ?> map) {
            return new Fields(name, map);
        }
        throw new StoreException(name + " is " + value + ", not an object");
    }
}
