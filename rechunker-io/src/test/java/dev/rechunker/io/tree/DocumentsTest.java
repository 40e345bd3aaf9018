package dev.rechunker.io.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.json.Document;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prefetched documents of a remote store are requested at the same time, and only once. */
class DocumentsTest {
    private static final List<String> KEYS = List.of("a/there", "a/missing", "a/empty");

    private final MemoryKeys memory = new MemoryKeys();
    private final AtomicInteger opened = new AtomicInteger();

    @BeforeEach
    void fill() throws IOException {
        memory.put("a/there", ByteBuffer.wrap(new byte[] {1, 2, 3}));
        memory.put("a/empty", ByteBuffer.allocate(0));
    }

    /** A large document is parsed again only when it was replaced; a small one always. */
    @Test
    void largeDocumentIsParsedOnce(@TempDir Path directory) throws IOException {
        try (KeyStore keys = new DirectoryKeys(directory.resolve("store"))) {
            Documents documents = new Documents(keys);
            String text = "x".repeat((int) ParsedDocuments.LEAST);
            documents.write("g", "large.json", Map.of("a", text));
            documents.write("g", "small.json", Map.of("a", "x"));
            Document first = documents.read("g", "large.json").orElseThrow();
            Document same = documents.read("g", "large.json").orElseThrow();
            assertSame(
                    first.get("a"),
                    documents
                            .prefetch(List.of("g/large.json"))
                            .read("g", "large.json")
                            .orElseThrow()
                            .get("a"));
            assertSame(first.get("a"), same.get("a"));
            assertThrows(
                    UnsupportedOperationException.class, () -> same.members().put("b", 1));
            documents.write("g", "large.json", Map.of("a", text.replace('x', 'y')));
            assertEquals(
                    text.replace('x', 'y'),
                    documents.read("g", "large.json").orElseThrow().get("a"));
            keys.delete("g/large.json");
            assertTrue(documents.read("g", "large.json").isEmpty());
        }
    }

    private interface Opening {
        Optional<ByteSource> open(String key) throws Exception;
    }

    /** {@return the store in memory, declared as remote, whose values are opened by a function} */
    private KeyStore remote(Opening opening) {
        return (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(), new Class<?>[] {KeyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isRemote")) {
                        return true;
                    }
                    if (method.getName().equals("open")) {
                        opened.incrementAndGet();
                        return opening.open((String) arguments[0]);
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void allAreRequestedAtTheSameTimeAndOnce() throws IOException {
        CyclicBarrier all = new CyclicBarrier(KEYS.size());
        KeyStore store = remote(key -> {
            all.await(1, TimeUnit.MINUTES);
            return memory.open(key);
        });
        Documents known = new Documents(store).prefetch(KEYS);
        assertArrayEquals(new byte[] {1, 2, 3}, known.bytes("a/there").orElseThrow());
        assertTrue(known.exists("a/empty"));
        assertFalse(known.exists("a/missing"));
        assertTrue(known.bytes("a/missing").isEmpty());
        assertEquals(KEYS.size(), opened.get());
    }

    @Test
    void failuresAreThoseOfASingleRequest() {
        KeyStore store = remote(key -> {
            if (key.equals("a/missing")) {
                throw new IOException("no answer for " + key);
            }
            return memory.open(key);
        });
        IOException e = assertThrows(IOException.class, () -> new Documents(store).prefetch(KEYS));
        assertEquals("no answer for a/missing", e.getMessage());
    }

    @Test
    void nothingIsPrefetchedFromALocalStore() throws IOException {
        Documents documents = new Documents(memory);
        assertSame(documents, documents.prefetch(KEYS));
    }
}
