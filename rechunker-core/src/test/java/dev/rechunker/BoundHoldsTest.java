package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Splitter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound as the operating system sees it: an array twenty times as large as the heap, in a JVM of its own. */
@Timeout(180)
class BoundHoldsTest {
    private static final long MAX_MEM = 32_000_000;

    /** What a JVM takes besides. */
    private static final long JVM = 200_000_000;

    @TempDir
    Path directory;

    private record Outcome(int exit, String output) {
        String value(String key) {
            Map<String, String> values = new LinkedHashMap<>();
            for (String line : Splitter.on('\n').split(output)) {
                int equals = line.indexOf('=');
                if (equals > 0) {
                    values.put(
                            line.substring(0, equals),
                            line.substring(equals + 1).trim());
                }
            }
            return values.getOrDefault(key, "");
        }

        long number(String key) {
            return Long.parseLong(value(key));
        }
    }

    private Outcome run(String strategy, long directMemory) throws Exception {
        Path spills = Files.createDirectories(directory.resolve("spills"));
        Path output = directory.resolve("output");
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:MaxDirectMemorySize=" + directMemory,
                        "-cp",
                        classPath,
                        BoundHoldsMain.class.getName(),
                        strategy,
                        Long.toString(MAX_MEM),
                        spills.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(120, TimeUnit.SECONDS), "still running");
        } finally {
            process.destroyForcibly();
        }
        try (Stream<Path> left = Files.list(spills)) {
            assertEquals(List.of(), left.toList(), "spill files left behind");
        }
        return new Outcome(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Spill", "Window"})
    void theBoundHolds(String strategy) throws Exception {
        Outcome outcome = run(strategy, MAX_MEM + (4 << 20));
        assertEquals(0, outcome.exit, outcome::output);
        assertEquals(strategy, outcome.value("strategy"), outcome::output);
        assertEquals(BoundHoldsMain.SHAPE.elements(), outcome.number("elements"), outcome::output);
        assertEquals("right", outcome.value("checksum"), outcome::output);
        assertTrue(outcome.number("measured") <= outcome.number("projected"), outcome::output);
        assertTrue(outcome.number("projected") <= MAX_MEM, outcome::output);
        assertEquals(strategy.equals("Spill"), outcome.number("spilled") > 0, outcome::output);
        if (!outcome.value("resident").isEmpty()) {
            assertTrue(outcome.number("resident") < MAX_MEM + JVM, outcome::output);
        }
    }

    @Test
    void aJvmThatDoesNotGiveTheMemoryIsToldWhichSettingWould() throws Exception {
        Outcome outcome = run("Window", 1 << 20);
        assertNotEquals(0, outcome.exit, outcome::output);
        assertTrue(outcome.output.contains("-XX:MaxDirectMemorySize"), outcome::output);
        assertEquals("", outcome.value("elements"), "something was written");
    }
}
