package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every key store. Stores that can only be read must refuse to write. */
public abstract class KeyStoreContract {
    private static final int LARGE = 300_000;

    /** Creates the tests. */
    protected KeyStoreContract() {}

    /** {@return a store with exactly these values} */
    protected abstract KeyStore storeOf(Map<String, byte[]> values) throws IOException;

    /** {@return a key of characters that mean something elsewhere; its first part is {@code größe}} */
    protected String oddKey() {
        return "größe/ü +%41&=#?é:1";
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private static byte[] read(KeyStore store, String key) throws IOException {
        try (ByteSource source = store.open(key).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(0, bytes);
            return bytes.array();
        }
    }

    private KeyStore sample() throws IOException {
        Map<String, byte[]> values = new TreeMap<>();
        values.put("a/large", bytes(LARGE));
        values.put("a/b/c", bytes(10));
        values.put("a/b.d", bytes(11));
        values.put("ab/x", bytes(12));
        values.put("a/empty", new byte[0]);
        values.put("top", bytes(13));
        values.put(oddKey(), bytes(14));
        return storeOf(values);
    }

    @Test
    void valuesAreReadFromAnyPosition() throws IOException {
        byte[] value = bytes(LARGE);
        try (KeyStore store = sample()) {
            assertArrayEquals(value, read(store, "a/large"));
            List<Span> firsts =
                    List.of(Span.ALL, Span.last(100), Span.last(LARGE * 2), new Span(5, 7), new Span(200_000, LARGE));
            for (Span first : firsts) {
                try (ByteSource source = store.open("a/large", first).orElseThrow()) {
                    assertEquals(LARGE, source.size());
                    for (int offset : new int[] {LARGE - 100, 200_000, 5, 12, 8, 100_000, LARGE - 1, 0, LARGE}) {
                        ByteBuffer part = ByteBuffer.allocateDirect(Math.min(70_000, LARGE - offset));
                        source.read(offset, part);
                        assertFalse(part.hasRemaining());
                        assertEquals(
                                ByteBuffer.wrap(value, offset, part.capacity()), part.flip(), first + " " + offset);
                    }
                    assertThrows(EOFException.class, () -> source.read(LARGE - 1, ByteBuffer.allocate(2)));
                    assertThrows(EOFException.class, () -> source.read(LARGE * 2, ByteBuffer.allocate(2)));
                }
            }
        }
    }

    /**
     * Parts are put in any order, by several threads, each in several buffers. The value is visible once it is
     * committed.
     */
    @Test
    void valuesArePutInParts() throws Exception {
        try (KeyStore store = sample()) {
            if (store.partBytes() == 0) {
                assertThrows(UnsupportedOperationException.class, () -> store.createInParts("a/large", 1));
                return;
            }
            for (int parts : new int[] {1, 2, 5}) {
                int each = (int) store.partBytes();
                byte[] value = bytes((parts - 1) * each + 1234);
                try (SpillStore.Value given = store.createInParts("a/given-up-" + parts, parts)) {
                    given.put(0, List.of(ByteBuffer.wrap(value, 0, Math.min(each, value.length))));
                }
                try (SpillStore.Value made = store.createInParts("a/large", parts)) {
                    IntStream.range(0, parts).parallel().forEach(i -> {
                        int number = parts - 1 - i;
                        int end = Math.min(value.length, (number + 1) * each);
                        int cut = number * each + 100;
                        ByteBuffer first = ByteBuffer.wrap(value, number * each, 100);
                        ByteBuffer rest = ByteBuffer.wrap(value, cut, end - cut);
                        try {
                            made.put(number, List.of(first, rest));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        assertEquals(100, first.remaining(), "buffers are not moved");
                    });
                    made.commit();
                }
                assertArrayEquals(value, read(store, "a/large"));
                assertTrue(parts == 1 || store.open("a/given-up-" + parts).isEmpty(), "an incomplete value is visible");
            }
        }
    }

    @Test
    void incompleteAndAbandonedValuesAreNotCommitted() throws IOException {
        try (KeyStore store = sample()) {
            for (int parts = 1; parts <= 3 && store.partBytes() > 0; parts++) {
                List<ByteBuffer> part = List.of(ByteBuffer.allocate((int) store.partBytes()));
                for (int missing = 0; missing < parts; missing++) {
                    try (SpillStore.Value value = store.createInParts("a/large", parts)) {
                        for (int i = 0; i < parts; i++) {
                            if (i != missing) {
                                value.put(i, part);
                            }
                        }
                        assertThrows(IllegalStateException.class, value::commit);
                        value.put(missing, part);
                        value.commit();
                    }
                    store.delete("a/large");
                }
                SpillStore.Value value = store.createInParts("a/large", parts);
                for (int i = 0; i < parts; i++) {
                    value.put(i, part);
                }
                value.close();
                assertThrows(IllegalStateException.class, value::commit);
                assertThrows(IllegalStateException.class, () -> value.put(0, part));
                assertTrue(parts == 1 || store.open("a/large").isEmpty());
            }
        }
    }

    @Test
    void missingValuesAreEmpty() throws IOException {
        try (KeyStore store = sample()) {
            assertEquals(Optional.empty(), store.open("a"));
            assertEquals(Optional.empty(), store.open("a/c"));
            assertEquals(Optional.empty(), store.open("nothing/at/all", Span.last(7)));
            assertEquals(Optional.empty(), store.open("top/below"));
        }
    }

    @Test
    void emptyValuesAndOddNamesAreValues() throws IOException {
        try (KeyStore store = sample()) {
            assertEquals(0, read(store, "a/empty").length);
            try (ByteSource source = store.open("a/empty", Span.last(16)).orElseThrow()) {
                assertEquals(0, source.size());
                assertThrows(EOFException.class, () -> source.read(0, ByteBuffer.allocate(1)));
            }
            assertArrayEquals(bytes(14), read(store, oddKey()));
        }
    }

    @Test
    void listingsNameWhatIsDirectlyBelow() throws IOException {
        try (KeyStore store = sample()) {
            if (!store.isListable()) {
                assertThrows(UnsupportedOperationException.class, () -> store.list(""));
                return;
            }
            assertEquals(new Listing(List.of("top"), List.of("a", "ab", "größe")), store.list(""));
            assertEquals(new Listing(List.of("b.d", "empty", "large"), List.of("b")), store.list("a"));
            assertEquals(new Listing(List.of("c"), List.of()), store.list("a/b"));
            assertTrue(store.list("nothing").isEmpty());
            assertTrue(store.list("top").isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "a\\b", "a\u0000b", "./a"})
    void malformedKeysAreRefused(String key) throws IOException {
        try (KeyStore store = storeOf(Map.of("k", bytes(1)))) {
            assertThrows(StoreException.class, () -> store.open(key));
            if (store.isWritable()) {
                assertThrows(StoreException.class, () -> store.put(key, ByteBuffer.allocate(1)));
                assertThrows(StoreException.class, () -> store.create(key, 1, Scratch.allocate(1)));
                assertThrows(StoreException.class, () -> store.delete(key));
                assertThrows(StoreException.class, () -> store.deleteTree(key));
            }
        }
    }

    @Test
    void readOnlyStoresRefuseToWrite() throws IOException {
        try (KeyStore store = sample()) {
            if (!store.isWritable()) {
                ByteBuffer one = ByteBuffer.allocate(1);
                assertThrows(UnsupportedOperationException.class, () -> store.put("x", one));
                assertThrows(UnsupportedOperationException.class, () -> store.putNew("x", one));
                assertThrows(UnsupportedOperationException.class, () -> store.create("x", 1, Scratch.allocate(1)));
                assertThrows(UnsupportedOperationException.class, () -> store.delete("top"));
                assertThrows(UnsupportedOperationException.class, () -> store.deleteTree("a"));
                assertThrows(UnsupportedOperationException.class, () -> store.deleteBelow("a", name -> true));
            }
        }
    }

    @Test
    void aValueIsVisibleOnceItIsCommitted() throws IOException {
        try (KeyStore store = storeOf(Map.of("k", new byte[] {1}))) {
            if (!store.isWritable()) {
                return;
            }
            try (ByteSink sink = sink(store, "k", 3)) {
                sink.write(2, ByteBuffer.wrap(new byte[] {5}));
                assertArrayEquals(new byte[] {1}, read(store, "k"));
                assertEquals(List.of("k"), store.list("").values());
            }
            assertArrayEquals(new byte[] {1}, read(store, "k"));
            try (ByteSink sink = sink(store, "k", 9)) {
                sink.write(2, ByteBuffer.wrap(new byte[] {5}));
                sink.write(0, ByteBuffer.wrap(new byte[] {3, 4}));
                sink.commit();
            }
            assertArrayEquals(new byte[] {3, 4, 5}, read(store, "k"));
            assertEquals(new Listing(List.of("k"), List.of()), store.list(""));
        }
    }

    private static ByteSink sink(KeyStore store, String key, long most) throws IOException {
        return store.create(key, most, Scratch.allocate((int) store.sinkScratch(most)));
    }

    /** A value that is larger than any store sends at once, written as a shard with its index at the start. */
    @Test
    void largeValuesAreWrittenInPieces() throws IOException {
        byte[] value = bytes(37 << 20);
        try (KeyStore store = storeOf(Map.of())) {
            if (!store.isWritable()) {
                return;
            }
            try (ByteSink sink = sink(store, "abandoned", value.length)) {
                sink.write(0, ByteBuffer.wrap(value));
            }
            assertEquals(Optional.empty(), store.open("abandoned"));
            try (ByteSink sink = sink(store, "large", value.length)) {
                int piece = 1_234_567;
                for (int at = 1000; at < value.length; at += piece) {
                    sink.write(at, ByteBuffer.wrap(value, at, Math.min(piece, value.length - at)));
                }
                sink.write(0, ByteBuffer.wrap(value, 0, 1000));
                sink.commit();
            }
            assertArrayEquals(value, read(store, "large"));
            assertEquals(new Listing(List.of("large"), List.of()), store.list(""));
        }
    }

    /** A compressor may give up late and store a plain copy instead. */
    @Test
    void aLargeValueMayStartAgain() throws IOException {
        byte[] value = bytes(26 << 20);
        byte[] given = new byte[value.length - 5];
        try (KeyStore store = storeOf(Map.of())) {
            if (!store.isWritable()) {
                return;
            }
            try (ByteSink sink = sink(store, "large", value.length)) {
                sink.write(0, ByteBuffer.wrap(given));
                sink.write(0, ByteBuffer.wrap(value));
                sink.commit();
            }
            assertArrayEquals(value, read(store, "large"));
        }
    }

    @Test
    void onlyOneOfManyPutsTheFirstValue() throws Exception {
        try (KeyStore store = storeOf(Map.of("old", bytes(1)))) {
            if (!store.isWritable()) {
                return;
            }
            assertFalse(store.putNew("old", ByteBuffer.wrap(bytes(2))));
            assertArrayEquals(bytes(1), read(store, "old"));
            assertTrue(store.putNew("a/new", ByteBuffer.wrap(bytes(2))));
            assertArrayEquals(bytes(2), read(store, "a/new"));
        }
    }

    @Test
    void deletingATreeDeletesWhatIsBelow() throws IOException {
        Map<String, byte[]> values = new TreeMap<>();
        for (String key : List.of("a/c/0/0", "a/c/0/1", "a/c/not", "a/keep", "a/ck", "ab/x", "top")) {
            values.put(key, bytes(1));
        }
        try (KeyStore store = storeOf(values)) {
            if (!store.isWritable()) {
                return;
            }
            store.deleteBelow("a", name -> name.equals("c") || name.matches("[0-9]"));
            assertEquals(new Listing(List.of("ck", "keep"), List.of("c")), store.list("a"));
            assertEquals(new Listing(List.of("not"), List.of()), store.list("a/c"));
            store.put("a/c/0/0", ByteBuffer.allocate(1));
            store.delete("a/keep");
            store.delete("a/keep");
            store.delete("nothing/here");
            store.deleteTree("a");
            store.deleteTree("a");
            assertEquals(new Listing(List.of("top"), List.of("ab")), store.list(""));
            store.put("a/c/0/0", ByteBuffer.allocate(1));
            assertEquals(1, read(store, "a/c/0/0").length);
            store.deleteBelow("", name -> name.equals("top"));
            assertEquals(new Listing(List.of(), List.of("a", "ab")), store.list(""));
        }
    }

    @Test
    void manyThreadsReadAndWriteAtTheSameTime() throws Exception {
        Map<String, byte[]> values = new TreeMap<>();
        IntStream.range(0, 40).forEach(i -> values.put("v/" + i, bytes(1000 * i)));
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try (KeyStore store = storeOf(values)) {
            List<Future<Object>> done = threads.invokeAll(IntStream.range(0, 40)
                    .<java.util.concurrent.Callable<Object>>mapToObj(i -> () -> {
                        assertArrayEquals(bytes(1000 * i), read(store, "v/" + i));
                        if (store.isWritable()) {
                            store.put("w/" + i, ByteBuffer.wrap(bytes(1000 * i)));
                        }
                        return i;
                    })
                    .toList());
            for (Future<Object> each : done) {
                each.get();
            }
            for (int i = 0; store.isWritable() && i < 40; i++) {
                assertArrayEquals(bytes(1000 * i), read(store, "w/" + i));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void readingAReplacedValueFails() throws IOException {
        try (KeyStore store = storeOf(Map.of("k", bytes(2 << 20)))) {
            if (!store.isWritable() || !store.isRemote()) {
                return;
            }
            try (ByteSource source = store.open("k", new Span(0, 10)).orElseThrow()) {
                source.read(0, ByteBuffer.allocate(10));
                store.put("k", ByteBuffer.wrap(new byte[2 << 20]));
                StoreException refused =
                        assertThrows(StoreException.class, () -> source.read(1 << 20, ByteBuffer.allocate(10)));
                assertTrue(String.valueOf(refused.getMessage()).contains("was replaced"), refused.getMessage());
            }
        }
    }
}
