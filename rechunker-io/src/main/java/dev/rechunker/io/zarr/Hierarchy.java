package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.tree.Documents;
import dev.rechunker.io.tree.NodeCreation;
import dev.rechunker.io.tree.NodeNames;
import dev.rechunker.io.tree.RemoteRequests;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nodes of a store by their own metadata, and nodes without any in the consolidated metadata of the root. A
 * directory without metadata is a group if there are nodes below it.
 */
final class Hierarchy {
    /** A member that only the metadata of references in Parquet files has. */
    private static final String KERCHUNK = "record_size";

    private static final int MAX_DEPTH = 32;
    private static final int MAX_VISITS = 10_000;
    /** The documents of a node. */
    private static final List<String> NODES = List.of(V3Metadata.DOCUMENT, V2Metadata.ARRAY, V2Metadata.GROUP);

    private final KeyStore store;
    private final Documents documents;
    /** The nodes in the consolidated metadata that were read last. */
    private final AtomicReference<@Nullable SoftReference<ConsolidatedNodes>> arranged;

    /** A node that was found. */
    sealed interface Found {
        ZarrFormat format();
    }

    /** An array. */
    record FoundArray(ZarrFormat format, Layout layout) implements Found {}

    /** A group, which has no document of its own if it is {@code implied} by nodes below it. */
    record FoundGroup(
            ZarrFormat format, Map<String, @Nullable Object> attributes, boolean consolidated, boolean implied)
            implements Found {}

    Hierarchy(KeyStore store) {
        this(store, new Documents(store), new AtomicReference<>());
    }

    private Hierarchy(
            KeyStore store, Documents documents, AtomicReference<@Nullable SoftReference<ConsolidatedNodes>> arranged) {
        this.store = store;
        this.documents = documents;
        this.arranged = arranged;
    }

    /** {@return this hierarchy with documents of which some may be known} */
    private Hierarchy with(Documents prefetched) {
        return new Hierarchy(store, prefetched, arranged);
    }

    /** {@return the node at a path, with what its group says of it} */
    Optional<Found> read(String path) throws IOException {
        if (path.isEmpty()) {
            return find(path);
        }
        String parent = NodePaths.parent(path);
        Documents both = documents.prefetch(
                List.of(NodePaths.below(path, V3Metadata.DOCUMENT), NodePaths.below(parent, V3Metadata.DOCUMENT)));
        Optional<Found> found = with(both).find(path);
        if (found.isEmpty() || !(found.get() instanceof FoundArray array)) {
            return found;
        }
        Map<String, @Nullable Object> group;
        try {
            group = with(both).attributes(parent);
        } catch (StoreException e) {
            return found; // an array can be read even if its group cannot
        }
        Layout layout = array.layout();
        ArraySpec spec = Construction.NOTES.fromGroup(layout.spec(), group, NodePaths.leaf(path));
        return Optional.of(new FoundArray(array.format(), new Layout(spec, layout.keys(), layout.levels())));
    }

    /** {@return the stored attributes of a group, notes included; empty if there is no group with attributes} */
    Map<String, @Nullable Object> attributes(String path) throws IOException {
        Optional<Document> own = documents.read(path, V3Metadata.DOCUMENT);
        if (own.isPresent()) {
            return V3Metadata.isArray(own.get()) ? Map.of() : V3Metadata.attributes(own.get());
        }
        Optional<Document> version2 = documents.read(path, V2Metadata.ATTRIBUTES);
        if (version2.isPresent()) {
            return version2.get().members();
        }
        if (documents.exists(NodePaths.below(path, V2Metadata.GROUP))) {
            return Map.of();
        }
        return consolidated(path)
                .filter(FoundGroup.class::isInstance)
                .map(group -> ((FoundGroup) group).attributes())
                .orElse(Map.of());
    }

    /** {@return the node at a path} */
    Optional<Found> find(String path) throws IOException {
        Optional<Document> own = documents.read(path, V3Metadata.DOCUMENT);
        if (own.isPresent()) {
            return Optional.of(version3(own.get()));
        }
        List<String> keys = Stream.of(V2Metadata.ARRAY, V2Metadata.GROUP, V2Metadata.ATTRIBUTES, NodeCreation.PENDING)
                .map(name -> NodePaths.below(path, name))
                .toList();
        return with(documents.prefetch(keys)).findWithout3(path);
    }

    /** {@return the node at a path without a document of version 3} */
    private Optional<Found> findWithout3(String path) throws IOException {
        Optional<Document> array = documents.read(path, V2Metadata.ARRAY);
        if (array.isPresent()) {
            return Optional.of(
                    new FoundArray(ZarrFormat.V2, V2Metadata.parse(array.get(), attributesOfVersion2(path))));
        }
        Optional<Document> group = documents.read(path, V2Metadata.GROUP);
        if (group.isPresent()) {
            Map<String, @Nullable Object> attributes =
                    NcZarr.withMembers(attributesOfVersion2(path), group.get().members());
            boolean consolidated = documents.exists(NodePaths.below(path, V2Metadata.CONSOLIDATED));
            return Optional.of(new FoundGroup(ZarrFormat.V2, attributes, consolidated, false));
        }
        Optional<Found> consolidated = consolidated(path);
        return consolidated.isPresent() ? consolidated : implied(path);
    }

    static Found version3(Document document) throws StoreException {
        return V3Metadata.isArray(document)
                ? new FoundArray(ZarrFormat.V3, V3Metadata.parse(document))
                : new FoundGroup(
                        ZarrFormat.V3,
                        V3Metadata.groupAttributes(document),
                        document.get(V3Metadata.CONSOLIDATED) != null,
                        false);
    }

    /** {@return the names of members of the documents of a node that are neither understood nor kept, by document} */
    Map<String, Set<String>> ignoredMembers(String path) throws IOException {
        Map<String, Set<String>> ignored = new LinkedHashMap<>();
        for (String name : NODES) {
            Optional<Document> document = documents.read(path, name);
            boolean isVersion3 = name.equals(V3Metadata.DOCUMENT);
            if (document.isPresent()) {
                ignored.put(name, isVersion3 ? V3Metadata.ignored(document.get()) : V2Metadata.ignored(document.get()));
                if (isVersion3) {
                    break; // the documents of version 2 are not read then
                }
            }
        }
        return ignored;
    }

    private Map<String, @Nullable Object> attributesOfVersion2(String path) throws IOException {
        Optional<Document> document = documents.read(path, V2Metadata.ATTRIBUTES);
        return document.isPresent() ? document.get().members() : Map.of();
    }

    /** {@return a node that is only in the consolidated metadata of the root} */
    private Optional<Found> consolidated(String path) throws IOException {
        Optional<ConsolidatedNodes> nodes = consolidatedNodes();
        return nodes.isPresent() ? nodes.get().node(path) : Optional.empty();
    }

    /**
     * {@return the nodes in the consolidated metadata of the root, which are arranged once for each document}
     *
     * @throws StoreException if the metadata are those of kerchunk, as the chunks are not in the store and would seem
     *     empty
     */
    private Optional<ConsolidatedNodes> consolidatedNodes() throws IOException {
        Optional<Document> version3 =
                documents.read("", V3Metadata.DOCUMENT).filter(root -> root.get(V3Metadata.CONSOLIDATED) != null);
        Optional<Document> document = version3.isPresent() ? version3 : documents.read("", V2Metadata.CONSOLIDATED);
        if (document.isEmpty()) {
            return Optional.empty();
        }
        SoftReference<ConsolidatedNodes> last = arranged.get();
        ConsolidatedNodes known = last == null ? null : last.get();
        if (known != null && known.areOf(document.get())) {
            return Optional.of(known);
        }
        if (version3.isEmpty() && document.get().has(KERCHUNK)) {
            throw new StoreException(store.name()
                    + " has references of kerchunk in Parquet files, which are not read; write them as JSON,"
                    + " for example with VirtualiZarr's KerchunkParquetParser and to_kerchunk(format='json'),"
                    + " or write the data as Zarr with Python:"
                    + " xarray.open_dataset('in.parq', engine='kerchunk').to_zarr('out.zarr')");
        }
        ConsolidatedNodes nodes = version3.isPresent()
                ? new ConsolidatedNodes(
                        ZarrFormat.V3,
                        document.get(),
                        document.get().object(V3Metadata.CONSOLIDATED).object("metadata"))
                : new ConsolidatedNodes(
                        ZarrFormat.V2, document.get(), document.get().object("metadata"));
        arranged.set(new SoftReference<>(nodes));
        return Optional.of(nodes);
    }

    /** {@return whether the consolidated metadata of the root may have a node at a path or below it} */
    boolean mayBeConsolidated(String path) throws IOException {
        try {
            Optional<ConsolidatedNodes> nodes = consolidatedNodes();
            return nodes.isPresent()
                    && nodes.get().names(NodePaths.parent(path)).contains(NodePaths.leaf(path));
        } catch (StoreException e) {
            return true; // the metadata are reported where they are needed
        }
    }

    private Optional<Found> implied(String path) throws IOException {
        int[] visits = {0};
        boolean attributes = documents.exists(NodePaths.below(path, V2Metadata.ATTRIBUTES));
        if (!attributes && !store.isListable()) {
            return Optional.empty();
        }
        if (!attributes && !hasNodesBelow(path, 0, visits)) {
            return Optional.empty();
        }
        return Optional.of(
                new FoundGroup(attributes ? ZarrFormat.V2 : ZarrFormat.V3, attributesOfVersion2(path), false, true));
    }

    private boolean hasNodesBelow(String path, int depth, int[] visits) throws IOException {
        if (depth > MAX_DEPTH
                || ++visits[0] > MAX_VISITS
                || documents.exists(NodePaths.below(path, NodeCreation.PENDING))) {
            return false;
        }
        for (String name : store.list(path).directories()) {
            String child = NodePaths.below(path, name);
            if (!Keys.isPart(name) || hasDocument(child) || hasNodesBelow(child, depth + 1, visits)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@return the names of the nodes directly below a group, and of directories there whose names cannot be part of a
     * key, in the order of the consolidated metadata of the root; sorted if there are none; empty for an array}
     */
    List<String> children(String path) throws IOException {
        if (isArray(path)) {
            return List.of();
        }
        List<String> children = new ArrayList<>();
        for (List<String> names : Documents.batches(names(path))) {
            Hierarchy known = withDocuments(names.stream()
                    .filter(Keys::isPart)
                    .map(name -> NodePaths.below(path, name))
                    .toList());
            for (String name : names) {
                boolean isThere =
                        Keys.isPart(name) ? known.isNode(NodePaths.below(path, name)) : NodeNames.isNode(name);
                if (isThere) {
                    children.add(name);
                }
            }
        }
        return storedOrder().sorted(path, children);
    }

    /**
     * {@return this hierarchy with the documents that show which paths are nodes} Those of a remote store are read at
     * the same time.
     */
    private Hierarchy withDocuments(List<String> paths) throws IOException {
        if (!store.isRemote()) {
            return this;
        }
        try {
            Documents known = documents.prefetch(paths.stream()
                    .map(path -> NodePaths.below(path, V3Metadata.DOCUMENT))
                    .toList());
            List<String> others = new ArrayList<>();
            for (String path : paths) {
                if (!known.exists(NodePaths.below(path, V3Metadata.DOCUMENT))) {
                    others.add(NodePaths.below(path, V2Metadata.ARRAY));
                    others.add(NodePaths.below(path, V2Metadata.GROUP));
                }
            }
            return with(known.prefetch(others));
        } catch (FileSystemException e) {
            return this; // one of them must not be read
        }
    }

    /** {@return the order of the nodes in the consolidated metadata of the root, if there are any} */
    NodeOrder storedOrder() throws IOException {
        try {
            Optional<ConsolidatedNodes> nodes = consolidatedNodes();
            return nodes.isPresent() ? nodes.get().order() : new NodeOrder();
        } catch (StoreException e) {
            return new NodeOrder(); // the metadata are reported where they are needed
        }
    }

    private boolean isNode(String path) throws IOException {
        try {
            return hasDocumentOf(path, documents) || find(path).isPresent();
        } catch (FileSystemException e) {
            return true; // a node that must not be read exists; reading it reports the reason
        } catch (StoreException e) {
            if (store.isRemote()) {
                throw e;
            }
            return true; // such as a link to a place that must not be read
        }
    }

    /** {@return the names directly below a group that may be those of nodes} */
    private List<String> names(String path) throws IOException {
        if (store.isListable()) {
            return store.list(path).directories();
        }
        return consolidatedNodes()
                .orElseThrow(() -> new StoreException(
                        NodePaths.inStore(store.name(), path) + " is a group in a store that cannot be listed, and"
                                + " there is no consolidated metadata in its root; name an array in it"))
                .names(path);
    }

    /** {@return all nodes with a document of their own below a group in an order, parents before children} */
    List<String> nodesBelow(String path, NodeOrder order) throws IOException {
        NodeOrder stored = storedOrder();
        Map<String, List<String>> children = new HashMap<>();
        List<String> groups = isArray(path) ? List.of() : List.of(path);
        while (!groups.isEmpty()) {
            List<String> groupsBelow = new ArrayList<>();
            for (List<String> paths : Documents.batches(partsBelow(groups))) {
                Hierarchy known = withDocuments(paths);
                for (String child : paths) {
                    if (known.isNode(child)) {
                        children.computeIfAbsent(NodePaths.parent(child), group -> new ArrayList<>())
                                .add(NodePaths.leaf(child));
                        if (!known.isArray(child)) {
                            groupsBelow.add(child);
                        }
                    }
                }
            }
            groups = groupsBelow;
        }
        List<String> nodes = new ArrayList<>();
        Deque<String> left = new ArrayDeque<>(List.of(path));
        while (!left.isEmpty()) {
            String node = left.removeLast();
            if (!node.equals(path)) {
                nodes.add(node);
            }
            List<String> names = order.sorted(node, stored.sorted(node, children.getOrDefault(node, List.of())));
            Collections.reverse(names);
            names.forEach(name -> left.addLast(NodePaths.below(node, name)));
        }
        return nodes;
    }

    /** {@return the paths directly below groups that may be those of nodes} */
    private List<String> partsBelow(List<String> groups) throws IOException {
        List<Callable<List<String>>> requests = new ArrayList<>();
        groups.forEach(group -> requests.add(() -> names(group)));
        List<List<String>> names = new RemoteRequests(store).all(requests);
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            String group = groups.get(i);
            names.get(i).stream().filter(Keys::isPart).forEach(name -> paths.add(NodePaths.below(group, name)));
        }
        return paths;
    }

    boolean isArray(String path) throws IOException {
        Optional<Document> document = documents.read(path, V3Metadata.DOCUMENT);
        return document.isPresent()
                ? V3Metadata.isArray(document.get())
                : documents.exists(NodePaths.below(path, V2Metadata.ARRAY));
    }

    /** {@return whether a path has a document that makes it a node} */
    boolean hasDocument(String path) throws IOException {
        List<String> keys =
                NODES.stream().map(name -> NodePaths.below(path, name)).toList();
        return hasDocumentOf(path, documents.prefetch(keys));
    }

    private static boolean hasDocumentOf(String path, Documents documents) throws IOException {
        for (String name : NODES) {
            if (documents.exists(NodePaths.below(path, name))) {
                return true;
            }
        }
        return false;
    }

    /** {@return a copy of a document without one member} */
    static Map<String, @Nullable Object> without(Document document, String member) {
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(document.members());
        rest.remove(member);
        return rest;
    }
}
