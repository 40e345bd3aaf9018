package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.tree.Documents;
import dev.rechunker.io.tree.GroupNotes;
import dev.rechunker.io.tree.NodeCreation;
import dev.rechunker.io.tree.NodeNames;
import dev.rechunker.io.tree.TreeFormat;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ChunkStore.Node;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nodes of a container. A directory is an array if its {@code attributes.json} describes one, and otherwise a
 * group. Directories below an array, or with an unfinished array, are no nodes.
 */
final class N5Tree implements TreeFormat {
    /** The attribute of the root with the version of the format. */
    static final String VERSION = "n5";

    /** The version that is written, which every N5 library can read. */
    private static final String WRITTEN = "2.0.0";

    private static final int LATEST = 4;
    private static final Pattern NUMBER = Pattern.compile("(\\d{1,9})(\\..*)?");
    private static final Pattern BLOCK = Pattern.compile("[0-9]+");
    private static final Set<String> ZARR = Set.of("zarr.json", ".zgroup", ".zarray");

    /** The notes of groups. */
    static final GroupNotes NOTES = new GroupNotes(array -> false);

    private final KeyStore store;
    private final Documents documents;

    N5Tree(KeyStore store) {
        this.store = store;
        this.documents = new Documents(store);
    }

    /** {@return the node at a path} */
    Optional<Node> find(String path) throws IOException {
        requireVersion();
        Optional<Document> document = documents.read(path, N5Metadata.DOCUMENT);
        if (document.isEmpty()) {
            return isImplied(path) ? Optional.of(new GroupNode(GroupSpec.EMPTY, false)) : Optional.empty();
        }
        boolean array = N5Metadata.isArray(document.get());
        Document own = path.isEmpty() ? without(document.get(), VERSION) : document.get();
        return Optional.of(
                array
                        ? new ArrayNode(withNotes(path, N5Metadata.parse(own)))
                        : new GroupNode(GroupNotes.read(ofGroup(own.members())), false));
    }

    /** {@return the spec of an array with what its group says of it} */
    private ArraySpec withNotes(String path, ArraySpec array) throws IOException {
        if (path.isEmpty()) {
            return array;
        }
        Map<String, @Nullable Object> group;
        try {
            group = stored(NodePaths.parent(path));
        } catch (StoreException e) {
            return array; // it can be read even if its group cannot
        }
        return NOTES.fromGroup(array, group, NodePaths.leaf(path));
    }

    /** {@return the document of a node as it is; empty if it has none} */
    private Map<String, @Nullable Object> stored(String path) throws IOException {
        return documents.read(path, N5Metadata.DOCUMENT).map(Document::members).orElse(Map.of());
    }

    /** Keeps with a group what N5 cannot say of an array in it. */
    synchronized void noteInGroup(String group, String name, ArraySpec array) throws IOException {
        Map<String, @Nullable Object> stored = stored(group);
        Map<String, @Nullable Object> noted = NOTES.withArray(stored, name, array);
        if (!noted.equals(stored)) {
            documents.write(group, N5Metadata.DOCUMENT, noted);
        }
    }

    /** {@return the document of a group, with what it keeps of its arrays already} */
    byte[] groupDocument(String path, GroupSpec group) throws IOException {
        Map<String, @Nullable Object> attributes = NOTES.add(group, Map.of()).attributes();
        return document(path, GroupNotes.keepingArrays(attributes, stored(path)));
    }

    /** {@return whether a path without a document is a group: a directory that is not a part of an array} */
    private boolean isImplied(String path) throws IOException {
        if (!store.isListable()) {
            return false;
        }
        if (path.isEmpty() ? store.list("").isEmpty() : !isDirectory(path)) {
            return false;
        }
        List<String> nodes = NodePaths.ancestors(path);
        nodes.add(path);
        for (String node : nodes) {
            if (documents.exists(NodePaths.below(node, NodeCreation.PENDING)) || isArray(node)) {
                return false;
            }
        }
        return true;
    }

    private boolean isDirectory(String path) throws IOException {
        String name = NodePaths.leaf(path);
        return store.list(NodePaths.parent(path)).directories().contains(name);
    }

    private static Document without(Document document, String member) {
        Map<String, @Nullable Object> rest = new LinkedHashMap<>(document.members());
        rest.remove(member);
        return new Document(document.where(), rest);
    }

    /**
     * Refuses a container of an unknown version.
     *
     * @return the version of the container; empty if it does not state one
     */
    Optional<String> requireVersion() throws IOException {
        Optional<Document> root = documents.read("", N5Metadata.DOCUMENT);
        if (root.isEmpty() || root.get().get(VERSION) == null) {
            return Optional.empty();
        }
        String version = root.get().string(VERSION);
        if (!isSupported(version)) {
            throw root.get()
                    .refuse("has N5 version \"" + version + "\", but only versions up to " + LATEST + " are supported");
        }
        return Optional.of(version);
    }

    private static boolean isSupported(@Nullable Object version) {
        Matcher number = NUMBER.matcher(version instanceof String text ? text : "");
        return number.matches() && Integer.parseInt(number.group(1)) <= LATEST;
    }

    /** Refuses a container of another format, or of an unknown version of N5. */
    void requireReadable() throws IOException {
        requireVersion();
        if (store.isListable() && !documents.exists(N5Metadata.DOCUMENT)) {
            for (String name : store.list("").values()) {
                if (ZARR.contains(name)) {
                    throw new StoreException(store.name() + " contains \"" + name + "\", so it is Zarr, not N5");
                }
            }
        }
    }

    /** {@return the version of the container, or the one that will be written} */
    String version() throws IOException {
        return requireVersion().orElse(WRITTEN);
    }

    /** Writes the version to the root, unless it already has one. */
    void writeVersion() throws IOException {
        if (requireVersion().isEmpty()) {
            Map<String, @Nullable Object> root = new LinkedHashMap<>();
            root.put(VERSION, WRITTEN);
            Optional<Document> old = documents.read("", N5Metadata.DOCUMENT);
            if (old.isPresent()) {
                root.putAll(without(old.get(), VERSION).members());
            }
            documents.write("", N5Metadata.DOCUMENT, root);
        }
    }

    /** {@return the attributes of a group without a version of N5, which zarr-python writes to every group} */
    static Map<String, @Nullable Object> ofGroup(Map<String, ? extends @Nullable Object> attributes) {
        Map<String, @Nullable Object> read = new LinkedHashMap<>(attributes);
        if (isSupported(read.get(VERSION))) {
            read.remove(VERSION);
        }
        return read;
    }

    /**
     * {@return the document of a node with the given members, and in the root with the version}
     *
     * @throws StoreException if the members of the root already contain the name of the version
     */
    byte[] document(String path, Map<String, ? extends @Nullable Object> members) throws IOException {
        if (!path.isEmpty()) {
            return Json.document(members);
        }
        if (members.containsKey(VERSION)) {
            throw new StoreException(store.name() + " cannot store the attribute \"" + VERSION
                    + "\" in its root, where N5 stores its version; rename or remove the attribute");
        }
        Map<String, @Nullable Object> root = new LinkedHashMap<>();
        root.put(VERSION, version());
        root.putAll(members);
        return Json.document(root);
    }

    @Override
    public String name() {
        return "N5";
    }

    @Override
    public boolean hasDocument(String path) throws IOException {
        return documents.exists(NodePaths.below(path, N5Metadata.DOCUMENT));
    }

    @Override
    public boolean isArray(String path) throws IOException {
        Optional<Document> document = documents.read(path, N5Metadata.DOCUMENT);
        return document.isPresent() && N5Metadata.isArray(document.get());
    }

    @Override
    public List<String> children(String path) throws IOException {
        List<String> children = new ArrayList<>();
        if (!hasDocument(path) ? !isImplied(path) : isArray(path)) {
            return children;
        }
        if (!store.isListable()) {
            throw new StoreException(NodePaths.inStore(store.name(), path)
                    + " is a group in a store that cannot be listed; give the path of an array in it");
        }
        for (String name : store.list(path).directories()) {
            String child = NodePaths.below(path, name);
            boolean exists = Keys.isPart(name) ? isChild(child) : NodeNames.isNode(name);
            if (exists) {
                children.add(name);
            }
        }
        return children;
    }

    private boolean isChild(String path) throws IOException {
        try {
            return hasDocument(path) || !documents.exists(NodePaths.below(path, NodeCreation.PENDING));
        } catch (StoreException e) {
            if (store.isRemote()) {
                throw e;
            }
            return true; // such as a link to a place that must not be read; reading it reports the reason
        }
    }

    @Override
    public List<String> documents() {
        return List.of(N5Metadata.DOCUMENT);
    }

    @Override
    public boolean isGroupFile(String name) {
        return false;
    }

    @Override
    public boolean isChunkName(String name) {
        return BLOCK.matcher(name).matches();
    }
}
