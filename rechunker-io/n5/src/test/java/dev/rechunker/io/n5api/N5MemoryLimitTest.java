package dev.rechunker.io.n5api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory of n5 stays within the limit: a JVM with a heap of 64 MB copies 128 MB with n5 on both sides. */
@NeedsN5
@Timeout(300)
class N5MemoryLimitTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void memoryStaysWithinMaxMem() throws Exception {
        ProcessBuilder process = ChildJvm.of(
                List.of("-Xmx64m"),
                N5MemoryLimitMain.class,
                directory.resolve("data").toString(),
                "48MB");
        ChildJvm.Outcome outcome = ChildJvm.run(process, directory.resolve("output"), Duration.ofMinutes(4));
        assertEquals(0, outcome.exit(), outcome::output);
        assertEquals(0L, outcome.number("wrong"), outcome::output);
        assertTrue(outcome.number("measured") <= outcome.number("projected"), outcome::output);
        assertTrue(outcome.number("projected") <= 48_000_000, outcome::output);
    }
}
