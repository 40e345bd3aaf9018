package dev.rechunker.io.imglib2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A computed image of 1 GB goes through a JVM with a heap of 64 MB, and is looked at through a cache of 16 MB. */
@Timeout(300)
class BoundHoldsTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void theBoundHolds() throws Exception {
        Path output = directory.resolve("output");
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        classPath,
                        BoundHoldsMain.class.getName(),
                        directory.resolve("image.zarr").toString(),
                        "40MB"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(240, TimeUnit.SECONDS), "still running");
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        assertEquals(0, process.exitValue(), said);
        Map<String, Long> values = new HashMap<>();
        said.lines().filter(line -> line.matches("\\w+=\\d+")).forEach(line -> {
            int equals = line.indexOf('=');
            values.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        });
        assertEquals(0L, values.get("wrong"), said);
        assertEquals(2 * BoundHoldsMain.WIDTH * BoundHoldsMain.HEIGHT * BoundHoldsMain.DEPTH, values.get("read"), said);
        assertTrue(values.getOrDefault("measured", Long.MAX_VALUE) <= values.getOrDefault("projected", 0L), said);
        assertTrue(values.getOrDefault("projected", Long.MAX_VALUE) <= 40_000_000, said);
        assertTrue(values.getOrDefault("cache", Long.MAX_VALUE) <= 16_000_000, said);
    }
}
