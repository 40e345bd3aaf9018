package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.testing.Cases;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Spills are compressed if that takes less time according to the cost model. */
class SpillCompressionTest {
    private static final long MEMORY = 250_000_000;

    private record Codec(String codec, long overhead) implements SpillCompression {
        @Override
        public long encodeScratch(long pieceBytes) {
            return pieceBytes + overhead;
        }

        @Override
        public long decodeScratch(long pieceBytes) {
            return pieceBytes + 2 * overhead;
        }

        @Override
        public long nativeBytes() {
            return 1000;
        }
    }

    /** A copy from maps to time series of a part of each map. */
    private static Problem maps(long length, long width, long part, int itemSize) {
        Shape shape = Shape.of(length, width);
        return SmallProblems.compressed(
                ChunkGrid.regular(shape, Shape.of(1, width)),
                ChunkGrid.regular(shape, Shape.of(length, part)),
                itemSize);
    }

    private static CopyPlan plan(Problem problem, String model, long maxMem) {
        Resources resources = new Resources(maxMem, 1, true, CostModel.parse(model));
        return new Planner().plan(problem, resources.withCompression(Optional.of(new Codec("test", 500))));
    }

    private static boolean isCompressed(CopyPlan plan) {
        return ((Strategy.Spill) plan.strategy()).compressed();
    }

    @Test
    void compressibleSpillIsCompressedOnSlowDevice() {
        Problem problem = maps(20_000, 1_000_000, 100, 4);
        CopyPlan plan = plan(problem, "hdd:spill-ratio=3", MEMORY);
        assertTrue(isCompressed(plan), plan::explain);
        assertTrue(plan.projectedMemory() <= MEMORY, plan::explain);
        assertTrue(plan.explain().contains("compressed by test, to about 1/3"), plan::explain);
        CopyPlan plain = plan(problem, "hdd", MEMORY);
        assertFalse(isCompressed(plain), "it is not known how well they compress");
        double bytes = problem.bytes();
        double moved = 2 * bytes / 140e6;
        double codec = 2 * bytes / 0.8e9;
        double saved = plain.cost().seconds() - plan.cost().seconds();
        // Smaller windows have more pieces.
        double pieces = (plan.cost().requests() - plain.cost().requests()) * CostModel.HDD.requestSeconds();
        assertEquals(moved - moved / 3 - codec, saved + pieces, 0.01 * moved, plan::explain);
        assertEquals(plain.cost().bytesRead(), plan.cost().bytesRead(), "uncompressed bytes are counted");
    }

    @Test
    void spillIsNotCompressedOnFastDevice() {
        assertFalse(isCompressed(plan(maps(20_000, 1_000_000, 100, 4), "ssd:spill-ratio=3,spill=3e9", MEMORY)));
    }

    @Test
    void codecSlowerThanTheDeviceIsNotUsed() {
        assertFalse(isCompressed(plan(maps(20_000, 1_000_000, 100, 4), "hdd:spill-ratio=3,spill-codec=5e7", MEMORY)));
    }

    @Test
    void elementsMustFitIntoPieces() {
        assertFalse(
                isCompressed(plan(maps(10_000, 10_000, 1, 70_000), "hdd:spill-ratio=3,request=0", 10_000_000_000L)));
    }

    @Test
    void eachPieceFitsIntoTheBufferOfALane() {
        CopyPlan plan = plan(maps(20_000, 1_000_000, 100, 4), "hdd:spill-ratio=3", MEMORY);
        Stage split = plan.stages().get(0);
        Stage merge = plan.stages().get(1);
        long piece = merge.source().largestChunk().elements() * 4;
        assertEquals(split.units(), merge.source());
        assertTrue(merge.bandShape().isEmpty(), "pieces are read whole");
        assertTrue(piece <= merge.memory().readBytes(), plan::explain);
        assertTrue(merge.memory().readBytes() + piece + 1000 <= merge.memory().laneBytes(), plan::explain);
        assertTrue(piece + 500 <= split.memory().laneBytes(), plan::explain);
        assertTrue(merge.memory().nativeBytes() >= 1000, plan::explain);
    }

    @Test
    void codecNeverMakesPlanWorse() {
        int[] compressed = {0};
        Cases.check(300, cases -> {
            Problem problem =
                    maps(cases.between(500, 3_000), cases.between(500, 3_000), cases.between(1, 20), cases.oneOf(1, 4));
            String model =
                    "hdd:spill-ratio=" + cases.between(1, 4) + ",read=1,request=0,spill=" + cases.oneOf(1e3, 1e6, 1e9);
            long maxMem = 3 * problem.unitBytes() + problem.reader().chunkBytes() + cases.between(0, 500_000);
            Resources resources = new Resources(maxMem, 1, true, CostModel.parse(model));
            CopyPlan plain;
            try {
                plain = new Planner().plan(problem, resources);
            } catch (InfeasiblePlanException e) {
                return;
            }
            CopyPlan plan = new Planner().plan(problem, resources.withCompression(Optional.of(new Codec("test", 5))));
            assertTrue(plan.cost().seconds() <= plain.cost().seconds() * 1.0001, plan::explain);
            assertTrue(plan.projectedMemory() <= maxMem, plan::explain);
            assertEquals(plain.minimumMemory(), plan.minimumMemory());
            compressed[0] += plan.strategy() instanceof Strategy.Spill spill && spill.compressed() ? 1 : 0;
        });
        assertTrue(compressed[0] > 50, () -> "only " + compressed[0]);
    }
}
