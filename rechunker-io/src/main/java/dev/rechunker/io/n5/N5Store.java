package dev.rechunker.io.n5;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.tree.Documents;
import dev.rechunker.io.tree.GroupNotes;
import dev.rechunker.io.tree.NodeCreation;
import dev.rechunker.io.tree.NodeNames;
import dev.rechunker.io.tree.TreeStore;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An N5 container in a key store. */
final class N5Store extends TreeStore implements ChunkStore.VariableLength {
    private static final String FORMAT = "n5";

    private final KeyStore store;
    private final N5Tree tree;
    private final Documents documents;
    private final NodeCreation creation;

    N5Store(KeyStore store) {
        super(store);
        this.store = store;
        this.tree = new N5Tree(store);
        this.documents = new Documents(store);
        this.creation = new NodeCreation(store, tree);
    }

    /** Refuses a container of another format, or of an unknown version of N5. */
    void requireReadable() throws IOException {
        tree.requireReadable();
    }

    @Override
    public String identity() {
        return "n5 " + store.identity();
    }

    @Override
    protected boolean isOwnName(String name) {
        return tree.documents().contains(name);
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Node> node = tree.find(path);
        if (node.isPresent() && node.get() instanceof GroupNode) {
            requireNoLinkCycle(path);
        }
        return node;
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        return tree.children(path);
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        ChunkStore.requirePath(path);
        return !store.isListable() || tree.isArray(path) ? List.of() : NodeNames.omissions(store.list(path));
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        return openLengths(path, 0);
    }

    @Override
    public Optional<VariableLength> variableLength() {
        return Optional.of(this);
    }

    @Override
    public ArrayReader openLengths(String path, long most) throws IOException {
        return reader(N5Array.toRead(store, path, array(path), most));
    }

    @Override
    public ArrayReader openReader(String path, int longest, long most) throws IOException {
        ArraySpec spec = array(path);
        ArraySpec measured =
                spec.toBuilder().dataType(spec.dataType().upTo(longest)).build();
        return reader(N5Array.toRead(store, path, measured, most));
    }

    private static ArrayReader reader(N5Array array) {
        return array.spec().dataType().isVariable() ? new TextReader(array) : new N5Reader(array);
    }

    private ArraySpec array(String path) throws IOException {
        Optional<Node> node = node(path);
        if (node.isPresent() && node.get() instanceof ArrayNode array) {
            return array.spec();
        }
        throw new StoreException(NodePaths.inStore(store.name(), path)
                + (node.isPresent() ? " is a group, not an array" : " does not exist, or is not an N5 array"));
    }

    /**
     * {@return the spec of an array of any format, converted to what N5 can store}
     *
     * <p>Elements become big-endian, and the fill value becomes zero. Shards and the order of axes inside chunks are
     * dropped. The codec is kept if it is the only one and N5 has it, and an array without codecs stays without; all
     * other codecs become gzip. Attributes whose names N5 uses itself are dropped. Types that N5 lacks are refused by
     * {@link #resolve}.
     */
    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        return N5Metadata.adopt(foreign);
    }

    /** {@return the name that viewers of N5 expect: s0, s1, s2} */
    @Override
    public String levelName(int level) {
        return "s" + level;
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        requireWritable();
        String format = wanted.hints().get(ArraySpec.FORMAT_HINT);
        if (format != null && !format.equals(FORMAT)) {
            throw new StoreException(
                    "format \"" + format + "\" cannot be written to " + name() + ", only \"" + FORMAT + "\" can");
        }
        ArraySpec spec = N5Metadata.stored(name(), wanted);
        N5Array.toWrite(store, "", spec).close();
        N5Array.toRead(store, "", spec).close();
        return spec;
    }

    /**
     * {@return the attributes without a version of N5, which readers do not take for an attribute} In the root such an
     * attribute is refused.
     *
     * @throws StoreException if the attributes would make the group an array, or are those of the root and contain the
     *     name in which N5 stores its version
     */
    @Override
    public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        GroupSpec noted = N5Tree.NOTES.add(group, arrays);
        String name = NodePaths.inStore(store.name(), path);
        requireGroup(name, noted.attributes());
        tree.document(path, noted.attributes());
        Map<String, @Nullable Object> stored = JsonParser.object(name, Json.document(noted.attributes()));
        return GroupNotes.readWithNotes(path.isEmpty() ? stored : N5Tree.ofGroup(stored));
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        try (N5Writer writer = new N5Writer(N5Array.toWrite(store, "", resolved), false, () -> {})) {
            return writer.traits();
        }
    }

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        tree.requireReadable();
        creation.requireFree(path, document(path, resolved), overwrite);
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        ArraySpec resolved = resolve(spec);
        tree.requireReadable();
        byte[] document = document(path, resolved);
        creation.begin(path, document, overwrite);
        return new N5Writer(N5Array.toWrite(store, path, resolved), false, () -> publish(path, resolved, document));
    }

    @Override
    public ArrayWriter update(String path, ArraySpec spec) throws IOException {
        requireWritable();
        ArraySpec stored = array(path);
        ArraySpec now = stored.dataType().isVariable()
                ? stored.toBuilder().dataType(spec.dataType()).build()
                : stored;
        now.requireGrowth(spec);
        boolean longer = !spec.shape().equals(now.shape());
        return new N5Writer(N5Array.toWrite(store, path, spec), true, longer ? () -> grow(path, spec) : () -> {});
    }

    private void grow(String path, ArraySpec spec) throws IOException {
        documents.replace(path, N5Metadata.DOCUMENT, Map.of(N5Metadata.DIMENSIONS, N5Metadata.list(spec.shape())));
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        try (ArrayReader reader = reader(N5Array.toRead(store, "", resolved))) {
            return Optional.of(reader.traits());
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public long creation(String path) throws IOException {
        ChunkStore.requirePath(path);
        return creation.number(path);
    }

    @Override
    public ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        requireResumable();
        ArraySpec resolved = resolve(spec);
        byte[] document = document(path, resolved);
        creation.requirePending(path, document);
        deleteAbandoned(path);
        return new N5Writer(
                N5Array.toWrite(store, path, resolved),
                false,
                afterCleanup(path, () -> publish(path, resolved, document)));
    }

    @Override
    public ArrayWriter join(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        ArraySpec resolved = resolve(spec);
        byte[] document = document(path, resolved);
        creation.requirePending(path, document);
        return new N5Writer(
                N5Array.toWrite(store, path, resolved),
                false,
                afterCleanup(path, () -> publish(path, resolved, document)));
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return store.address().map(place -> StoreDescriptor.of(FORMAT, place));
    }

    /** {@return the document of an array at a path} */
    private byte[] document(String path, ArraySpec resolved) throws IOException {
        return tree.document(path, N5Metadata.print(path.isEmpty() ? GroupNotes.withOwn(resolved) : resolved));
    }

    private void publish(String path, ArraySpec resolved, byte[] document) throws IOException {
        makeGroupsAbove(path);
        if (!path.isEmpty()) {
            tree.noteInGroup(NodePaths.parent(path), NodePaths.leaf(path), resolved);
        }
        creation.put(path, N5Metadata.DOCUMENT, document);
        creation.end(path);
    }

    /** Makes the groups above a path. Only the root needs a document, for the version. */
    private void makeGroupsAbove(String path) throws IOException {
        creation.makeGroupsAbove(path, group -> {});
        if (!path.isEmpty()) {
            tree.writeVersion();
        }
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        requireWritable();
        ChunkStore.requirePath(path);
        tree.requireReadable();
        byte[] document = tree.groupDocument(path, resolveGroup(path, group, Map.of()));
        creation.beginGroup(path);
        makeGroupsAbove(path);
        creation.put(path, N5Metadata.DOCUMENT, document);
    }

    /** Refuses attributes that would make a group an array, or a part of one, which is neither. */
    private static void requireGroup(String name, Map<String, ? extends @Nullable Object> attributes)
            throws StoreException {
        if (N5Metadata.describesArray(new Document(name, new LinkedHashMap<>(attributes)))) {
            throw new StoreException(name + " cannot be a group with the attributes "
                    + Json.compact(attributes.keySet().stream().sorted().toList())
                    + ", which describe an array in N5; rename or remove them");
        }
    }

    @Override
    public String toString() {
        return "N5 " + store.name();
    }
}
