package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.hdf5.read.Corpus.Expected;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tests that every dataset of the corpus is read correctly, or refused by name. */
class CorpusTest {
    /** The datasets that are not supported, and a word of the message. */
    private static final Map<String, String> REFUSED = new TreeMap<>(Map.of("odd_ext/d", "external storage"));

    @TempDir
    static Path directory;

    private static Corpus corpus = new Corpus(Path.of(""), List.of());

    @BeforeAll
    static void unpack() throws IOException {
        corpus = Corpus.unpack(directory);
    }

    /** Opens a file of the corpus. */
    private interface Opener {
        ChunkStore open(String file) throws IOException;
    }

    @TestFactory
    Stream<DynamicTest> everyDataset() {
        return tests(file -> Hdf5.open(corpus.directory().resolve(file)));
    }

    /** Files of a remote store are read by requests, and cached in blocks. */
    @TestFactory
    Stream<DynamicTest> everyDatasetAsAValueOfARemoteStore() throws IOException {
        KeyStore memory = new MemoryKeys();
        for (String file : corpus.datasets().stream().map(Expected::file).collect(Collectors.toSet())) {
            memory.put(
                    file, ByteBuffer.wrap(Files.readAllBytes(corpus.directory().resolve(file))));
        }
        KeyStore remote = (KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(),
                new Class<?>[] {KeyStore.class},
                (proxy, method, arguments) ->
                        method.getName().equals("isRemote") ? true : method.invoke(memory, arguments));
        return tests(file -> Hdf5.open(remote, file));
    }

    private static Stream<DynamicTest> tests(Opener opener) {
        assertEquals(217, corpus.datasets().size());
        return corpus.datasets().stream()
                .map(expected -> DynamicTest.dynamicTest(
                        expected.file() + " " + expected.path(), () -> check(expected, opener)));
    }

    private static void check(Expected expected, Opener opener) throws IOException {
        try (ChunkStore store = opener.open(expected.file())) {
            String word = REFUSED.get(expected.path());
            if (word != null) {
                for (var refusal : List.of(
                        assertThrows(StoreException.class, () -> store.node(expected.path())),
                        assertThrows(StoreException.class, () -> store.openReader(expected.path())))) {
                    String message = String.valueOf(refusal.getMessage());
                    assertTrue(message.contains(word) && message.contains("#" + expected.path()), message);
                }
                return;
            }
            try (ArrayReader reader = store.openReader(expected.path())) {
                ArraySpec spec = reader.spec();
                assertArrayEquals(expected.shape(), spec.shape().toArray());
                boolean big = expected.dtype().startsWith(">");
                assertEquals(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, spec.byteOrder());
                byte[] read = Data.readAll(reader);
                assertArrayEquals(expected.elements(), read);
                boolean plain = spec.codecs().isEmpty();
                assertEquals(plain, reader.traits().granularity() == Granularity.BYTES);
            }
        }
    }

    @Test
    void unreadableObjectsDoNotHideOthers() throws IOException {
        try (ChunkStore store = Hdf5.open(corpus.directory().resolve("f_latest.h5"))) {
            assertEquals(List.of("dangling", "ext", "hard", "soft"), store.children("lnk"));
            assertTrue(store.node("lnk/hard").isPresent());
            assertTrue(store.node("lnk/soft").isPresent());
            for (String bad : List.of("lnk/dangling", "lnk/ext")) {
                String message = String.valueOf(assertThrows(StoreException.class, () -> store.node(bad))
                        .getMessage());
                assertTrue(message.contains("link"), message);
            }
            assertEquals(3000, store.children("many").size());
        }
    }
}
