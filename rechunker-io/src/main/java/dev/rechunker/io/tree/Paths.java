package dev.rechunker.io.tree;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import java.util.ArrayList;
import java.util.List;

/** Arithmetic on the paths of nodes; the root's is empty. */
public final class Paths {
    private Paths() {}

    /** {@return the key, or the path, of what has a name directly below a node} */
    public static String key(String path, String name) {
        return path.isEmpty() ? name : path + "/" + name;
    }

    /** {@return the path of the group around a node that is not the root} */
    public static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
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

    /** {@return a node of a store, for messages} */
    public static String name(KeyStore store, String path) {
        return path.isEmpty() ? store.name() : store.name() + "#" + path;
    }

    /**
     * {@return whether a directory's name can be that of a node, or would be if it were part of a key}
     *
     * <p>Such a node is not read, but it is there: it is not to be left out in silence. For other names there are
     * {@link #omissions}.
     */
    public static boolean isNode(String name) {
        return !name.isEmpty() && !name.equals(".") && !name.equals("..");
    }

    /** {@return sentences about what is in directories that no path leads to, by the names below a node} */
    public static List<String> omissions(Listing listing) {
        return listing.directories().stream()
                .filter(name -> !isNode(name))
                .map(name -> "what is in \"" + name + "\" has no path inside a store, and is left out")
                .toList();
    }

    /** {@return whether a directory's name can be part of a key} */
    public static boolean isPlain(String name) {
        return isNode(name) && name.chars().allMatch(c -> c >= ' ' && c != '\\' && c != ':' && c != 0x7f);
    }
}
