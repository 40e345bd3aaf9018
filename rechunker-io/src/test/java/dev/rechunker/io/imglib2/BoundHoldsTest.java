package dev.rechunker.io.imglib2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A computed image of 1 GB is copied in a JVM with a heap of 64 MB, and is read through a cache of 16 MB. */
@Timeout(300)
class BoundHoldsTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void memoryStaysWithinMaxMem() throws Exception {
        ProcessBuilder process = ChildJvm.of(
                List.of("-Xmx64m"),
                BoundHoldsMain.class,
                directory.resolve("image.zarr").toString(),
                "40MB");
        ChildJvm.Outcome outcome = ChildJvm.run(process, directory.resolve("output"), Duration.ofMinutes(4));
        assertEquals(0, outcome.exit(), outcome::output);
        assertEquals(0L, outcome.number("wrong"), outcome::output);
        assertEquals(
                2 * BoundHoldsMain.WIDTH * BoundHoldsMain.HEIGHT * BoundHoldsMain.DEPTH,
                outcome.number("read"),
                outcome::output);
        assertTrue(outcome.number("measured") <= outcome.number("projected"), outcome::output);
        assertTrue(outcome.number("projected") <= 40_000_000, outcome::output);
        assertTrue(outcome.number("cache") <= 16_000_000, outcome::output);
    }
}
