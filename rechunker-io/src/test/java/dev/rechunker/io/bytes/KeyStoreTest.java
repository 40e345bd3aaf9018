package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys stay inside, values are whole or absent. */
class KeyStoreTest {
    @TempDir
    Path temporary;

    private static byte[] read(KeyStore store, String key) throws IOException {
        try (ByteSource source = store.open(key).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(0, bytes);
            return bytes.array();
        }
    }

    private static long files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).count();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", ".", "..", "a/../b", "../a", "a\\b", "c:a", "a\u0000b", "./a"})
    void keysThatAreNoneAreRefused(String key) {
        KeyStore store = new DirectoryKeys(temporary);
        assertThrows(StoreException.class, () -> store.open(key));
        assertThrows(StoreException.class, () -> store.put(key, ByteBuffer.allocate(1)));
        assertThrows(StoreException.class, () -> store.delete(key));
        assertThrows(StoreException.class, () -> store.deleteTree(key));
    }

    @Test
    void linksOutOfTheStoreAreRefused() throws IOException {
        Path root = Files.createDirectories(temporary.resolve("root"));
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "x");
        Files.createSymbolicLink(root.resolve("out"), outside);
        Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret"));
        Files.writeString(root.resolve("value"), "v");
        Files.createSymbolicLink(root.resolve("inside"), root.resolve("value"));
        KeyStore store = new DirectoryKeys(root);
        assertThrows(StoreException.class, () -> store.open("out/secret"));
        assertThrows(StoreException.class, () -> store.open("file"));
        assertThrows(StoreException.class, () -> store.list("out"));
        assertThrows(StoreException.class, () -> store.put("out/new", ByteBuffer.allocate(1)));
        assertThrows(StoreException.class, () -> store.put("out/deep/new", ByteBuffer.allocate(1)));
        assertThrows(StoreException.class, () -> store.delete("out/secret"));
        assertThrows(StoreException.class, () -> store.deleteTree("out/secret"));
        assertThrows(StoreException.class, () -> store.deleteBelow("out", name -> true));
        assertEquals(1, read(store, "inside").length);
        store.deleteTree("out");
        assertTrue(Files.exists(outside.resolve("secret")));
        assertFalse(Files.exists(outside.resolve("new")));
        assertFalse(Files.exists(root.resolve("out")));
    }

    @Test
    void valuesAreReadFromAnyPlace() throws IOException {
        byte[] value = new byte[300_000];
        new Random(1).nextBytes(value);
        Path zip = temporary.resolve("a.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            out.putNextEntry(new ZipEntry("a/b"));
            out.write(value);
        }
        KeyStore directory = new DirectoryKeys(temporary.resolve("d"));
        directory.put("a/b", ByteBuffer.wrap(value));
        try (KeyStore zipped = ZipKeys.open(zip)) {
            for (KeyStore store : List.of(directory, zipped)) {
                assertEquals(new Listing(List.of("b"), List.of()), store.list("a"));
                assertEquals(new Listing(List.of(), List.of("a")), store.list(""));
                assertTrue(store.list("nothing").isEmpty());
                assertEquals(Optional.empty(), store.open("a"));
                assertEquals(Optional.empty(), store.open("a/c"));
                assertEquals(Optional.empty(), store.open("a/b/c"));
                assertArrayEquals(value, read(store, "a/b"));
                try (ByteSource source = store.open("a/b").orElseThrow()) {
                    for (int offset : new int[] {200_000, 5, 100_000, 299_999}) {
                        ByteBuffer part = ByteBuffer.allocateDirect(Math.min(70_000, 300_000 - offset));
                        source.read(offset, part);
                        assertEquals(ByteBuffer.wrap(value, offset, part.capacity()), part.flip());
                    }
                    assertThrows(EOFException.class, () -> source.read(299_999, ByteBuffer.allocate(2)));
                    assertThrows(EOFException.class, () -> source.read(400_000, ByteBuffer.allocate(2)));
                }
            }
            assertThrows(UnsupportedOperationException.class, () -> zipped.put("x", ByteBuffer.allocate(1)));
        }
    }

    @Test
    void aValueIsThereWhenItIsCommitted() throws IOException {
        KeyStore store = new DirectoryKeys(temporary.resolve("d"));
        store.put("k", ByteBuffer.wrap(new byte[] {1}));
        try (ByteSink sink = store.create("k")) {
            sink.write(2, ByteBuffer.wrap(new byte[] {5}));
            assertArrayEquals(new byte[] {1}, read(store, "k"));
            assertEquals(List.of("k"), store.list("").values());
        }
        assertArrayEquals(new byte[] {1}, read(store, "k"));
        try (ByteSink sink = store.create("k")) {
            sink.write(2, ByteBuffer.wrap(new byte[] {5}));
            sink.write(0, ByteBuffer.wrap(new byte[] {3, 4}));
            sink.commit();
        }
        assertArrayEquals(new byte[] {3, 4, 5}, read(store, "k"));
        assertEquals(1, files(temporary.resolve("d")));
    }

    @Test
    void deletingTakesWhatIsBelowAndWhatWasLeft() throws IOException {
        Path root = temporary.resolve("d");
        KeyStore store = new DirectoryKeys(root);
        for (String key : List.of("a/c/0/0", "a/c/0/1", "a/keep", "ab/x")) {
            store.put(key, ByteBuffer.allocate(1));
        }
        Files.writeString(root.resolve("a").resolve(Keys.TEMPORARY + "1"), "left");
        store.put("a/c/0/notes", ByteBuffer.allocate(1));
        store.put("a/c/mine/0", ByteBuffer.allocate(1));
        store.deleteBelow("a", name -> name.matches("c|[0-9]+"));
        assertEquals(new Listing(List.of("keep"), List.of("c")), store.list("a"));
        assertEquals(new Listing(List.of("notes"), List.of()), store.list("a/c/0"));
        assertEquals(new Listing(List.of("0"), List.of()), store.list("a/c/mine"));
        store.delete("a/c/0/notes");
        store.delete("a/c/mine/0");
        store.deleteBelow("a", name -> name.matches("c|mine|[0-9]+"));
        assertEquals(new Listing(List.of("keep"), List.of()), store.list("a"));
        assertEquals(2, files(root));
        store.put("a/c/0/0", ByteBuffer.allocate(1));
        store.delete("a/keep");
        store.delete("a/keep");
        store.deleteTree("a");
        store.deleteTree("a");
        assertEquals(new Listing(List.of(), List.of("ab")), store.list(""));
        store.put("a/c/0/0", ByteBuffer.allocate(1));
        assertEquals(1, read(store, "a/c/0/0").length);
    }

    @Test
    void whatIsNoZipFileIsRefused() throws IOException {
        Path file = Files.writeString(temporary.resolve("x.zip"), "no");
        assertThrows(StoreException.class, () -> ZipKeys.open(file));
    }
}
