package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.memory.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What directories and zip files promise besides the contract. */
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
    void nothingIsLeftOfSinks() throws IOException {
        Path root = temporary.resolve("d");
        KeyStore store = new DirectoryKeys(root);
        try (ByteSink sink = store.create("a/k", 1, Scratch.allocate(0))) {
            sink.write(0, ByteBuffer.allocate(1));
        }
        assertEquals(0, files(root));
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
    }

    @Test
    void whatIsNoZipFileIsRefused() throws IOException {
        Path file = Files.writeString(temporary.resolve("x.zip"), "no");
        assertThrows(StoreException.class, () -> ZipKeys.open(file));
    }
}
