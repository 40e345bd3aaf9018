package dev.rechunker.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What another process needs to open the same store: plain data, without anything secret. Credentials are what that
 * process finds by itself.
 *
 * @param kind says who opens it: {@code zarr}, {@code n5}, {@code concat} ...
 * @param settings where it is and how it is opened: texts, numbers, booleans, lists and maps
 * @see StoreProvider#open(StoreDescriptor)
 */
public record StoreDescriptor(String kind, Map<String, @Nullable Object> settings) {
    private static final String KIND = "store";

    /** Takes a copy of the settings. */
    public StoreDescriptor {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** {@return a store of a kind in a place, which is a URI} */
    public static StoreDescriptor of(String kind, String place) {
        return new StoreDescriptor(kind, Map.of("place", place));
    }

    /** {@return this descriptor with one more setting} */
    public StoreDescriptor with(String setting, Object value) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(settings);
        more.put(setting, value);
        return new StoreDescriptor(kind, more);
    }

    /** {@return kind and settings as one map, which {@link #of(Map)} reads} */
    public Map<String, @Nullable Object> toData() {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put(KIND, kind);
        data.putAll(settings);
        return data;
    }

    /**
     * {@return the descriptor that a map states}
     *
     * @throws StoreException if it states none
     */
    public static StoreDescriptor of(Map<?, ?> data) throws StoreException {
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        data.forEach((key, value) -> settings.put(String.valueOf(key), value));
        if (!(settings.remove(KIND) instanceof String kind)) {
            throw new StoreException("a store is described by an object with the name \"" + KIND + "\" in it");
        }
        return new StoreDescriptor(kind, settings);
    }

    /**
     * {@return a setting that is a text}
     *
     * @throws StoreException if it is missing, or none
     */
    public String text(String setting) throws StoreException {
        if (settings.get(setting) instanceof String text) {
            return text;
        }
        throw new StoreException("the description of a store of kind " + kind + " has no text \"" + setting + "\"");
    }
}
