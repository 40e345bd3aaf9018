package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FileNamesTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    @EnabledOnOs(OS.LINUX) // elsewhere the encoding of file names is fixed
    void aNameOutsideOfTheEncodingIsRefused() throws Exception {
        ProcessBuilder process = ChildJvm.of(List.of(), FileNamesMain.class, directory.toString());
        process.environment().put("LC_ALL", "C");
        ChildJvm.Outcome outcome = ChildJvm.run(process, directory.resolve("output.txt"), Duration.ofMinutes(2));
        assertEquals(0, outcome.exit(), outcome::output);
        for (String call : List.of("open", "list")) {
            String said = outcome.value(call);
            assertTrue(said.startsWith(directory + ": \"gr"), outcome::output);
            assertTrue(said.contains("sun.jnu.encoding, is ANSI_X3.4-1968"), outcome::output);
        }
    }
}
