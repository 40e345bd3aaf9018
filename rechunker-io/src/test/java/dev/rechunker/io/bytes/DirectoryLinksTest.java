package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links in directories, to files outside of them and to nothing. */
class DirectoryLinksTest {
    @TempDir
    Path temporary = Path.of("");

    private Path root = Path.of("");
    private Path outside = Path.of("");

    @BeforeEach
    void makeDirectories() throws IOException {
        root = Files.createDirectories(temporary.resolve("repository/d/root"));
        outside = Files.createDirectories(temporary.resolve("outside"));
        Files.writeString(outside.resolve("value"), "abc");
    }

    private static long size(KeyStore keys, String key) throws IOException {
        try (ByteSource source = keys.open(key).orElseThrow(() -> new AssertionError(key))) {
            return source.size();
        }
    }

    /** Content that was not fetched must not be taken for elements that were never written. */
    @Test
    void linksToNothingAreErrors() throws IOException {
        Files.createSymbolicLink(root.resolve("0"), Path.of("../../annex/K1"));
        Files.createSymbolicLink(root.resolve("c"), outside.resolve("gone"));
        for (DirectoryKeys keys : List.of(new DirectoryKeys(root), DirectoryKeys.followingLinks(root))) {
            for (String key : List.of("0", "c/0/1", "c")) {
                StoreException dead = assertThrows(StoreException.class, () -> keys.open(key), key);
                assertTrue(
                        String.valueOf(dead.getMessage()).contains("which does not exist; if git-annex or DataLad"),
                        dead::getMessage);
            }
            assertTrue(keys.open("1").isEmpty());
            assertTrue(keys.open("d/0/1").isEmpty());
            assertEquals(List.of("0", "c"), keys.list("").directories(), "what they led to is not known");
        }
    }

    @Test
    void linksOutOfTheStoreAreFollowedIfAllowed() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), outside);
        Files.createSymbolicLink(root.resolve("0"), outside.resolve("value"));
        StoreException refused = assertThrows(StoreException.class, () -> new DirectoryKeys(root).open("0"));
        assertTrue(String.valueOf(refused.getMessage()).contains("--follow-links"), refused::getMessage);
        KeyStore keys = DirectoryKeys.followingLinks(root);
        assertEquals(3, size(keys, "0"));
        assertEquals(3, size(keys, "link/value"));
        assertEquals(List.of("value"), keys.list("link").values());
        assertEquals(List.of("link"), keys.list("").directories());
        assertThrows(StoreException.class, () -> keys.put("link/value", ByteBuffer.allocate(1)));
        assertThrows(StoreException.class, () -> keys.put("link/new", ByteBuffer.allocate(1)));
        assertThrows(StoreException.class, () -> keys.delete("link/value"));
        assertThrows(StoreException.class, () -> keys.deleteBelow("link", name -> true));
        assertEquals("abc", Files.readString(outside.resolve("value")));
        assertFalse(Files.exists(outside.resolve("new")));
    }

    /** git-annex replaces each file by a link into the repository. */
    @ParameterizedTest
    @ValueSource(strings = {".git/annex/objects/x/y/K/K", ".git/modules/sub/annex/objects/x/K", "annex/K", "d/annex/K"})
    void contentOfTheAnnexIsRead(String content) throws IOException {
        assertEquals(3, sizeOfLinked(temporary.resolve("repository").resolve(content)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"outside/annex/K", "repository/key", "repository/annex", "repository/x/annex/K", "d/.git/K"})
    void otherFilesAreNotContentOfTheAnnex(String file) {
        assertThrows(StoreException.class, () -> sizeOfLinked(temporary.resolve(file)));
    }

    private long sizeOfLinked(Path file) throws IOException {
        Files.createDirectories(DirectoryPaths.parent(file));
        Files.writeString(file, "abc");
        Files.createSymbolicLink(root.resolve("1"), root.relativize(file));
        return size(new DirectoryKeys(root), "1");
    }

    @Test
    void otherProcessesFollowLinks() throws IOException {
        Files.createSymbolicLink(root.resolve("0"), outside.resolve("value"));
        for (DirectoryKeys keys : List.of(new DirectoryKeys(root), DirectoryKeys.followingLinks(root))) {
            DirectoryKeys again = DirectoryKeys.at(keys.address().orElseThrow());
            assertEquals(keys.address(), again.address());
            assertEquals(keys.identity(), again.identity());
        }
        try (KeyStore again =
                DirectoryKeys.at(DirectoryKeys.followingLinks(root).address().orElseThrow())) {
            assertEquals(3, size(again, "0"));
        }
    }
}
