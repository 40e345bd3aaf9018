package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The heap of the planner does not grow with the number of chunks or axes. */
@Timeout(180)
class PlannerHeapTest {
    @TempDir
    Path directory;

    @Test
    void planningTakesLittleHeap() throws Exception {
        ChildJvm.Outcome outcome = ChildJvm.run(
                ChildJvm.of(List.of("-Xmx24m"), PlannerHeapMain.class),
                directory.resolve("output"),
                Duration.ofMinutes(2));
        assertEquals(0, outcome.exit(), outcome::output);
    }
}
