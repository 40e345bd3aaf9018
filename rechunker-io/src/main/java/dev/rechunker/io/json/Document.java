package dev.rechunker.io.json;

import dev.rechunker.geometry.Shape;
import dev.rechunker.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object of metadata, with checks of its members.
 *
 * @param where the location of the object, for messages, such as {@code /data/x.zarr#a/zarr.json}
 * @param members the members of the object
 */
public record Document(String where, Map<String, @Nullable Object> members) {
    /** The maximum number of axes, as in HDF5 and earlier versions of NumPy. */
    private static final int MOST_AXES = 32;

    /** {@return whether the object has a member} */
    public boolean has(String key) {
        return members.containsKey(key);
    }

    /** {@return the value of a member; null if there is none} */
    public @Nullable Object get(String key) {
        return members.get(key);
    }

    /** {@return the value of a member, which must exist and must not be null} */
    public Object require(String key) throws StoreException {
        Object value = members.get(key);
        if (value == null) {
            throw refuse("has no \"" + key + "\"");
        }
        return value;
    }

    /** {@return the value of a member, which must be a string} */
    public String string(String key) throws StoreException {
        if (require(key) instanceof String string) {
            return string;
        }
        throw wrong(key, "a string");
    }

    /** {@return the value of a member, which must be an object} */
    public Document object(String key) throws StoreException {
        return object(where + " " + key, require(key));
    }

    /**
     * {@return a value, which must be an object}
     *
     * @param name the name of the value, for messages
     */
    public static Document object(String name, @Nullable Object value) throws StoreException {
        if (value instanceof Map<?, ?> map && map.keySet().stream().allMatch(String.class::isInstance)) {
            @SuppressWarnings("unchecked") // all keys are strings
            Map<String, @Nullable Object> members = (Map<String, @Nullable Object>) map;
            return new Document(name, members);
        }
        throw new StoreException(name + " is " + Json.compact(value) + ", not an object");
    }

    /** {@return the value of a member, which must be a list} */
    public List<?> list(String key) throws StoreException {
        if (require(key) instanceof List<?> list) {
            return list;
        }
        throw wrong(key, "a list");
    }

    /** {@return the shape in a member, which must be a list of at most 32 integers that are not negative} */
    public Shape shape(String key) throws StoreException {
        List<?> items = list(key);
        if (items.size() > MOST_AXES) {
            throw refuse("has " + key + " with " + items.size() + " axes, but at most " + MOST_AXES + " are supported");
        }
        long[] extents = new long[items.size()];
        for (int axis = 0; axis < extents.length; axis++) {
            if (!(items.get(axis) instanceof Long extent) || extent < 0) {
                throw wrong(key, "a list of integers, zero or positive");
            }
            extents[axis] = extent;
        }
        return Shape.of(extents);
    }

    /** Refuses unknown members, except those with {@code "must_understand": false}. */
    public void allowOnly(Set<String> known) throws StoreException {
        for (Map.Entry<String, @Nullable Object> member : members.entrySet()) {
            boolean ignorable = member.getValue() instanceof Map<?, ?> extension
                    && Boolean.FALSE.equals(extension.get("must_understand"));
            if (!known.contains(member.getKey()) && !ignorable) {
                throw refuse("has the unknown member \"" + member.getKey() + "\", without \"must_understand\": false");
            }
        }
    }

    /** {@return an exception for a member with an unexpected value} */
    public StoreException wrong(String key, String expected) throws StoreException {
        return refuse("has " + key + " " + Json.compact(members.get(key)) + ", but " + expected + " is expected");
    }

    /** {@return an exception whose message is the location of the object and a text} */
    public StoreException refuse(String what) {
        return new StoreException(where + " " + what);
    }
}
