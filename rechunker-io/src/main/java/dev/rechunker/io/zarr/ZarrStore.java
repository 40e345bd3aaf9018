package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.tree.Documents;
import dev.rechunker.io.tree.GroupNotes;
import dev.rechunker.io.tree.NodeNames;
import dev.rechunker.io.tree.TreeStore;
import dev.rechunker.io.tree.UnitWriter;
import dev.rechunker.io.zarr.Hierarchy.Found;
import dev.rechunker.io.zarr.Hierarchy.FoundArray;
import dev.rechunker.io.zarr.Hierarchy.FoundGroup;
import dev.rechunker.io.zarr.UnitAssembly.Continuity;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A Zarr hierarchy in a key store; its nodes may be of either version. */
final class ZarrStore extends TreeStore implements ChunkStore.VariableLength {
    private final KeyStore store;
    private final @Nullable ZarrFormat pinned;
    private final Hierarchy hierarchy;
    private final Consolidation consolidation;
    private final Construction construction;
    /**
     * The version of the last array that was planned or created, which is used for groups if nothing else determines
     * theirs.
     */
    private volatile @Nullable ZarrFormat recent;

    ZarrStore(KeyStore store, @Nullable ZarrFormat pinned) {
        super(store);
        this.store = store;
        this.pinned = pinned;
        this.hierarchy = new Hierarchy(store);
        this.consolidation = new Consolidation(store, hierarchy);
        this.construction = new Construction(store, hierarchy, consolidation);
    }

    @Override
    public String identity() {
        return "zarr " + store.identity();
    }

    @Override
    protected boolean isOwnName(String name) {
        return name.equals(V2Metadata.CONSOLIDATED)
                || name.equals(Consolidation.REMOVED_NOTE)
                || construction.documents().contains(name);
    }

    @Override
    protected boolean hasConcurrentArrays() {
        return true;
    }

    /** {@return the names of all documents with metadata that a node may have} */
    List<String> documentNames() {
        List<String> names = new ArrayList<>(construction.documents());
        names.add(V2Metadata.CONSOLIDATED);
        return names;
    }

    /** {@return where the store is} */
    KeyStore keys() {
        return store;
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Node> node = hierarchy.read(path).map(ZarrStore::node);
        if (node.isPresent() && node.get() instanceof GroupNode) {
            requireNoLinkCycle(path);
        }
        return node;
    }

    /** {@return whether there are neither keys nor nodes in the consolidated metadata of the root} */
    @Override
    public boolean isVacant(String path) throws IOException {
        return super.isVacant(path) && (path.isEmpty() || !hierarchy.mayBeConsolidated(path));
    }

    private static Node node(Found found) {
        if (found instanceof FoundArray array) {
            return new ArrayNode(array.layout().spec());
        }
        FoundGroup group = (FoundGroup) found;
        return new GroupNode(NcZarr.of(GroupNotes.read(group.attributes())), group.consolidated());
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        return hierarchy.children(path);
    }

    /**
     * {@return messages about members of documents that are ignored, about directories in a group that no path can
     * name, and about foreign files; hidden files, which operating systems create, are ignored}
     */
    @Override
    public List<String> omissions(String path) throws IOException {
        ChunkStore.requirePath(path);
        List<String> omissions = new ArrayList<>();
        hierarchy
                .ignoredMembers(path)
                .forEach((document, members) -> members.forEach(
                        member -> omissions.add("the member \"" + member + "\" of " + document + " is not kept")));
        if (!store.isListable() || hierarchy.isArray(path)) {
            return omissions;
        }
        Listing listing = store.list(path);
        omissions.addAll(NodeNames.omissions(listing));
        omissions.addAll(OtherFiles.messages(listing.values().stream()
                .filter(name -> !name.startsWith(".") && !isOwnName(name))
                .toList()));
        return omissions;
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
        return new ZarrReader(StoredArray.open(store, path, array(path).layout(), most));
    }

    @Override
    public ArrayReader openReader(String path, int longest, long most) throws IOException {
        Layout layout = array(path).layout();
        DataType measured = layout.spec().dataType().upTo(longest);
        return new ZarrReader(StoredArray.open(store, path, layout.withType(measured), most));
    }

    private FoundArray array(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<Found> found = hierarchy.read(path);
        if (found.isPresent() && found.get() instanceof FoundArray array) {
            return array;
        }
        throw new StoreException(NodePaths.inStore(store.name(), path)
                + (found.isPresent() ? " is a group, not an array" : " does not exist, or is not a Zarr array"));
    }

    @Override
    public ArraySpec adopt(ArraySpec foreign) {
        try {
            return new Adoption(store, format(Hints.withFormat(store.name(), foreign, pinned), pinned)).adopt(foreign);
        } catch (StoreException e) {
            return foreign; // resolve refuses it
        }
    }

    @Override
    public ArraySpec resolve(ArraySpec wanted) throws StoreException {
        requireWritable();
        ArraySpec requested = Hints.withFormat(store.name(), wanted, pinned);
        ZarrFormat format = format(requested, pinned);
        Layout layout = Construction.storedLayout(store.name(), requested, format);
        try {
            StoredArray.open(store, "", layout).chain().close();
            StoredArray.requireBuffer(store.name(), "write units", layout.unitBytes());
        } catch (ArithmeticException e) {
            throw new StoreException(store.name() + " cannot store " + wanted + ": its sizes exceed 2^63", e);
        }
        recent = format;
        return layout.spec();
    }

    @Override
    public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws StoreException {
        byte[] attributes = Json.document(Construction.NOTES.add(group, arrays).attributes());
        return GroupNotes.readWithNotes(JsonParser.object(store.name(), attributes));
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        try (ZarrWriter writer = preview(resolved)) {
            return writer.traits();
        }
    }

    /** {@return a writer that is used only for its traits} */
    private ZarrWriter preview(ArraySpec resolved) throws StoreException {
        Layout layout = Construction.storedLayout(store.name(), resolved, format(resolved));
        return new ZarrWriter(StoredArray.open(store, "", layout), false, Continuity.NONE, () -> {});
    }

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        construction.requireFree(path, resolved, format(resolved), overwrite);
    }

    /** Notes the order of the arrays, which may be created in another one. */
    @Override
    public void announce(Map<String, GroupSpec> groups, Map<String, ArraySpec> arrays) throws IOException {
        consolidation.expect(arrays.keySet());
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        ArraySpec resolved = resolve(spec);
        ZarrFormat format = format(resolved);
        construction.begin(path, resolved, format, overwrite);
        return writer(path, resolved, format, Continuity.BEGIN);
    }

    @Override
    public long creation(String path) throws IOException {
        ChunkStore.requirePath(path);
        return construction.number(path);
    }

    @Override
    public ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        requireResumable();
        ArraySpec resolved = resolve(spec);
        ZarrFormat format = format(resolved);
        construction.requirePending(path, resolved, format);
        deleteAbandoned(path);
        return writer(path, resolved, format, Continuity.RESUME);
    }

    @Override
    public ArrayWriter join(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        ArraySpec resolved = resolve(spec);
        ZarrFormat format = format(resolved);
        construction.requirePending(path, resolved, format);
        return writer(path, resolved, format, Continuity.NONE);
    }

    @Override
    public Optional<StoreDescriptor> descriptor() {
        return store.descriptor("zarr").map(zarr -> pinned == null ? zarr : zarr.with("format", pinned.name()));
    }

    @Override
    public ArrayWriter update(String path, ArraySpec spec) throws IOException {
        requireWritable();
        FoundArray found = array(path);
        Layout now = found.layout().withType(spec.dataType());
        now.spec().requireGrowth(spec);
        if (now.levels().size() > 1) {
            throw new StoreException(NodePaths.inStore(store.name(), path)
                    + " has shards in shards, which can be read, but not written");
        }
        construction.requireDocument(path);
        StoredArray array = StoredArray.open(store, path, now.grown(spec));
        boolean longer = !spec.shape().equals(now.spec().shape());
        return new ZarrWriter(
                array, true, Continuity.NONE, longer ? () -> construction.grow(path, found.format(), spec) : () -> {});
    }

    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        Layout layout = Construction.storedLayout(store.name(), resolved, format(resolved));
        try (ZarrReader reader = new ZarrReader(StoredArray.open(store, "", layout))) {
            return Optional.of(reader.traits());
        }
    }

    private static ZarrFormat format(ArraySpec requested, @Nullable ZarrFormat pinned) throws StoreException {
        return pinned != null ? pinned : format(requested);
    }

    private static ZarrFormat format(ArraySpec resolved) throws StoreException {
        return Hints.format(resolved).orElse(ZarrFormat.V3);
    }

    private ArrayWriter writer(String path, ArraySpec resolved, ZarrFormat format, Continuity continuity)
            throws StoreException {
        StoredArray array = StoredArray.open(store, path, Construction.storedLayout(store.name(), resolved, format));
        UnitWriter.Publication publication = () -> {
            construction.publish(path, resolved, format);
            consolidation.noteArray(path);
        };
        if (continuity == Continuity.BEGIN) {
            return new ZarrWriter(array, false, continuity, publication);
        }
        UnitWriter.Publication ofOthers = afterCleanup(path, () -> {
            // Another store has started the array. The metadata that it removed may exist again.
            consolidation.invalidate(path);
            publication.publish();
        });
        return new ZarrWriter(array, false, continuity, ofOthers);
    }

    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        requireWritable();
        ChunkStore.requirePath(path);
        construction.group(path, groupFormat(path), group);
    }

    /** {@return the version of a group: its own; otherwise that of the store, of recent arrays, or of a group above} */
    private ZarrFormat groupFormat(String path) throws IOException {
        if (hierarchy.hasDocument(path)) {
            ZarrFormat own = new Documents(store).exists(NodePaths.below(path, V3Metadata.DOCUMENT))
                    ? ZarrFormat.V3
                    : ZarrFormat.V2;
            if (pinned != null && own != pinned) {
                throw new StoreException(NodePaths.inStore(store.name(), path) + " exists and is Zarr " + own.number()
                        + ", but Zarr " + pinned.number() + " was requested; write to another place");
            }
            return own;
        }
        ZarrFormat wanted = pinned != null ? pinned : recent;
        if (wanted != null) {
            return wanted;
        }
        return path.isEmpty() ? ZarrFormat.V3 : groupFormat(NodePaths.parent(path));
    }

    @Override
    public void noteCommitted(String path) throws IOException {
        requireWritable();
        ChunkStore.requirePath(path);
        consolidation.invalidate(path);
        consolidation.noteArray(path);
    }

    @Override
    public void finish(boolean consolidate) throws IOException {
        requireWritable();
        consolidation.rebuild(consolidate);
    }

    @Override
    public String toString() {
        return "Zarr " + store.name();
    }
}
