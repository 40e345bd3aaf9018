package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.CostModel;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Comparison of spills with several temporary copies with all intermediate regions, and with counting. */
class RegroupingTest {
    /** A device on which only requests take time. */
    private static final CostModel SLOW_REQUESTS = new CostModel("slow requests", 1e9, 1e9, 1e9, 1, 1e9);

    @Test
    void noOtherIntermediateRegionsMakeFewerPieces() {
        int[] found = {0};
        Cases.check(4_000, cases -> {
            Shape shape = cases.shape((int) cases.between(1, 3));
            ChunkGrid before = cases.grid(shape);
            ChunkGrid after = cases.grid(shape);
            if (mostParts(before) > 10 || mostParts(after) > 10) {
                return; // of more parts not all groups are tried
            }
            double elements = cases.between(1, shape.elements() + 1);
            double least = Double.POSITIVE_INFINITY;
            for (ChunkGrid between : between(before, after)) {
                if (between.largestChunk().elements() <= elements) {
                    least = Math.min(least, before.pieces(between) + between.pieces(after));
                }
            }
            Optional<ChunkGrid> ours = Regrouping.between(before, after, elements);
            assertEquals(least < Double.POSITIVE_INFINITY, ours.isPresent());
            ours.ifPresent(between -> {
                assertTrue(between.largestChunk().elements() <= elements, between::toString);
                found[0]++;
            });
            if (ours.isPresent()) {
                assertEquals(least, before.pieces(ours.get()) + ours.get().pieces(after));
            }
        });
        assertTrue(found[0] > 1_000, () -> "only " + found[0]);
    }

    private static long mostParts(ChunkGrid grid) {
        return grid.axes().stream().mapToLong(Partition::count).max().orElse(0);
    }

    /** {@return all grids whose parts on each axis are groups of the parts of one of two grids} */
    private static List<ChunkGrid> between(ChunkGrid before, ChunkGrid after) {
        List<Set<Partition>> axes = new ArrayList<>();
        for (int axis = 0; axis < before.rank(); axis++) {
            Set<Partition> groups = new LinkedHashSet<>();
            for (Partition cuts : List.of(before.axis(axis), after.axis(axis))) {
                for (long parts = 1; parts <= cuts.count(); parts++) {
                    groups.add(cuts.group(parts));
                }
            }
            axes.add(groups);
        }
        return SmallProblems.combinations(axes).stream().map(ChunkGrid::of).toList();
    }

    /** A terabyte of maps becomes time series in 250 MB; pieces would have 60 kB. */
    private static Problem series() {
        Shape shape = Shape.of(250_000, 1_000, 1_000);
        ChunkGrid maps = ChunkGrid.regular(shape, Shape.of(1, 1_000, 1_000));
        ChunkGrid series = ChunkGrid.regular(shape, Shape.of(250_000, 5, 5));
        return SmallProblems.compressed(maps, series, 4);
    }

    @Test
    void piecesAreRegroupedIfRequestsAreSlow() {
        CopyPlan plan = new Planner().plan(series(), new Resources(250_000_000, 2, true, CostModel.HDD));
        Strategy.Spill spill = spill(plan, 2);
        double alone = 2 * spill.slabs().pieces(spill.windows()) * CostModel.HDD.requestSeconds();
        assertTrue(plan.cost().seconds() * Draft.COPY_MUST_SAVE < alone, plan::explain);
        assertEquals(1, plan.cost().sourceReadsPerChunk());
        assertEquals(2 * plan.problem().bytes(), plan.cost().spillBytes());
        // The second copy is never larger than the intersection of a few intermediate regions with windows.
        assertTrue(plan.cost().spillPeakBytes() < 1.1 * plan.problem().bytes(), plan::explain);
    }

    /** In an object store each piece is a request for a range, which takes some time. */
    @Test
    void piecesInAnObjectStoreAreRegrouped() {
        RemoteSpill there = new RemoteSpill("there", 1 << 16, 8 << 20, 1 << 16);
        Resources resources = new Resources(250_000_000, 16, true, CostModel.OBJECT_STORE, 1, Optional.of(there));
        CopyPlan plan = new Planner().plan(series(), resources);
        Strategy.Spill spill = spill(plan, 2);
        double alone = spill.slabs().pieces(spill.windows()) * CostModel.OBJECT_STORE.secondsOf(1, 16);
        assertTrue(plan.cost().seconds() * Draft.COPY_MUST_SAVE < alone, plan::explain);
        assertEquals(1, plan.cost().sourceReadsPerChunk());
        assertTrue(plan.explain().contains("there, one value for each task of stages 0 to 1"), plan::explain);
    }

    @Test
    void oneCopyIsMadeIfRequestsAreFast() {
        spill(new Planner().plan(series(), new Resources(250_000_000, 2, true, CostModel.SSD)), 1);
    }

    /** Blocks are so much larger than the memory that pieces of the second copy are small, too. */
    @Test
    void threeCopiesArePossible() {
        Shape shape = Shape.of(1_000_000, 1_000_000);
        Problem problem = SmallProblems.compressed(
                ChunkGrid.regular(shape, Shape.of(1_000_000, 1)), ChunkGrid.regular(shape, Shape.of(1, 1_000_000)), 1);
        CopyPlan plan = new Planner().plan(problem, new Resources(12_000_000, 1, true, SLOW_REQUESTS));
        Strategy.Spill spill = spill(plan, 3);
        assertEquals(4, plan.stages().size());
        assertTrue(plan.projectedMemory() <= 12_000_000, plan::explain);
        assertEquals(3 * problem.bytes(), plan.cost().spillBytes());
        assertTrue(spill.slabs().pieces(spill.windows()) > 1e9, plan::explain);
        assertTrue(plan.cost().operations() < 2e7, plan::explain);
    }

    private static Strategy.Spill spill(CopyPlan plan, int copies) {
        assertTrue(
                plan.strategy() instanceof Strategy.Spill spill
                        && spill.copies().size() == copies,
                plan::explain);
        return (Strategy.Spill) plan.strategy();
    }

    @Test
    void costsAgreeWithCounting() {
        int[] seen = {0, 0};
        Cases.check(300, cases -> {
            long length = cases.between(200, 2_000);
            long width = cases.between(200, 2_000);
            Shape shape = Shape.of(length, width);
            ChunkGrid source = ChunkGrid.regular(shape, Shape.of(length, cases.between(1, 3)));
            ChunkGrid target = ChunkGrid.regular(shape, Shape.of(cases.between(1, 3), width));
            Problem problem = SmallProblems.compressed(source, target, 1);
            long maxMem = 3 * (length + width) + cases.between(0, 10_000);
            int workers = cases.oneOf(1, 1, 3);
            Optional<RemoteSpill> remote = cases.oneOf(
                    Optional.empty(), Optional.of(new RemoteSpill("there", 10, cases.between(1, 5_000), 32)));
            Resources resources = new Resources(maxMem, 1, true, SLOW_REQUESTS, workers, remote);
            CopyPlan plan = new Planner().plan(problem, resources);
            if (!(plan.strategy() instanceof Strategy.Spill spill)
                    || spill.copies().size() == 1) {
                return;
            }
            seen[remote.isPresent() ? 1 : 0]++;
            assertTrue(plan.projectedMemory() <= maxMem, plan::explain);
            assertEquals(0, spill.residentBytes());
            assertTrue(plan.tasks() <= source.count() + target.count(), plan::explain);
            ChunkGrid before = spill.slabs();
            double pieces = 0;
            double puts = 0;
            long atOnce = 0;
            for (int copy = 0; copy < spill.copies().size(); copy++) {
                ChunkGrid blocks = spill.copies().get(copy).blocks();
                ChunkGrid windows = spill.copies().get(copy).windows();
                assertEquals(windows, plan.stages().get(copy + 1).windows());
                assertCrossesNone(before, blocks);
                for (Strategy.Copy later :
                        spill.copies().subList(copy, spill.copies().size())) {
                    assertCrossesNone(later.windows(), blocks);
                    assertCrossesNone(later.blocks(), blocks);
                }
                pieces += before.pieces(windows);
                puts += remote.isPresent() ? puts(before, remote.get()) : 0;
                atOnce += blocks.largestChunk().elements();
                before = windows;
            }
            Cost cost = plan.cost();
            assertEquals(pieces, cost.operations());
            assertEquals(atOnce, cost.spillPeakBytes());
            assertEquals(spill.copies().size() * problem.bytes(), cost.spillBytes());
            assertEquals((double) problem.bytes() + cost.spillBytes(), cost.bytesRead());
            assertEquals((double) problem.bytes() + cost.spillBytes(), cost.bytesWritten());
            if (remote.isPresent()) {
                // No piece is so large that it is cut.
                assertEquals(source.count() + puts + pieces + target.count(), cost.requests());
                assertTrue(
                        workers > 1 || Math.abs(cost.seconds() - cost.requests()) < 1,
                        () -> cost + " takes a second for each request, and nothing for so few bytes");
            }
        });
        assertTrue(seen[0] > 50 && seen[1] > 50, () -> "only " + seen[0] + " and " + seen[1]);
    }

    /** {@return the number of requests to put slabs, counting each like the largest one} */
    private static double puts(ChunkGrid slabs, RemoteSpill spill) {
        return (double) slabs.count() * spill.putRequests(slabs.largestChunk().elements());
    }

    private static void assertCrossesNone(ChunkGrid parts, ChunkGrid blocks) {
        assertEquals((double) parts.count(), parts.pieces(blocks), () -> parts + " cross " + blocks);
    }
}
