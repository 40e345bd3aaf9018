package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.Workspace;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Planner;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Problem.ReaderMemory;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.Problem.WriterMemory;
import dev.rechunker.plan.Resources;
import dev.rechunker.plan.Stage;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.testing.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory is allocated by all threads if no buffer has to be in the parts of two threads. */
class WorkspacePoolTest {
    @Test
    void lanesAreInOneSegmentAndUnitsToo() {
        int[] found = new int[3];
        Cases.check(3_000, cases -> {
            int itemSize = (int) cases.between(1, 8 << 20);
            CopyPlan plan = plan(cases, itemSize);
            Stage stage = plan.stages().get(0);
            Stage.Memory memory = stage.memory();
            if (memory.workspaceBytes() > Workspace.MAX_BUFFER) {
                return;
            }
            long segment = memory.segmentBytes();
            boolean one = segment >= memory.workspaceBytes();
            boolean even = stage.units().axes().stream().allMatch(WorkspacePoolTest::isEven);
            found[one ? 0 : even ? 1 : 2]++;
            if (one) {
                return;
            }
            long borders = (memory.workspaceBytes() - 1) / segment;
            assertTrue(borders < memory.lanes(), () -> "more segments than lanes: " + memory);
            long unit = stage.units().largestChunk().elements() * itemSize;
            for (long place = 0; even && place < memory.ringBytes(); place += unit) {
                assertWithin(segment, place, unit, memory);
            }
            for (int lane = 0; lane < memory.lanes(); lane++) {
                long place = memory.ringBytes() + memory.wrapBytes() + lane * memory.laneBytes();
                assertWithin(segment, place, memory.laneBytes(), memory);
            }
            assertEquals(even ? 0 : unit, memory.spareBytes(), "spare memory for units across borders");
            long spares = borders * memory.spareBytes();
            assertTrue(spares <= memory.workspaceBytes() / 8, () -> spares + " bytes in addition to " + memory);
            assertTrue(memory.workspaceBytes() + spares <= plan.projectedMemory(), "counted");
        });
        for (int count : found) {
            assertTrue(count > 80, () -> Arrays.toString(found) + " in one, in several, in several with spares");
        }
    }

    private static CopyPlan plan(Cases cases, int itemSize) {
        ChunkGrid source = cases.grid(Shape.of(cases.between(1, 12), cases.between(1, 12)));
        ChunkGrid target = cases.regularGrid(source.shape());
        Problem problem = new Problem(
                source,
                target,
                itemSize,
                Reading.WHOLE_CHUNKS,
                new ReaderMemory(source.largestChunk().elements() * itemSize, cases.between(0, 1 << 20), 0),
                new WriterMemory(cases.between(0, 1 << 20), 0),
                Optional.empty(),
                false,
                Optional.empty(),
                0);
        long enough = 4 * (problem.bytes() + 8 * (itemSize + (2L << 20)));
        return new Planner()
                .plan(problem, new Resources(enough, (int) cases.between(1, 5), true, CostModel.SSD).withoutSpill());
    }

    private static boolean isEven(Partition axis) {
        return axis.count() <= 1 || axis.length() % axis.step() == 0;
    }

    private static void assertWithin(long segment, long place, long length, Stage.Memory memory) {
        assertEquals(
                place / segment,
                (place + Math.max(1, length) - 1) / segment,
                () -> length + " bytes at " + place + " are across a border of " + segment + ": " + memory);
    }

    @Test
    void memoryOfSegmentsIsReserved() throws Exception {
        Shape shape = Shape.of(64, 1 << 20);
        Problem problem = Problem.uncompressed(
                ChunkGrid.regular(shape, Shape.of(1, 1 << 20)), ChunkGrid.regular(shape, Shape.of(64, 1 << 10)), 1);
        CopyPlan plan = new Planner().plan(problem, new Resources(150_000_000, 3, true, CostModel.SSD));
        Stage.Memory memory = plan.stages().get(0).memory();
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(plan.projectedMemory()));
        try (WorkspacePool pool = new WorkspacePool(budget, plan.stages(), 0, new WorkspaceRecycler())) {
            Workspace workspace = pool.acquire();
            assertEquals(memory.workspaceBytes(), workspace.size());
            assertFalse(workspace.isWhole(0, workspace.size()), () -> "in one: " + memory);
            assertTrue(workspace.isWhole(0, 1 << 20));
            pool.release(workspace);
        }
        try (WorkspacePool pool = new WorkspacePool(
                budget, List.of(plan.stages().get(0), plan.stages().get(0)), 0, new WorkspaceRecycler())) {
            Workspace workspace = pool.acquire();
            assertTrue(workspace.isWhole(0, workspace.size()), "of stages with different layouts of the same memory");
            pool.release(workspace);
        }
    }

    @Test
    void memoryOfEarlierRunIsReusedIfSizesAreEqual() throws Exception {
        Shape shape = Shape.of(64, 1 << 16);
        Planner planner = new Planner();
        ChunkGrid rows = ChunkGrid.regular(shape, Shape.of(1, 1 << 16));
        Problem problem = Problem.uncompressed(rows, ChunkGrid.regular(shape, Shape.of(64, 1 << 10)), 1);
        CopyPlan plan = planner.plan(problem, new Resources(8_000_000, 2, true, CostModel.SSD));
        CopyPlan tighter = planner.plan(problem, new Resources(2_000_000, 2, true, CostModel.SSD));
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(2 * plan.projectedMemory()));
        WorkspaceRecycler recycler = new WorkspaceRecycler();
        List<Workspace> made = new ArrayList<>(); // keeps them from the garbage collector
        for (CopyPlan run : List.of(plan, plan, tighter, plan, tighter)) {
            try (WorkspacePool pool = new WorkspacePool(budget, run.stages(), 0, recycler)) {
                made.add(pool.acquire());
                pool.release(made.get(made.size() - 1));
                assertEquals(run.projectedMemory(), budget.held(), "reserved whether or not it was reused");
            }
            assertEquals(0, budget.held());
        }
        assertSame(made.get(0), made.get(1));
        assertNotSame(made.get(0), made.get(2));
        assertSame(made.get(0), made.get(3));
        assertSame(made.get(2), made.get(4));
        try (WorkspacePool one = new WorkspacePool(budget, plan.stages(), 0, recycler);
                WorkspacePool other = new WorkspacePool(budget, plan.stages(), 0, recycler)) {
            assertSame(made.get(0), one.acquire());
            assertNotSame(made.get(0), other.acquire(), "another thread has it");
        }
        try (WorkspacePool pool = new WorkspacePool(budget, plan.stages(), 0, recycler)) {
            assertNotSame(made.get(0), pool.acquire(), "it was never released");
        }
    }

    /** A thread that does not get memory leaves its turn to the next. */
    @Test
    @Timeout(20)
    void threadWithoutMemoryDoesNotBlockOthers() throws InterruptedException {
        Problem problem = Problem.uncompressed(
                ChunkGrid.regular(Shape.of(100), Shape.of(10)), ChunkGrid.regular(Shape.of(100), Shape.of(20)), 1);
        List<Stage> stages = new Planner()
                .plan(problem, new Resources(1_000, 1, false, CostModel.SSD))
                .stages();
        MemoryBudget budget = MemoryBudget.of(ByteSize.of(Stage.totalBytes(stages)));
        try (WorkspacePool pool = new WorkspacePool(budget, stages, 0, new WorkspaceRecycler())) {
            MemoryBudget.Reservation others = budget.reserve(1);
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, pool::acquire);
            others.close();
            pool.release(pool.acquire());
        }
        assertEquals(0, budget.held());
    }
}
