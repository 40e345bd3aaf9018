package dev.rechunker.io.tree;

import dev.rechunker.hierarchy.NodePaths;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
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
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** The JSON documents in a key store. */
public final class Documents {
    /** The largest document, in bytes: while it is parsed, its text takes up to four times as much. */
    private static final long LARGEST = Math.min(1L << 28, Runtime.getRuntime().maxMemory() / 16);

    private final KeyStore store;
    /** The prefetched values, by key. */
    private final Map<String, Optional<byte[]>> prefetched;

    /** Creates a view of the documents of a store. */
    public Documents(KeyStore store) {
        this(store, Map.of());
    }

    private Documents(KeyStore store, Map<String, Optional<byte[]>> prefetched) {
        this.store = store;
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
        Map<String, FutureTask<Optional<byte[]>>> requested = new LinkedHashMap<>();
        try {
            for (String key : keys) {
                FutureTask<Optional<byte[]>> reading = new FutureTask<>(() -> bytes(key));
                requested.put(key, reading);
                start(reading);
            }
            Map<String, Optional<byte[]>> found = new LinkedHashMap<>(prefetched);
            for (Map.Entry<String, FutureTask<Optional<byte[]>>> each : requested.entrySet()) {
                found.put(each.getKey(), result(each.getValue()));
            }
            return new Documents(store, found);
        } finally {
            requested.values().forEach(reading -> reading.cancel(true));
        }
    }

    private static void start(FutureTask<?> reading) {
        Thread thread = new Thread(reading, "rechunker-metadata");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) { // the system has no more threads
            reading.run();
        }
    }

    private static Optional<byte[]> result(Future<Optional<byte[]>> requested) throws IOException {
        try {
            return requested.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
        }
    }

    /** {@return the document of a node with a name; empty if there is none} */
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
     * {@return the value of a key; empty if there is none}
     *
     * @throws StoreException if the value is too large for metadata
     */
    public Optional<byte[]> bytes(String key) throws IOException {
        if (prefetched.containsKey(key)) {
            return prefetched.get(key);
        }
        Optional<ByteSource> opened = store.open(key);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (ByteSource source = opened.get()) {
            if (source.size() > LARGEST) {
                throw new StoreException(
                        store.name() + "/" + key + " has " + source.size() + " bytes, but metadata may have at most "
                                + LARGEST + " bytes with this size of the heap; raise -Xmx");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(0, bytes);
            return Optional.of(bytes.array());
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
     * Changes one member of a document of a node. The document is replaced in one step.
     *
     * @throws StoreException if there is no such document
     */
    public void replace(String path, String name, String member, Object value) throws IOException {
        Document old = read(path, name)
                .orElseThrow(() ->
                        new StoreException(store.name() + "/" + NodePaths.below(path, name) + " no longer exists"));
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(old.members());
        changed.put(member, value);
        write(path, name, changed);
    }

    /** Stores a document of a node, and replaces the previous one. */
    public void write(String path, String name, Map<String, ? extends @Nullable Object> document) throws IOException {
        store.put(NodePaths.below(path, name), ByteBuffer.wrap(Json.document(document)));
    }
}
