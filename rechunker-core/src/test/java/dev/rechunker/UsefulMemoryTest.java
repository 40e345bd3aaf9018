package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import org.junit.jupiter.api.Test;

/** A memory limit that is just possible may read the source very often; the least one that does not is named, too. */
class UsefulMemoryTest {
    private static final Shape SHAPE = Shape.of(500, 500);
    private static final long BYTES = 500 * 500 * 4;

    /** Columns become rows, so every row needs every source chunk. */
    private static Estimate columnsToRows() {
        return Estimate.of(ChunkGrid.regular(SHAPE, Shape.of(500, 1)), ChunkGrid.regular(SHAPE, Shape.of(1, 500)), 4)
                .compressed()
                .noSpill()
                .threads(1);
    }

    @Test
    void aRefusalNamesBothLimits() {
        InfeasiblePlanException refused = assertThrows(
                InfeasiblePlanException.class, () -> columnsToRows().plan("1kB"));
        long least = refused.minimumMemory();
        long useful = refused.usefulMemory();
        assertTrue(useful > 10 * least, () -> least + " " + useful);
        String message = String.valueOf(refused.getMessage());
        assertTrue(
                message.contains("the least possible maxMem is "
                        + ByteSize.of(least).roundedUp() + ", and from "
                        + ByteSize.of(useful).roundedUp() + " on each byte of the source is read at most twice"),
                message);
        assertEquals(message, String.valueOf(refused.of("x").getMessage()).substring("x: ".length()));

        PlannedCopy worst = columnsToRows().plan(ByteSize.of(least));
        assertTrue(worst.cost().bytesRead() > 100 * BYTES, worst::explain);
        PlannedCopy good = columnsToRows().plan(ByteSize.of(useful));
        assertTrue(good.cost().bytesRead() <= 2 * BYTES, good::explain);
        PlannedCopy less = columnsToRows().plan(ByteSize.of(useful * 97 / 100));
        assertTrue(less.cost().bytesRead() > 2 * BYTES, less::explain);
    }

    @Test
    void aPlanThatReadsManyTimesHasAdvice() {
        long least = columnsToRows().plan("10MB").minimumMemory();
        PlannedCopy worst = columnsToRows().plan(ByteSize.of(least));
        assertEquals(1, worst.advice().size());
        String advice = worst.advice().get(0).text();
        assertTrue(advice.startsWith("each byte of the source is read "), advice);
        assertTrue(advice.contains("; from a maxMem of ") && advice.contains(" on, at most twice"), advice);
        assertTrue(worst.explain().contains("each byte of the source is read at most twice"), worst::explain);
        PlannedCopy ample = columnsToRows().plan("10MB");
        assertTrue(ample.advice().isEmpty());
        assertFalse(ample.explain().contains("at most twice"), ample::explain);
    }

    @Test
    void ajobHasTheAdviceOfItsArrays() throws Exception {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(500, 1)), DataType.INT32)
                .build();
        source.create("deep", spec, false).commit();
        Rechunker.To to = Rechunker.from(source).to(new MemoryStore());
        InfeasiblePlanException refused = assertThrows(
                InfeasiblePlanException.class,
                () -> to.chunks(1, 500).maxMem("1kB").noSpill().threads(1).plan());
        assertTrue(refused.usefulMemory() > refused.minimumMemory(), refused.getMessage());
        Plan plan = to.chunks(1, 500)
                .maxMem(ByteSize.of(refused.minimumMemory()))
                .noSpill()
                .threads(1)
                .plan();
        assertTrue(plan.advice().get(0).text().startsWith("deep: each byte of the source is read "), plan::explain);
    }
}
