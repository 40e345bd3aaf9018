package dev.rechunker.io.tree;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The JSON documents in a key store. */
public final class Documents {
    /** The largest document, in bytes: while it is parsed, its text takes up to four times as much. */
    private static final long LARGEST = Math.min(1L << 28, Runtime.getRuntime().maxMemory() / 16);

    /** The number of nodes in a batch: their documents are in memory at the same time. */
    private static final int BATCH = 64;

    private final KeyStore store;
    private final ParsedDocuments parsed;
    /** The prefetched values, by key. */
    private final Map<String, Optional<Value>> prefetched;

    /**
     * A value of the store.
     *
     * @param bytes the bytes; none if the document is known
     * @param tag what identifies them, if the document is worth keeping
     * @param document the document that was parsed before, if it is still the same
     */
    private record Value(ByteBuffer bytes, Optional<String> tag, Optional<Document> document) {}

    /** Creates a view of the documents of a store. */
    public Documents(KeyStore store) {
        this(store, new ParsedDocuments(), Map.of());
    }

    private Documents(KeyStore store, ParsedDocuments parsed, Map<String, Optional<Value>> prefetched) {
        this.store = store;
        this.parsed = parsed;
        this.prefetched = prefetched;
    }

    /**
     * {@return a view in which the values of some keys are already read} The values are read from a remote store at the
     * same time. Of a local store nothing is read in advance.
     */
    public Documents prefetch(List<String> keys) throws IOException {
        if (!store.isRemote()) {
            return this;
        }
        List<String> unknown = keys.stream()
                .filter(key -> !prefetched.containsKey(key))
                .distinct()
                .toList();
        if (unknown.isEmpty()) {
            return this;
        }
        List<Callable<Optional<Value>>> requests = new ArrayList<>();
        unknown.forEach(key -> requests.add(() -> value(key)));
        List<Optional<Value>> values = new RemoteRequests(store).all(requests);
        Map<String, Optional<Value>> found = new HashMap<>(prefetched);
        for (int i = 0; i < unknown.size(); i++) {
            found.put(unknown.get(i), values.get(i));
        }
        return new Documents(store, parsed, found);
    }

    /** {@return a list of nodes in batches, of which each is small enough that its documents can be prefetched} */
    public static List<List<String>> batches(List<String> nodes) {
        List<List<String>> batches = new ArrayList<>();
        for (int from = 0; from < nodes.size(); from += BATCH) {
            batches.add(nodes.subList(from, Math.min(nodes.size(), from + BATCH)));
        }
        return batches;
    }

    /** {@return the document of a node with a name; empty if there is none} */
    public Optional<Document> read(String path, String name) throws IOException {
        String key = NodePaths.below(path, name);
        String where = store.name() + "/" + key;
        Optional<Value> value = value(key);
        if (value.isEmpty() || value.get().document().isPresent()) {
            return value.flatMap(Value::document);
        }
        Document document =
                new Document(where, JsonParser.object(where, value.get().bytes().array()));
        value.get().tag().ifPresent(tag -> parsed.keep(key, tag, document));
        return Optional.of(document);
    }

    /**
     * {@return the value of a key; empty if there is none}
     *
     * @throws StoreException if the value is too large for metadata
     */
    public Optional<byte[]> bytes(String key) throws IOException {
        Optional<Value> known = prefetched.getOrDefault(key, Optional.empty());
        if (prefetched.containsKey(key) && known.flatMap(Value::document).isEmpty()) {
            return known.map(value -> value.bytes().array());
        }
        Optional<ByteSource> opened = store.open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource source = opened.get()) {
            return Optional.of(content(key, source).array());
        }
    }

    private ByteBuffer content(String key, ByteSource source) throws IOException {
        if (source.size() > LARGEST) {
            throw new StoreException(
                    store.name() + "/" + key + " has " + source.size() + " bytes, but metadata may have at most "
                            + LARGEST + " bytes with this size of the heap; raise -Xmx");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
        source.read(0, bytes);
        return bytes;
    }

    /** {@return a value, of which a large document is not read and parsed again if it has not changed} */
    private Optional<Value> value(String key) throws IOException {
        if (prefetched.containsKey(key)) {
            return prefetched.get(key);
        }
        Optional<ByteSource> opened = store.open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource source = opened.get()) {
            Optional<String> tag = source.size() >= ParsedDocuments.LEAST ? source.tag() : Optional.empty();
            Optional<Document> known = tag.flatMap(same -> parsed.get(key, same));
            return Optional.of(
                    new Value(known.isPresent() ? ByteBuffer.allocate(0) : content(key, source), tag, known));
        }
    }

    /** {@return whether a key has a value} */
    public boolean exists(String key) throws IOException {
        if (prefetched.containsKey(key)) {
            return prefetched.get(key).isPresent();
        }
        Optional<ByteSource> source = store.open(key);
        if (source.isPresent()) {
            source.get().close();
        }
        return source.isPresent();
    }

    /**
     * Changes members of a document of a node. The document is replaced in one step.
     *
     * @throws StoreException if there is no such document
     */
    public void replace(String path, String name, Map<String, ?> members) throws IOException {
        Document old = read(path, name)
                .orElseThrow(() ->
                        new StoreException(store.name() + "/" + NodePaths.below(path, name) + " no longer exists"));
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(old.members());
        changed.putAll(members);
        write(path, name, changed);
    }

    /** Stores a document of a node, and replaces the previous one. */
    public void write(String path, String name, Map<String, ? extends @Nullable Object> document) throws IOException {
        store.put(NodePaths.below(path, name), ByteBuffer.wrap(Json.document(document)));
    }
}
