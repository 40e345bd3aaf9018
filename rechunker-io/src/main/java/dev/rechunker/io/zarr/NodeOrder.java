package dev.rechunker.io.zarr;

import dev.rechunker.hierarchy.NodePaths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of the nodes of a store, as far as it is known: that of the consolidated metadata of the root, and then
 * that in which nodes are written. Thread-safe.
 */
final class NodeOrder {
    private final Map<String, Integer> places = new HashMap<>();

    /** Adds a node, and the groups that it is in, after those that are known. */
    synchronized void add(String path) {
        for (String at = path; places.putIfAbsent(at, places.size()) == null && !at.isEmpty(); ) {
            at = NodePaths.parent(at);
        }
    }

    /** {@return the names of nodes in a group, those first whose place is known} */
    synchronized List<String> sorted(String group, List<String> names) {
        List<String> sorted = new ArrayList<>(names);
        sorted.sort(Comparator.comparing(name -> places.getOrDefault(NodePaths.below(group, name), Integer.MAX_VALUE)));
        return sorted;
    }
}
