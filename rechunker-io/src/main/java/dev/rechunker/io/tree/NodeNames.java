package dev.rechunker.io.tree;

import dev.rechunker.io.bytes.Listing;
import java.util.List;

/** Which names of directories are those of nodes. */
public final class NodeNames {
    private NodeNames() {}

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
}
