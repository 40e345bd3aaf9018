package dev.rechunker.io.zarr;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes nodes: refuses what is in the way, clears what may be overwritten, and writes documents, an array's last.
 *
 * <p>While an array is being written, {@link Hierarchy#PENDING} holds the document it will have. A run that is killed
 * leaves it behind: the same array can then be gone on with, or begun anew; another one needs {@code overwrite}.
 */
final class Construction {
    private static final byte[] BEING_REMOVED = {'{', '}', '\n'};

    private final KeyStore store;
    private final Hierarchy hierarchy;
    private final Consolidation consolidation;

    Construction(KeyStore store, Hierarchy hierarchy, Consolidation consolidation) {
        this.store = store;
        this.hierarchy = hierarchy;
        this.consolidation = consolidation;
    }

    /** {@return the document that states a spec in a version} */
    static byte[] document(ArraySpec spec, ZarrFormat format) throws StoreException {
        return Json.document(format == ZarrFormat.V2 ? V2Metadata.array(spec) : V3Metadata.array(spec));
    }

    /** {@return what a reader would make of a spec once it is stored in a version} */
    static Layout stored(String where, ArraySpec spec, ZarrFormat format) throws StoreException {
        try {
            Document document = new Document(where, JsonParser.object(where, document(spec, format)));
            if (format == ZarrFormat.V3) {
                return V3Metadata.parse(document);
            }
            byte[] attributes = Json.document(V2Metadata.attributes(spec));
            return V2Metadata.parse(document, JsonParser.object(where, attributes));
        } catch (ArithmeticException e) {
            throw new StoreException(where + " cannot hold " + spec + ": its sizes exceed 2^63", e);
        }
    }

    /** Makes the place of an array free, and notes that it is being written there. */
    void begin(String path, ArraySpec spec, ZarrFormat format, boolean overwrite) throws IOException {
        requireGroupsAbove(path);
        byte[] document = document(spec, format);
        Optional<byte[]> pending = hierarchy.bytes(Hierarchy.key(path, Hierarchy.PENDING));
        if (hierarchy.hasDocument(path)) {
            requireReplaceable(path, overwrite);
            consolidation.invalidate(path);
            clear(path);
        } else if (pending.isPresent()) {
            if (!overwrite && !Arrays.equals(pending.get(), document)) {
                throw new StoreException(name(path) + " holds what an unfinished run has left of another array"
                        + "; remove it, or allow to overwrite it");
            }
            clear(path);
        } else {
            requireEmpty(path);
        }
        consolidation.invalidate(path);
        put(path, Hierarchy.PENDING, document);
    }

    /** Refuses to go on with an array unless exactly that one is under way. */
    void requirePending(String path, ArraySpec spec, ZarrFormat format) throws IOException {
        Optional<byte[]> pending = hierarchy.bytes(Hierarchy.key(path, Hierarchy.PENDING));
        if (pending.isEmpty() || !Arrays.equals(pending.get(), document(spec, format))) {
            throw new StoreException(name(path) + " cannot be gone on with: "
                    + (pending.isEmpty() ? "no array is under way there" : "another array is under way there"));
        }
    }

    private void requireReplaceable(String path, boolean overwrite) throws IOException {
        if (!overwrite) {
            throw new StoreException(name(path) + " exists; allow to overwrite it, or write elsewhere");
        }
        if (hierarchy.isArray(path)) {
            return;
        }
        List<String> children = hierarchy.children(path);
        if (!children.isEmpty()) {
            throw new StoreException(name(path) + " is a group with " + children
                    + " in it, which an array does not replace; remove it, or write elsewhere");
        }
    }

    private void requireEmpty(String path) throws IOException {
        Listing listing = store.list(path);
        if (!listing.isEmpty()) {
            String found = listing.values().isEmpty()
                    ? listing.directories().get(0)
                    : listing.values().get(0);
            throw new StoreException(name(path) + " is not empty, and no Zarr array: it holds \"" + found
                    + "\"; it is not touched, write elsewhere");
        }
    }

    private void requireGroupsAbove(String path) throws IOException {
        for (String ancestor : Hierarchy.ancestors(path)) {
            if (hierarchy.hasDocument(ancestor)) {
                if (hierarchy.isArray(ancestor)) {
                    throw new StoreException(name(path) + " cannot be written: " + name(ancestor) + " is an array");
                }
            } else {
                requireNoFiles(ancestor);
            }
        }
    }

    /** Refuses to make a group of a directory that holds files of somebody else. */
    private void requireNoFiles(String path) throws IOException {
        for (String value : store.list(path).values()) {
            if (value.equals(Hierarchy.PENDING)) {
                throw new StoreException(name(path) + " is an array that is being written, not a group");
            }
            if (!value.equals(V2Metadata.ATTRIBUTES)) {
                throw new StoreException(name(path) + " is no Zarr group: it holds the file \"" + value
                        + "\"; it is not touched, write elsewhere");
            }
        }
    }

    /** Removes metadata first, then chunks; what is not a chunk's name stays. */
    private void clear(String path) throws IOException {
        put(path, Hierarchy.PENDING, BEING_REMOVED);
        for (String document :
                List.of(V3Metadata.DOCUMENT, V2Metadata.ARRAY, V2Metadata.GROUP, V2Metadata.ATTRIBUTES)) {
            store.delete(Hierarchy.key(path, document));
        }
        store.deleteBelow(path, ChunkKeys::isChunkName);
    }

    /** Makes an array exist. */
    void publish(String path, ArraySpec spec, ZarrFormat format) throws IOException {
        makeGroupsAbove(path, format);
        byte[] document = document(spec, format);
        if (format == ZarrFormat.V3) {
            put(path, V3Metadata.DOCUMENT, document);
        } else {
            Map<String, @Nullable Object> attributes = V2Metadata.attributes(spec);
            if (!attributes.isEmpty()) {
                put(path, V2Metadata.ATTRIBUTES, Json.document(attributes));
            }
            put(path, V2Metadata.ARRAY, document);
        }
        store.delete(Hierarchy.key(path, Hierarchy.PENDING));
    }

    private void makeGroupsAbove(String path, ZarrFormat format) throws IOException {
        for (String ancestor : Hierarchy.ancestors(path)) {
            if (!hierarchy.hasDocument(ancestor)) {
                requireNoFiles(ancestor);
                writeGroup(ancestor, format, Map.of());
            }
        }
    }

    /** Makes a group, or replaces its attributes. */
    void group(String path, ZarrFormat format, Map<String, ? extends @Nullable Object> attributes) throws IOException {
        requireGroupsAbove(path);
        if (!hierarchy.hasDocument(path)) {
            requireNoFiles(path);
        } else if (hierarchy.isArray(path)) {
            throw new StoreException(name(path) + " is an array, where a group is to be written");
        }
        consolidation.invalidate(path);
        makeGroupsAbove(path, format);
        writeGroup(path, format, attributes);
    }

    private void writeGroup(String path, ZarrFormat format, Map<String, ? extends @Nullable Object> attributes)
            throws IOException {
        if (format == ZarrFormat.V3) {
            put(path, V3Metadata.DOCUMENT, Json.document(V3Metadata.group(new LinkedHashMap<>(attributes))));
            return;
        }
        byte[] document = Json.document(attributes);
        if (!attributes.isEmpty()) {
            put(path, V2Metadata.ATTRIBUTES, document);
        } else if (hierarchy.hasDocument(path)) {
            store.delete(Hierarchy.key(path, V2Metadata.ATTRIBUTES));
        }
        put(path, V2Metadata.GROUP, Json.document(V2Metadata.group()));
    }

    private void put(String path, String name, byte[] document) throws IOException {
        store.put(Hierarchy.key(path, name), ByteBuffer.wrap(document));
    }

    private String name(String path) {
        return StoredArray.name(store, path);
    }
}
