package dev.rechunker.hierarchy;

import java.util.ArrayList;
import java.util.List;

/**
 * Operations on the paths of groups and arrays in a store. A path has the form {@code a/b}; that of the root is empty.
 */
public final class NodePaths {
    /**
     * The most groups that may be nested below the node that is copied or described. What is nested deeper is left out
     * and named, as a damaged or malicious file can nest groups without end.
     */
    public static final int MOST_LEVELS = 1000;

    /** What is said of a node that is nested too deeply. */
    public static final String TOO_DEEP = "it is nested in more than 1,000 groups, and what is below that is not read";

    private NodePaths() {}

    /** {@return the path of the node with a name in the group at {@code path}} */
    public static String below(String path, String name) {
        return path.isEmpty() ? name : path + "/" + name;
    }

    /** {@return the path of the group that a node is in; for the root, the root} */
    public static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /** {@return the name of a node in its group, the last part of its path; empty for the root} */
    public static String leaf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** {@return the paths of all groups that a node is in, the root first; a new, mutable list} */
    public static List<String> ancestors(String path) {
        List<String> ancestors = new ArrayList<>();
        for (String p = path; !p.isEmpty(); ) {
            p = parent(p);
            ancestors.add(0, p);
        }
        return ancestors;
    }

    /**
     * {@return the name of a node for messages, in the form {@code /data/x.zarr#a/b}}
     *
     * @param store the location of the store
     * @param path the path of the node in the store
     */
    public static String inStore(String store, String path) {
        return path.isEmpty() ? store : store + "#" + path;
    }
}
