package dev.rechunker.io.zarr;

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
import dev.rechunker.io.tree.TreeFormat;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates and extends nodes of either version. The documents of an array are written last. */
final class Construction {
    /**
     * The notes of groups. xarray opens no array of version 3 with the attribute {@code _FillValue} if its elements are
     * texts or times, or are opaque.
     */
    static final GroupNotes NOTES =
            new GroupNotes(array -> "3".equals(array.hints().get(Hints.FORMAT))
                    && switch (array.dataType().kind()) {
                        case BYTES, UNICODE, DATETIME, TIMEDELTA, OPAQUE, TEXT, BINARY, SEQUENCE -> true;
                        case BOOL, INT, UINT, FLOAT, COMPLEX -> false;
                    });

    private final KeyStore store;
    private final Hierarchy hierarchy;
    private final Consolidation consolidation;
    private final Documents documents;
    private final NodeCreation creation;

    Construction(KeyStore store, Hierarchy hierarchy, Consolidation consolidation) {
        this.store = store;
        this.hierarchy = hierarchy;
        this.consolidation = consolidation;
        this.documents = new Documents(store);
        this.creation = new NodeCreation(store, new Tree());
    }

    /** {@return the document of a spec in a version} */
    static byte[] document(ArraySpec spec, ZarrFormat format) throws StoreException {
        return Json.document(format == ZarrFormat.V2 ? V2Metadata.array(spec) : V3Metadata.array(spec));
    }

    /** {@return the layout that a reader returns after a spec was stored in a version, in a group or in none} */
    static Layout storedLayout(String where, ArraySpec wanted, ZarrFormat format) throws StoreException {
        ArraySpec spec = GroupNotes.withOwn(wanted.toBuilder()
                .codecs(wanted.codecs().stream().map(V3Codecs::withoutPrefix).toList())
                .build());
        try {
            Document document = new Document(where, JsonParser.object(where, document(spec, format)));
            if (format == ZarrFormat.V3) {
                Layout layout = V3Metadata.parse(document);
                V3Codecs.requireFill(where, layout.spec());
                return layout.withType(wanted.dataType());
            }
            byte[] attributes = Json.document(V2Metadata.attributes(spec));
            return V2Metadata.parse(document, JsonParser.object(where, attributes))
                    .withType(wanted.dataType());
        } catch (ArithmeticException e) {
            throw new StoreException(where + " cannot store " + spec + ": its sizes exceed 2^63", e);
        }
    }

    /** Refuses a path at which an array cannot be created. */
    void requireFree(String path, ArraySpec spec, ZarrFormat format, boolean overwrite) throws IOException {
        creation.requireFree(path, note(stored(path, spec), format), overwrite);
    }

    /** Removes an array that may be overwritten, and writes the note that an array is being written. */
    void begin(String path, ArraySpec spec, ZarrFormat format, boolean overwrite) throws IOException {
        creation.begin(path, note(stored(path, spec), format), overwrite);
    }

    /** Refuses to resume an array unless the note is of exactly this array. */
    void requirePending(String path, ArraySpec spec, ZarrFormat format) throws IOException {
        creation.requirePending(path, note(stored(path, spec), format));
    }

    /** {@return the number of the creation of an unfinished array} */
    long number(String path) throws IOException {
        return creation.number(path);
    }

    /** {@return the contents of all documents that the array will have} */
    private static byte[] note(ArraySpec spec, ZarrFormat format) throws StoreException {
        byte[] document = document(spec, format);
        if (format == ZarrFormat.V3) {
            return document;
        }
        byte[] attributes = Json.document(V2Metadata.attributes(spec));
        return ByteBuffer.allocate(document.length + attributes.length)
                .put(document)
                .put(attributes)
                .array();
    }

    /** {@return the spec of an array whose documents say what an array at a path says itself} */
    private static ArraySpec stored(String path, ArraySpec spec) {
        return path.isEmpty() ? GroupNotes.withOwn(spec) : NOTES.inGroup(spec);
    }

    /** Writes the documents of an array, which then exists, and deletes the note. */
    void publish(String path, ArraySpec resolved, ZarrFormat format) throws IOException {
        creation.makeGroupsAbove(path, group -> writeGroup(group, format, Map.of()));
        if (!path.isEmpty()) {
            noteInGroup(NodePaths.parent(path), NodePaths.leaf(path), resolved);
        }
        ArraySpec spec = stored(path, resolved);
        byte[] document = document(spec, format);
        if (format == ZarrFormat.V3) {
            creation.put(path, V3Metadata.DOCUMENT, document);
        } else {
            Map<String, @Nullable Object> attributes = V2Metadata.attributes(spec);
            if (!attributes.isEmpty()) {
                creation.put(path, V2Metadata.ATTRIBUTES, Json.document(attributes));
            }
            creation.put(path, V2Metadata.ARRAY, document);
        }
        creation.end(path);
    }

    /** Keeps with a group what its format cannot say of an array in it. */
    private void noteInGroup(String group, String name, ArraySpec array) throws IOException {
        if (noted(group, name, array).isPresent()) {
            synchronized (this) { // as other threads note other arrays
                Optional<Map<String, @Nullable Object>> noted = noted(group, name, array);
                if (noted.isPresent()) {
                    writeAttributes(group, noted.get());
                }
            }
        }
    }

    /** {@return the attributes of a group with what they have to say of an array; empty if they say it already} */
    private Optional<Map<String, @Nullable Object>> noted(String group, String name, ArraySpec array)
            throws IOException {
        Map<String, @Nullable Object> attributes = hierarchy.attributes(group);
        return Optional.of(NOTES.withArray(attributes, name, array)).filter(noted -> !noted.equals(attributes));
    }

    private void writeAttributes(String group, Map<String, @Nullable Object> attributes) throws IOException {
        if (documents.exists(NodePaths.below(group, V3Metadata.DOCUMENT))) {
            documents.replace(group, V3Metadata.DOCUMENT, Map.of("attributes", attributes));
        } else {
            documents.write(group, V2Metadata.ATTRIBUTES, attributes);
        }
    }

    /** Refuses an array that is only in the consolidated metadata of a group. */
    void requireDocument(String path) throws IOException {
        if (!hierarchy.hasDocument(path)) {
            throw new StoreException(NodePaths.inStore(store.name(), path)
                    + " cannot be changed: it has no metadata of its own, only the consolidated metadata of a group");
        }
    }

    /** Extends an array. In its document, only the shape is changed, and the list of its chunks if there is one. */
    void grow(String path, ZarrFormat format, ArraySpec spec) throws IOException {
        String name = format == ZarrFormat.V2 ? V2Metadata.ARRAY : V3Metadata.DOCUMENT;
        consolidation.markStale(path);
        Map<String, Object> changes = new LinkedHashMap<>();
        changes.put("shape", V3Metadata.list(spec.shape()));
        Optional<Document> own = documents.read(path, name);
        if (format == ZarrFormat.V3 && own.isPresent() && !ChunkGrids.isRegular(own.get())) {
            changes.put(ChunkGrids.MEMBER, ChunkGrids.toJson(spec));
        }
        documents.replace(path, name, changes);
    }

    /** Creates a group, or replaces its attributes. What it keeps of its arrays stays. */
    synchronized void group(String path, ZarrFormat format, GroupSpec group) throws IOException {
        creation.beginGroup(path);
        creation.makeGroupsAbove(path, above -> writeGroup(above, format, Map.of()));
        Map<String, @Nullable Object> attributes = NOTES.add(group, Map.of()).attributes();
        writeGroup(path, format, GroupNotes.keepingArrays(attributes, hierarchy.attributes(path)));
    }

    private void writeGroup(String path, ZarrFormat format, Map<String, ? extends @Nullable Object> attributes)
            throws IOException {
        if (format == ZarrFormat.V3) {
            creation.put(path, V3Metadata.DOCUMENT, Json.document(V3Metadata.group(new LinkedHashMap<>(attributes))));
            return;
        }
        byte[] document = Json.document(attributes);
        if (!attributes.isEmpty()) {
            creation.put(path, V2Metadata.ATTRIBUTES, document);
        } else if (hierarchy.hasDocument(path)) {
            store.delete(NodePaths.below(path, V2Metadata.ATTRIBUTES));
        }
        creation.put(path, V2Metadata.GROUP, Json.document(V2Metadata.group()));
    }

    /** {@return the names of all documents that a node of either version may have; first those that make it exist} */
    List<String> documents() {
        return List.of(V3Metadata.DOCUMENT, V2Metadata.ARRAY, V2Metadata.GROUP, V2Metadata.ATTRIBUTES);
    }

    /** The file names of both versions. Consolidated metadata is removed before a node is changed. */
    private final class Tree implements TreeFormat {
        @Override
        public String name() {
            return "Zarr";
        }

        @Override
        public boolean hasDocument(String path) throws IOException {
            return hierarchy.hasDocument(path);
        }

        @Override
        public boolean isArray(String path) throws IOException {
            return hierarchy.isArray(path);
        }

        @Override
        public List<String> children(String path) throws IOException {
            return hierarchy.children(path);
        }

        @Override
        public List<String> documents() {
            return Stream.concat(Construction.this.documents().stream(), Stream.of(Consolidation.REMOVED_NOTE))
                    .toList();
        }

        @Override
        public boolean isGroupFile(String name) {
            return name.equals(V2Metadata.ATTRIBUTES) || name.equals(Consolidation.REMOVED_NOTE);
        }

        @Override
        public boolean isChunkName(String name) {
            return ChunkKeys.isChunkName(name);
        }

        @Override
        public void beforeChange(String path) throws IOException {
            consolidation.invalidate(path);
        }
    }
}
