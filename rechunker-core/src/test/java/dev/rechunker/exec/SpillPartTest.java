package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillPartTest {
    @TempDir
    Path directory;

    @Test
    void failureNamesTheFile() throws IOException {
        Path file = directory.resolve("x.spill");
        try (SpillPart part = new SpillPart()) {
            part.start = 0;
            part.expectWindow();
            // Some file systems refuse to create such a long file; all of them refuse to write beyond the longest
            // possible one.
            IOException e = assertThrows(IOException.class, () -> {
                part.open(new Spills(directory, "run", null), file, Long.MAX_VALUE, SpillFile.Opening.CREATE);
                part.write(ByteBuffer.allocate(8), Long.MAX_VALUE - 1);
            });
            assertTrue(String.valueOf(e.getMessage()).startsWith("the spill " + file + ": "), e.getMessage());
        }
    }
}
