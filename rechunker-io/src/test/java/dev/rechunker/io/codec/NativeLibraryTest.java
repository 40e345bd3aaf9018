package dev.rechunker.io.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that codecs whose native code cannot be unpacked are refused when they are created, and that others are not.
 */
class NativeLibraryTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void libraryThatCannotBeLoadedIsNamed() throws Exception {
        Path nowhere =
                Files.createFile(directory.resolve("file")); // a file, because libraries create missing directories
        ChildJvm.Outcome outcome = ChildJvm.run(
                ChildJvm.of(
                        List.of("-Djava.io.tmpdir=" + nowhere, "-Dorg.xerial.snappy.tempdir=" + nowhere),
                        NativeLibraryMain.class,
                        "zstd",
                        "blosc:cname=zstd",
                        "blosc:cname=snappy",
                        "blosc:cname=snappy",
                        "zstd",
                        "lz4",
                        "blosc:cname=lz4",
                        "gzip"),
                directory.resolve("output.txt"),
                Duration.ofMinutes(2));
        assertEquals(0, outcome.exit(), outcome::output);
        for (String made : List.of("lz4", "blosc:cname=lz4", "gzip")) {
            assertTrue(outcome.output().contains(made + "=made"), outcome::output);
        }
        assertEquals(
                5,
                outcome.output()
                        .lines()
                        .filter(line -> line.contains(
                                "its native library cannot be loaded from java.io.tmpdir (" + nowhere + "): "))
                        .count(),
                outcome::output);
    }
}
