package dev.rechunker.io.zarr;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.tree.Documents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps consolidated metadata consistent with the nodes. Before a node is replaced, the consolidated metadata of all
 * groups above it is removed; at the end it is written again. While an array is only extended, it shows the old length.
 * In version 2 it is the document {@code .zmetadata}; in version 3 it is a member of the group's own document, as
 * zarr-python writes it.
 *
 * <p>While the metadata of a group is removed, the group contains the file {@link #REMOVED_NOTE}, so that another run
 * or process can write the metadata again. Of several simultaneous runs, each that has seen the metadata or the note
 * writes the metadata at its end.
 *
 * <p>The metadata has the nodes in the order in which they were written, which nothing else keeps.
 */
final class Consolidation {
    /** The name of the note in a group whose consolidated metadata was removed. */
    static final String REMOVED_NOTE = ".rechunker-consolidated";

    private static final byte[] NOTE = {'{', '}', '\n'};

    private final KeyStore store;
    private final Documents documents;
    private final Hierarchy hierarchy;
    private @Nullable NodeOrder order;
    private final Set<String> stale = new ConcurrentSkipListSet<>();
    /** The groups above nodes that were changed, in which another process may have written metadata since. */
    private final Set<String> changed = new ConcurrentSkipListSet<>();

    Consolidation(KeyStore store, Hierarchy hierarchy) {
        this.store = store;
        this.documents = new Documents(store);
        this.hierarchy = hierarchy;
    }

    /** Notes the order of nodes before they are written. */
    void expect(Collection<String> paths) throws IOException {
        NodeOrder known = order();
        paths.forEach(known::add);
    }

    /** Removes all consolidated metadata that contains a node, and remembers its groups, and groups with the note. */
    void invalidate(String path) throws IOException {
        find(path, true);
    }

    /** Remembers the groups whose consolidated metadata contains a node, without removing it. */
    void markStale(String path) throws IOException {
        find(path, false);
    }

    /** Notes that a node that was changed is an array now, which has no consolidated metadata. */
    void noteArray(String path) {
        changed.remove(path);
    }

    private void find(String path, boolean remove) throws IOException {
        order().add(path);
        List<String> groups = NodePaths.ancestors(path);
        groups.add(path);
        changed.addAll(groups);
        find(groups, remove);
    }

    /** {@return the order of the nodes, which is that of the metadata before this run changed them} */
    private synchronized NodeOrder order() throws IOException {
        if (order == null) {
            order = hierarchy.storedOrder();
        }
        return order;
    }

    private void find(Collection<String> groups, boolean remove) throws IOException {
        for (List<String> some : Documents.batches(List.copyOf(groups))) {
            Documents known =
                    documents.prefetch(keys(some, V2Metadata.CONSOLIDATED, REMOVED_NOTE, V3Metadata.DOCUMENT));
            for (String group : some) {
                boolean isConsolidated =
                        hasVersion2(group, known) || version3(group, known).isPresent();
                if (isConsolidated || known.exists(NodePaths.below(group, REMOVED_NOTE))) {
                    stale.add(group);
                }
                if (remove && isConsolidated) {
                    remove(group);
                }
            }
        }
    }

    /** Removes the metadata of a group, unless another thread has done so: what it has written since must stay. */
    private synchronized void remove(String group) throws IOException {
        boolean version2 = hasVersion2(group, documents);
        Optional<Document> version3 = version3(group, documents);
        if (version2 || version3.isPresent()) {
            store.put(NodePaths.below(group, REMOVED_NOTE), ByteBuffer.wrap(NOTE));
        }
        if (version2) {
            store.delete(NodePaths.below(group, V2Metadata.CONSOLIDATED));
        }
        if (version3.isPresent()) {
            documents.write(group, V3Metadata.DOCUMENT, Hierarchy.without(version3.get(), V3Metadata.CONSOLIDATED));
        }
    }

    private static boolean hasVersion2(String group, Documents documents) throws IOException {
        return documents.exists(NodePaths.below(group, V2Metadata.CONSOLIDATED));
    }

    /** {@return the document of a group with consolidated metadata of version 3; empty if it has none} */
    private static Optional<Document> version3(String group, Documents documents) throws IOException {
        return documents
                .read(group, V3Metadata.DOCUMENT)
                .filter(document -> document.get(V3Metadata.CONSOLIDATED) != null);
    }

    private static List<String> keys(List<String> nodes, String... names) {
        return nodes.stream()
                .flatMap(node -> Stream.of(names).map(name -> NodePaths.below(node, name)))
                .toList();
    }

    /**
     * Writes the removed metadata again, those that others have written meanwhile, and those of the root if requested.
     */
    void rebuild(boolean includeRoot) throws IOException {
        find(changed, false);
        Set<String> groups = new TreeSet<>(stale);
        if (includeRoot) {
            groups.add("");
        }
        for (String group : groups) {
            boolean isVersion2 = documents.exists(NodePaths.below(group, V2Metadata.GROUP));
            List<String> written;
            List<String> nodes = hierarchy.nodesBelow(group, order());
            do { // again, if another process has made nodes meanwhile and did not see these metadata
                written = nodes;
                if (isVersion2) {
                    rebuildVersion2(group, written);
                } else {
                    rebuildVersion3(group, written);
                }
                nodes = hierarchy.nodesBelow(group, order());
            } while (!nodes.equals(written));
            store.delete(NodePaths.below(group, REMOVED_NOTE));
        }
        stale.removeAll(groups);
        changed.clear();
    }

    private void rebuildVersion2(String group, List<String> below) throws IOException {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        List<String> nodes = new ArrayList<>(below);
        nodes.add(0, group);
        String[] names = {V2Metadata.ATTRIBUTES, V2Metadata.GROUP, V2Metadata.ARRAY};
        for (List<String> some : Documents.batches(nodes)) {
            Documents known = documents.prefetch(keys(some, names));
            for (String node : some) {
                for (String name : names) {
                    Optional<Document> document = known.read(node, name);
                    if (document.isPresent()) {
                        all.put(
                                relative(group, NodePaths.below(node, name)),
                                document.get().members());
                    }
                }
            }
        }
        Map<String, @Nullable Object> consolidated = new LinkedHashMap<>();
        consolidated.put("metadata", all);
        consolidated.put("zarr_consolidated_format", 1L);
        documents.write(group, V2Metadata.CONSOLIDATED, consolidated);
    }

    private void rebuildVersion3(String group, List<String> below) throws IOException {
        Optional<Document> own = documents.read(group, V3Metadata.DOCUMENT);
        if (own.isEmpty() || V3Metadata.isArray(own.get())) {
            return;
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        for (List<String> some : Documents.batches(below)) {
            Documents known = documents.prefetch(keys(some, V3Metadata.DOCUMENT));
            for (String node : some) {
                Optional<Document> document = known.read(node, V3Metadata.DOCUMENT);
                if (document.isPresent()) {
                    all.put(relative(group, node), Hierarchy.without(document.get(), V3Metadata.CONSOLIDATED));
                }
            }
        }
        Map<String, @Nullable Object> consolidated = new LinkedHashMap<>();
        consolidated.put("kind", "inline");
        consolidated.put("must_understand", false);
        consolidated.put("metadata", all);
        Map<String, @Nullable Object> document = new LinkedHashMap<>(own.get().members());
        document.put(V3Metadata.CONSOLIDATED, consolidated);
        documents.write(group, V3Metadata.DOCUMENT, document);
    }

    private static String relative(String group, String key) {
        return group.isEmpty() ? key : key.substring(group.length() + 1);
    }
}
