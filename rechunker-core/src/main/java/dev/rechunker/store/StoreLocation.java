package dev.rechunker.store;

import dev.rechunker.hierarchy.NodePaths;
import java.util.regex.Pattern;

/**
 * The location of a node: a store and a path in it.
 *
 * @param store the store
 * @param path the path of the node; empty for the root. Leading and trailing slashes are dropped
 */
public record StoreLocation(ChunkStore store, String path) {
    private static final Pattern SLASHES = Pattern.compile("^/+|/+\\z");

    /** Normalizes the path. */
    public StoreLocation {
        path = SLASHES.matcher(path).replaceAll("");
        ChunkStore.requirePath(path);
    }

    /** {@return the location at a path below this one; this one if the path is empty} */
    public StoreLocation resolve(String below) {
        return below.isEmpty() ? this : new StoreLocation(store, NodePaths.below(path, below));
    }

    /**
     * {@return a text, such as a message, with {@code ***} in place of everything in its URIs that may be secret}
     *
     * <p>These are credentials before a host or bucket, and the values of a query, except {@code region},
     * {@code anonymous}, {@code redirects} and {@code endpoint}. Messages of {@link StoreException} contain none.
     */
    public static String withoutSecrets(String text) {
        return Secrets.hide(text);
    }

    /** {@return store and path, as {@code /data/x.zarr#inner/array}} */
    @Override
    public String toString() {
        return NodePaths.inStore(store.name(), path);
    }
}
