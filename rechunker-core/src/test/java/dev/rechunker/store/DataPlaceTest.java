package dev.rechunker.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataPlaceTest {
    @TempDir
    Path temp = Path.of("");

    @Test
    void placesOverlapIfOneContainsTheOther() {
        DataPlace root = DataPlace.of("memory:1");
        assertEquals(root, DataPlace.of("memory:1/"));
        assertEquals(root, root.below(""));
        assertEquals(root.below("a").below("b"), root.below("a/b"));
        assertTrue(root.overlaps(root.below("a")));
        assertTrue(root.below("a").overlaps(root));
        assertTrue(root.below("a").overlaps(root.below("a")));
        assertFalse(root.below("a").overlaps(root.below("ab")));
        assertFalse(root.overlaps(DataPlace.of("memory:10")));
    }

    @Test
    void linksAreResolvedAsFarAsTheyExist() throws IOException {
        Path directory = Files.createDirectory(temp.resolve("directory"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), directory);
        assertEquals(DataPlace.ofFile(directory), DataPlace.ofFile(link));
        assertEquals(DataPlace.ofFile(directory.resolve("a/b")), DataPlace.ofFile(link.resolve("a/./b")));
        assertTrue(DataPlace.ofFile(temp).overlaps(DataPlace.ofFile(link.resolve("a"))));
    }

    @Test
    void otherNamesOfAFileKeepItsContent() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "content");
        DataPlace.keepOtherNames(file);
        assertTrue(Files.exists(file), "it has no other name");
        Path other = Files.createLink(temp.resolve("other"), file);
        DataPlace.keepOtherNames(file);
        assertFalse(Files.exists(file));
        assertEquals("content", Files.readString(other));
    }
}
