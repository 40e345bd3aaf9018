package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory bound as measured by the operating system, in a JVM that copies an array twenty times as large as its
 * heap.
 */
@Timeout(180)
class BoundHoldsTest {
    private static final long MAX_MEM = 32_000_000;

    /** The memory of the JVM itself in bytes. */
    private static final long JVM = 200_000_000;

    @TempDir
    Path directory;

    private ChildJvm.Outcome run(String strategy, long directMemory) throws Exception {
        Path spills = Files.createDirectories(directory.resolve("spills"));
        ProcessBuilder process = ChildJvm.of(
                List.of("-Xmx24m", "-XX:MaxDirectMemorySize=" + directMemory),
                BoundHoldsMain.class,
                strategy,
                Long.toString(MAX_MEM),
                spills.toString());
        ChildJvm.Outcome outcome = ChildJvm.run(process, directory.resolve("output"), Duration.ofMinutes(2));
        try (Stream<Path> left = Files.list(spills)) {
            assertEquals(List.of(), left.toList(), "spill files left behind");
        }
        return outcome;
    }

    @ParameterizedTest
    @ValueSource(strings = {"Spill", "Window"})
    void memoryStaysWithinMaxMem(String strategy) throws Exception {
        ChildJvm.Outcome outcome = run(strategy, MAX_MEM + (4 << 20));
        assertEquals(0, outcome.exit(), outcome::output);
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
    void missingDirectMemoryIsReportedWithTheJvmOption() throws Exception {
        ChildJvm.Outcome outcome = run("Window", 1 << 20);
        assertNotEquals(0, outcome.exit(), outcome::output);
        assertTrue(outcome.output().contains("-XX:MaxDirectMemorySize"), outcome::output);
        assertEquals("", outcome.value("elements"), "something was written");
    }
}
