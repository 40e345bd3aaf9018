package dev.rechunker.store;

import dev.rechunker.array.NodePaths;
import java.util.regex.Pattern;

/**
 * A node of a store.
 *
 * @param store the store
 * @param path the node's path; empty for the root. Leading and trailing slashes are dropped
 */
public record StoreLocation(ChunkStore store, String path) {
    private static final Pattern SLASHES = Pattern.compile("^/+|/+\\z");

    /** Normalizes the path. */
    public StoreLocation {
        path = SLASHES.matcher(path).replaceAll("");
        ChunkStore.requirePath(path);
    }

    /** {@return the node with a path from this one; this one, if that is empty} */
    public StoreLocation resolve(String below) {
        return below.isEmpty() ? this : new StoreLocation(store, NodePaths.below(path, below));
    }

    /** {@return store and path, as {@code /data/x.zarr#inner/array}} */
    @Override
    public String toString() {
        return NodePaths.inStore(store.name(), path);
    }
}
