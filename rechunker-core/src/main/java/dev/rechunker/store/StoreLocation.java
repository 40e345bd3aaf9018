package dev.rechunker.store;

import java.util.regex.Pattern;

/**
 * A node of a store.
 *
 * @param store the store
 * @param path the node's path; empty for the root. Leading and trailing slashes are dropped
 */
public record StoreLocation(ChunkStore store, String path) {
    private static final Pattern SLASHES = Pattern.compile("^/+|/+$");

    /** Normalizes the path. */
    public StoreLocation {
        path = SLASHES.matcher(path).replaceAll("");
        for (String part : path.split("/", -1)) {
            if (part.equals(".") || part.equals("..") || (part.isEmpty() && !path.isEmpty())) {
                throw new IllegalArgumentException("\"" + path + "\" is not a path inside a store");
            }
        }
    }

    /** {@return the node below this one} */
    public StoreLocation resolve(String child) {
        return new StoreLocation(store, path.isEmpty() ? child : path + "/" + child);
    }

    /** {@return store and path, as {@code /data/x.zarr#inner/array}} */
    @Override
    public String toString() {
        return path.isEmpty() ? store.name() : store.name() + "#" + path;
    }
}
