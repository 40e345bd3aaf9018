package dev.rechunker.io.tree;

import dev.rechunker.io.bytes.Listing;
import java.util.List;

/** Decides which names of directories are names of nodes. */
public final class NodeNames {
    private NodeNames() {}

    /**
     * {@return whether a directory with this name is a node}
     *
     * <p>This includes nodes that cannot be read because their name must not be part of a key: they have to be
     * reported. Other directories are reported by {@link #omissions}.
     */
    public static boolean isNode(String name) {
        return !name.isEmpty() && !name.equals(".") && !name.equals("..");
    }

    /** {@return messages about directories in a listing that no path of a node can name} */
    public static List<String> omissions(Listing listing) {
        return listing.directories().stream()
                .filter(name -> !isNode(name))
                .map(name -> "the contents of \"" + name + "\" are left out: no path in a store can lead there")
                .toList();
    }
}
