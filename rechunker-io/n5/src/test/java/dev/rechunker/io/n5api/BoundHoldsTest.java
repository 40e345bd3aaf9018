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

/** What n5 allocates is inside the bound: 128 MB go through a JVM with a heap of 64 MB, by n5 on both sides. */
@NeedsN5
@Timeout(300)
class BoundHoldsTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void memoryStaysWithinMaxMem() throws Exception {
        ProcessBuilder process = ChildJvm.of(
                List.of("-Xmx64m"),
                BoundHoldsMain.class,
                directory.resolve("data").toString(),
                "48MB");
        ChildJvm.Outcome outcome = ChildJvm.run(process, directory.resolve("output"), Duration.ofMinutes(4));
        assertEquals(0, outcome.exit(), outcome::output);
        assertEquals(0L, outcome.number("wrong"), outcome::output);
        assertTrue(outcome.number("measured") <= outcome.number("projected"), outcome::output);
        assertTrue(outcome.number("projected") <= 48_000_000, outcome::output);
    }
}
