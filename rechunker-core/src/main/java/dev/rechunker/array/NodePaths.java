package dev.rechunker.array;

import java.util.ArrayList;
import java.util.List;

/** Arithmetic on the paths of groups and arrays in a store, as {@code a/b}; the root's is empty. */
public final class NodePaths {
    private NodePaths() {}

    /** {@return the path of a node from that of the node it is in, and its name there} */
    public static String below(String path, String name) {
        return path.isEmpty() ? name : path + "/" + name;
    }

    /** {@return the path of the group that a node is in, which is the root for the root} */
    public static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /** {@return the name of a node in its group, which is empty for the root} */
    public static String leaf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** {@return the paths of the groups around a node, the root first; a list of the caller's own} */
    public static List<String> ancestors(String path) {
        List<String> ancestors = new ArrayList<>();
        for (String p = path; !p.isEmpty(); ) {
            p = parent(p);
            ancestors.add(0, p);
        }
        return ancestors;
    }

    /** {@return how messages call a node of a store, as {@code /data/x.zarr#a/b}} */
    public static String inStore(String store, String path) {
        return path.isEmpty() ? store : store + "#" + path;
    }
}
