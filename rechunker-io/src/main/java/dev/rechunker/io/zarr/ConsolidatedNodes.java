package dev.rechunker.io.zarr;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.zarr.Hierarchy.Found;
import dev.rechunker.io.zarr.Hierarchy.FoundArray;
import dev.rechunker.io.zarr.Hierarchy.FoundGroup;
import dev.rechunker.store.StoreException;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes in the consolidated metadata of a store, found by their paths and by their groups without a search through
 * all of them.
 */
final class ConsolidatedNodes {
    private final ZarrFormat format;
    private final WeakReference<Document> document;
    private final Document all;
    /** The names directly below each path. */
    private @Nullable Map<String, NavigableSet<String>> names;

    private @Nullable NodeOrder order;

    /**
     * Creates the nodes of consolidated metadata.
     *
     * @param format the version of all nodes
     * @param document the document that contains the metadata
     * @param all the documents of version 2 by their keys, or of version 3 by the paths of their nodes
     */
    ConsolidatedNodes(ZarrFormat format, Document document, Document all) {
        this.format = format;
        this.document = new WeakReference<>(document);
        this.all = all;
    }

    /** {@return whether these are the nodes in a document, which was not read again since} */
    boolean areOf(Document other) {
        return document.refersTo(other);
    }

    /** {@return the node at a path} */
    Optional<Found> node(String path) throws StoreException {
        if (format == ZarrFormat.V3) {
            return all.has(path) ? Optional.of(Hierarchy.version3(all.object(path))) : Optional.empty();
        }
        Map<String, @Nullable Object> attributes =
                member(path, V2Metadata.ATTRIBUTES).map(Document::members).orElse(Map.of());
        Optional<Document> array = member(path, V2Metadata.ARRAY);
        if (array.isPresent()) {
            return Optional.of(new FoundArray(format, V2Metadata.parse(array.get(), attributes)));
        }
        return member(path, V2Metadata.GROUP)
                .map(group -> new FoundGroup(format, NcZarr.withMembers(attributes, group.members()), false, false));
    }

    private Optional<Document> member(String path, String name) throws StoreException {
        String key = NodePaths.below(path, name);
        return all.has(key) ? Optional.of(all.object(key)) : Optional.empty();
    }

    /** {@return the sorted names directly below a path, of nodes or of groups that have no document} */
    synchronized List<String> names(String path) {
        Map<String, NavigableSet<String>> byGroup = names;
        if (byGroup == null) {
            byGroup = new HashMap<>();
            for (String node : paths()) {
                add(byGroup, node);
            }
            names = byGroup;
        }
        NavigableSet<String> below = byGroup.get(path);
        return below == null ? List.of() : List.copyOf(below);
    }

    /** {@return the order of the nodes} */
    synchronized NodeOrder order() {
        NodeOrder ofAll = order;
        if (ofAll == null) {
            ofAll = new NodeOrder();
            paths().forEach(ofAll::add);
            order = ofAll;
        }
        return ofAll;
    }

    /** {@return the paths of all nodes, in their order} */
    private Set<String> paths() {
        Set<String> keys = all.members().keySet();
        if (format == ZarrFormat.V3) {
            return keys;
        }
        List<String> stored = List.copyOf(keys);
        boolean isSorted = stored.stream().sorted().toList().equals(stored); // as zarr-python sorts them
        Set<String> paths = isSorted ? new TreeSet<>() : new LinkedHashSet<>();
        stored.forEach(key -> paths.add(NodePaths.parent(key))); // of a document
        return paths;
    }

    private static void add(Map<String, NavigableSet<String>> names, String path) {
        String node = path;
        while (!node.isEmpty()) {
            String group = NodePaths.parent(node);
            if (!names.computeIfAbsent(group, any -> new TreeSet<>()).add(NodePaths.leaf(node))) {
                return; // the groups above are there, too
            }
            node = group;
        }
    }
}
