package dev.rechunker.io.tree;

import dev.rechunker.array.NodePaths;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.memory.WorkerPool;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The JSON documents in a key store. */
public final class Documents {
    /** As text it takes up to four times its bytes for a while. */
    private static final long LARGEST = Math.min(1L << 28, Runtime.getRuntime().maxMemory() / 16);

    private final KeyStore store;
    /** What was asked for ahead, by key. */
    private final Map<String, Optional<byte[]>> known;

    /** Creates the view of a store's documents. */
    public Documents(KeyStore store) {
        this(store, Map.of());
    }

    private Documents(KeyStore store, Map<String, Optional<byte[]>> known) {
        this.store = store;
        this.known = known;
    }

    /**
     * {@return a view for whoever is going to look at these keys one after the other: of a remote store all of them are
     * asked for now, at the same time}
     */
    public Documents ahead(List<String> keys) throws IOException {
        if (!store.isRemote()) {
            return this;
        }
        WorkerPool threads = new WorkerPool(keys.size());
        try {
            Map<String, Future<Optional<byte[]>>> asked = new LinkedHashMap<>();
            for (String key : keys) {
                asked.put(key, threads.submit(() -> bytes(key)));
            }
            Map<String, Optional<byte[]>> found = new LinkedHashMap<>(known);
            for (Map.Entry<String, Future<Optional<byte[]>>> each : asked.entrySet()) {
                found.put(each.getKey(), answer(each.getValue()));
            }
            return new Documents(store, found);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Optional<byte[]> answer(Future<Optional<byte[]>> asked) throws IOException {
        try {
            return asked.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
        }
    }

    /** {@return the document of a node, or empty if it has none of this name} */
    public Optional<Document> read(String path, String name) throws IOException {
        String key = NodePaths.below(path, name);
        String where = store.name() + "/" + key;
        Optional<byte[]> bytes = bytes(key);
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Document(where, JsonParser.object(where, bytes.get())));
    }

    /**
     * {@return the value of a key, or empty if there is none}
     *
     * @throws StoreException if it is larger than metadata may be
     */
    public Optional<byte[]> bytes(String key) throws IOException {
        if (known.containsKey(key)) {
            return known.get(key);
        }
        Optional<ByteSource> opened = store.open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource source = opened.get()) {
            if (source.size() > LARGEST) {
                throw new StoreException(store.name() + "/" + key + " has " + source.size()
                        + " bytes, more than metadata may have in this heap: " + LARGEST);
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(0, bytes);
            return Optional.of(bytes.array());
        }
    }

    /** {@return whether there is such a value} */
    public boolean exists(String key) throws IOException {
        if (known.containsKey(key)) {
            return known.get(key).isPresent();
        }
        Optional<ByteSource> source = store.open(key);
        if (source.isPresent()) {
            source.get().close();
        }
        return source.isPresent();
    }

    /**
     * Changes one member of a document of a node, in one step.
     *
     * @throws StoreException if there is no such document
     */
    public void replace(String path, String name, String member, Object value) throws IOException {
        Document old = read(path, name)
                .orElseThrow(() -> new StoreException(store.name() + "/" + NodePaths.below(path, name) + " is gone"));
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(old.members());
        changed.put(member, value);
        write(path, name, changed);
    }

    /** Stores a document of a node, in the place of the one that was there. */
    public void write(String path, String name, Map<String, ? extends @Nullable Object> document) throws IOException {
        store.put(NodePaths.below(path, name), ByteBuffer.wrap(Json.document(document)));
    }
}
