package dev.rechunker.io.n5api;

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

/** What n5 allocates is inside the bound: 128 MB go through a JVM with a heap of 64 MB, by n5 on both sides. */
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
                        directory.resolve("data").toString(),
                        "48MB"))
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
        assertTrue(values.getOrDefault("measured", Long.MAX_VALUE) <= values.getOrDefault("projected", 0L), said);
        assertTrue(values.getOrDefault("projected", Long.MAX_VALUE) <= 48_000_000, said);
    }
}
