package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.io.bytes.ZippedKeys;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.Updatable;
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
import org.jspecify.annotations.Nullable;

/**
 * A new zip file with a Zarr hierarchy. It is written as a directory, of which {@link #finish} makes the zip file:
 * first all metadata documents, from the root down, then everything else.
 *
 * <p>A file whose root says that it is OME-Zarr has the comment and the records of zip64 that RFC-9 of OME-NGFF
 * recommends. A file with the name {@code .ozx} must be such a file.
 */
final class ZippedStore extends ForwardingStore {
    /** The ending of zip files with OME-Zarr. */
    private static final String OZX = ".ozx";

    private static final String OME = "ome";

    /** What an open zip file holds for an entry, about. */
    private static final long ENTRY_BYTES = 256;

    private final ZippedKeys keys;
    private final ZarrStore values;
    private @Nullable ZarrStore finished;

    ZippedStore(ZippedKeys keys, ZarrStore values) {
        super(values);
        this.keys = keys;
        this.values = values;
    }

    /** {@return the store that has the contents of the zip file; empty if nothing was written} */
    private synchronized Optional<ZarrStore> contents() throws IOException {
        ZippedKeys.State state = keys.state();
        if (state == ZippedKeys.State.WRITING || state == ZippedKeys.State.PACKING) {
            return Optional.of(values);
        }
        if (finished == null && keys.exists()) {
            finished = new ZarrStore(ZipKeys.open(keys.file()), null);
        }
        return Optional.ofNullable(finished);
    }

    private ZarrStore contents(String path) throws IOException {
        ChunkStore.requirePath(path);
        return contents().orElseThrow(() -> new StoreException(NodePaths.inStore(name(), path) + " does not exist"));
    }

    @Override
    public Optional<Node> node(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<ZarrStore> store = contents();
        return store.isPresent() ? store.get().node(path) : Optional.empty();
    }

    @Override
    public List<String> children(String path) throws IOException {
        ChunkStore.requirePath(path);
        Optional<ZarrStore> store = contents();
        return store.isPresent() ? store.get().children(path) : List.of();
    }

    @Override
    public ArrayReader openReader(String path) throws IOException {
        return new Counted(contents(path).openReader(path));
    }

    @Override
    public ArrayReader openLengths(String path, long most) throws IOException {
        return contents(path).openLengths(path, most);
    }

    @Override
    public ArrayReader openReader(String path, int longest, long most) throws IOException {
        return new Counted(contents(path).openReader(path, longest, most));
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
        return traits.withHeldBytes(
                ENTRY_BYTES * Math.min(spec.writeUnits().count(), Long.MAX_VALUE / ENTRY_BYTES));
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
        return traits.withHeldBytes(Math.max(traits.heldBytes(), ZippedKeys.PACKING_BYTES));
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

    /** {@return empty: a zip file that exists is not changed} */
    @Override
    public Optional<Updatable> updatable() {
        return Optional.empty();
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
        ChunkStore.requirePath(path);
        if (path.isEmpty()) {
            requireOme(resolved.attributes());
        }
        if (hasBegun()) {
            super.requireFree(path, resolved, overwrite);
        } else {
            requireReplaceable(path, overwrite);
        }
    }

    private boolean hasBegun() throws IOException {
        ZippedKeys.State state = keys.state();
        return state == ZippedKeys.State.WRITING || state == ZippedKeys.State.PACKING;
    }

    /** Refuses a zip file that exists, unless it may be replaced, or is only a part of what this store has finished. */
    private void requireReplaceable(String path, boolean overwrite) throws IOException {
        boolean wasFinishedHere = keys.state() == ZippedKeys.State.PUBLISHED;
        if (keys.exists() && !(overwrite && (!wasFinishedHere || node(path).isPresent()))) {
            throw new StoreException(name() + " exists, and nothing can be added to a zip file; write elsewhere, or"
                    + " allow overwriting, which replaces the whole file with everything in it");
        }
    }

    @Override
    public ArrayWriter create(String path, ArraySpec spec, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        begin(path, overwrite);
        return super.create(path, spec, overwrite);
    }

    private synchronized void begin(String path, boolean overwrite) throws IOException {
        if (!hasBegun()) {
            requireReplaceable(path, overwrite);
            closeFinished();
        }
        keys.begin();
    }

    @Override
    public ArrayWriter resume(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        resume();
        return super.resume(path, spec);
    }

    @Override
    public ArrayWriter join(String path, ArraySpec spec) throws IOException {
        ChunkStore.requirePath(path);
        resume();
        return super.join(path, spec);
    }

    private void resume() throws IOException {
        keys.resume();
        if (keys.state() == ZippedKeys.State.PUBLISHED) {
            throw new StoreException(name() + " is complete");
        }
    }

    /** Writes a group, unless an earlier process has written all of them before it was killed. */
    @Override
    public void writeGroup(String path, GroupSpec group, boolean overwrite) throws IOException {
        ChunkStore.requirePath(path);
        ZippedKeys.State state = keys.state();
        if (state == ZippedKeys.State.NEW) {
            begin(path, overwrite);
        }
        if (state == ZippedKeys.State.NEW || state == ZippedKeys.State.WRITING) {
            super.writeGroup(path, group, overwrite);
        }
    }

    @Override
    public void noteCommitted(String path) throws IOException {
        keys.resume();
        if (keys.state() == ZippedKeys.State.WRITING) {
            super.noteCommitted(path);
        }
    }

    @Override
    public void finish(boolean consolidate) throws IOException {
        ZippedKeys.State state = keys.state();
        if (state == ZippedKeys.State.NEW || state == ZippedKeys.State.PUBLISHED) {
            return;
        }
        if (state == ZippedKeys.State.WRITING) {
            super.finish(consolidate);
        }
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

    private void closeFinished() throws IOException {
        if (finished != null) {
            finished.close();
            finished = null;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closeFinished();
        super.close();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
