package dev.rechunker.io.file;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesBesideTest {
    @TempDir
    Path temporary;

    @Test
    void namesAreLookedUpBesideTheFile() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("files"));
        Path file = Files.writeString(directory.resolve("first.bin"), "first");
        Path second = Files.writeString(directory.resolve("second.bin"), "second");
        Path other = Files.writeString(temporary.resolve("other.bin"), "other");
        FilesBeside beside = new FilesBeside(file, false);
        assertTrue(beside.find("second.bin").isPresent());
        assertTrue(beside.find("./x/../second.bin").isPresent());
        assertTrue(beside.find(second.toString()).isPresent());
        assertTrue(beside.find("/nowhere/second.bin").isPresent());
        assertTrue(beside.find("/nowhere/else.bin").isEmpty());
        assertTrue(beside.find("../nothing.bin").isEmpty());
        for (String name : List.of("../other.bin", other.toString())) {
            assertThrows(StoreException.class, () -> beside.find(name));
            assertTrue(new FilesBeside(file, true).find(name).isPresent());
        }
        Path link = Files.createSymbolicLink(temporary.resolve("link.bin"), file);
        assertTrue(new FilesBeside(link, false).find("second.bin").isPresent());
    }
}
