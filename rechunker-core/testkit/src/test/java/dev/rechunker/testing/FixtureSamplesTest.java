package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.DataType;
import dev.rechunker.store.MemoryStore;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The samples of {@code docs/testing.md} about fixtures. */
class FixtureSamplesTest {
    @Test
    void nestedArraysAreCopiedAndReadBack() throws IOException, InterruptedException {
        // snippet: fixture-nested
        int[][][] values = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
        MemoryStore target = new MemoryStore();
        Rechunker.from(MemoryStore.of(values, 1, 2, 2))
                .to(target)
                .chunks(2, 1, 1)
                .maxMem("1MB")
                .execute();
        int[][][] copied = (int[][][]) target.array("");
        // end snippet
        assertArrayEquals(values, copied);
    }

    @Test
    void rampsOfAnySize() throws IOException, InterruptedException {
        MemoryStore target = new MemoryStore();

        // snippet: fixture-ramp
        RampSource terabyte = RampSource.of(DataType.UINT16, 1_000_000, 500_000).chunks(1_000, 1_000);
        Plan plan = Rechunker.from(terabyte)
                .to(new MemoryStore())
                .chunks(10_000, 100)
                .maxMem("1GB")
                .plan();

        RampSource small = RampSource.of(DataType.FLOAT32, 100, 200).chunks(10, 200);
        Rechunker.from(small).to(target).chunks(100, 7).maxMem("1MB").execute();
        small.check(target, "");
        // end snippet

        assertEquals(1e12, plan.arrays().get(0).copy().cost().bytesRead());
    }
}
