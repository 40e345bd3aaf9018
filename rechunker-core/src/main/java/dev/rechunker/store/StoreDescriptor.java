package dev.rechunker.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A description by which another process opens the same store: plain data without secrets. Each process finds
 * credentials itself.
 *
 * @param kind the kind of store, which decides who opens it: {@code zarr}, {@code n5}, {@code concat}, ...
 * @param settings where it is and how it is opened: texts, numbers, booleans, lists and maps
 * @see StoreProvider#open(StoreDescriptor)
 */
public record StoreDescriptor(String kind, Map<String, @Nullable Object> settings) {
    private static final String KIND = "store";

    /** Copies the settings. */
    public StoreDescriptor {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** {@return the descriptor of a store of a kind at a place, which is a URI} */
    public static StoreDescriptor of(String kind, String place) {
        return new StoreDescriptor(kind, Map.of("place", place));
    }

    /** {@return the same with one more setting} */
    public StoreDescriptor with(String setting, Object value) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(settings);
        more.put(setting, value);
        return new StoreDescriptor(kind, more);
    }

    /** {@return kind and settings as one map, from which {@link #of(Map)} makes the descriptor again} */
    public Map<String, @Nullable Object> toData() {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put(KIND, kind);
        data.putAll(settings);
        return data;
    }

    /**
     * {@return the descriptor that {@link #toData} made a map of}
     *
     * @throws StoreException if the map has no kind
     */
    public static StoreDescriptor of(Map<?, ?> data) throws StoreException {
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        data.forEach((key, value) -> settings.put(String.valueOf(key), value));
        if (!(settings.remove(KIND) instanceof String kind)) {
            throw new StoreException("the description of a store has no \"" + KIND + "\", which is its kind");
        }
        return new StoreDescriptor(kind, settings);
    }

    /**
     * {@return a setting that is a text}
     *
     * @throws StoreException if it is missing or not a text
     */
    public String text(String setting) throws StoreException {
        if (settings.get(setting) instanceof String text) {
            return text;
        }
        throw new StoreException("the description of a store of kind " + kind + " has no text \"" + setting + "\"");
    }
}
