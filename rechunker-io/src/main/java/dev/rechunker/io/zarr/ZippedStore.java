package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.tree.AssembledStore;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.WriteTraits;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A new zip file with a Zarr hierarchy. It is written as a directory, of which {@link #finish} makes the zip file:
 * first all metadata documents, from the root down, then everything else.
 *
 * <p>A file whose root says that it is OME-Zarr has the comment and the records of zip64 that RFC-9 of OME-NGFF
 * recommends. A file with the name {@code .ozx} must be such a file.
 */
final class ZippedStore extends AssembledStore {
    /** The ending of zip files with OME-Zarr. */
    private static final String OZX = ".ozx";

    private static final String OME = "ome";

    /** What an open zip file holds for an entry, about. */
    private static final long ENTRY_BYTES = 256;

    private final AssembledKeys keys;
    private final ZarrStore values;

    ZippedStore(AssembledKeys keys, ZarrStore values) {
        super(keys, values);
        this.keys = keys;
        this.values = values;
    }

    @Override
    protected ChunkStore open() throws IOException {
        return new ZarrStore(ZipKeys.open(keys.file()), null);
    }

    /** {@return the store that has the contents of the zip file; empty if nothing was written} */
    private Optional<ChunkStore> contents() throws IOException {
        return hasBegun() ? Optional.of(values) : finished();
    }

    private ChunkStore contents(String path) throws IOException {
        ChunkStore.requirePath(path);
        return contents().orElseThrow(() -> new StoreException(NodePaths.inStore(name(), path) + " does not exist"));
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<ChunkStore> store = contents();
        return store.isPresent() ? store.get().node(path) : Optional.empty();
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<ChunkStore> store = contents();
        return store.isPresent() ? store.get().children(path) : List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        return new Counted(contents(path).openReader(path));
    }

    @Override
    public ArrayReader openLengths(String path, long most) throws IOException {
        return lengths(path).openLengths(path, most);
    }

    @Override
    public ArrayReader openReader(String path, int longest, long most) throws IOException {
        return new Counted(lengths(path).openReader(path, longest, most));
    }

    private ChunkStore.VariableLength lengths(String path) throws IOException {
        return contents(path).variableLength().orElseThrow();
    }

    @Override
    public List<String> omissions(String path) throws IOException {
        return contents(path).omissions(path);
    }

    /** {@return how the array is read from the zip file, and before that from the directory} */
    @Override
    public Optional<ReadTraits> readTraits(ArraySpec resolved) throws StoreException {
        return super.readTraits(resolved).map(traits -> counted(traits, resolved));
    }

    private static ReadTraits counted(ReadTraits traits, ArraySpec spec) {
        return traits.withHeldBytes(ENTRY_BYTES * Math.min(spec.writeUnits().count(), Long.MAX_VALUE / ENTRY_BYTES));
    }

    /** A reader that counts the list of entries as the plan does, which knows only the array's own. */
    private static final class Counted extends Reader {
        Counted(ArrayReader reader) {
            super(reader);
        }

        @Override
        public ReadTraits traits() {
            return counted(super.traits(), spec());
        }
    }

    @Override
    public WriteTraits writeTraits(ArraySpec resolved) throws StoreException {
        return counted(super.writeTraits(resolved));
    }

    /** {@return traits that count what {@link #finish} takes; as data are in memory no more then, it is no sum} */
    private static WriteTraits counted(WriteTraits traits) {
        return traits.withHeldBytes(Math.max(traits.heldBytes(), AssembledKeys.PACKING_BYTES));
    }

    @Override
    protected ArrayWriter openWriter(String path, Opening opening) throws IOException {
        return new Writer(opening.open()) {
            @Override
            public WriteTraits traits() {
                return counted(super.traits());
            }
        };
    }

    @Override
    public GroupSpec resolveGroup(String path, GroupSpec group, Map<String, ArraySpec> arrays) throws IOException {
        GroupSpec resolved = super.resolveGroup(path, group, arrays);
        if (path.isEmpty()) {
            requireOme(resolved.attributes());
        }
        return resolved;
    }

    private Optional<String> requireOme(Map<String, ?> root) throws StoreException {
        Optional<String> version = root.get(OME) instanceof Map<?, ?> ome && ome.get("version") instanceof String text
                ? Optional.of(text)
                : Optional.empty();
        if (version.isEmpty() && name().toLowerCase(Locale.ROOT).endsWith(OZX)) {
            throw new StoreException(name() + " would not be OME-Zarr 0.5 at its root, as a file that ends with " + OZX
                    + " must be; name one image or array of the source, or write to a name that ends with .zarr.zip");
        }
        return version;
    }

    @Override
    public void requireFree(String path, ArraySpec resolved, boolean overwrite) throws IOException {
        if (path.isEmpty()) {
            requireOme(resolved.attributes());
        }
        super.requireFree(path, resolved, overwrite);
    }

    @Override
    protected void assemble() throws IOException {
        Map<String, ?> root = values.node("").orElse(null) instanceof GroupNode group ? group.attributes() : Map.of();
        Optional<String> ome = requireOme(root);
        keys.pack(documents(), ome.isPresent() ? comment(ome.get()) : "", ome.isPresent());
    }

    /** {@return the keys of all documents with metadata, level by level from the root down} */
    private List<String> documents() throws IOException {
        List<String> documents = new ArrayList<>();
        Deque<String> nodes = new ArrayDeque<>(List.of(""));
        while (!nodes.isEmpty()) {
            String node = nodes.removeFirst();
            for (String name : values.documentNames()) {
                String key = NodePaths.below(node, name);
                Optional<ByteSource> document = values.keys().open(key);
                if (document.isPresent()) {
                    document.get().close();
                    documents.add(key);
                }
            }
            values.children(node).stream()
                    .sorted()
                    .map(name -> NodePaths.below(node, name))
                    .forEach(nodes::addLast);
        }
        return documents;
    }

    /** {@return the comment of a zip file that is OME-Zarr, as RFC-9 has it} */
    private static String comment(String version) throws StoreException {
        Map<String, Object> ome = new LinkedHashMap<>();
        ome.put("version", version);
        ome.put("zipFile", Map.of("centralDirectory", Map.of("jsonFirst", true)));
        return Json.compact(Map.of(OME, ome));
    }

    /** {@return the description with which several processes write the zip file; the one that finishes makes it} */
    @Override
    public Optional<StoreDescriptor> descriptor() {
        return values.descriptor();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
