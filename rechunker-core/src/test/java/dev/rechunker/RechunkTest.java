package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.CountingStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import dev.rechunker.testing.MemorySpillStore;
import dev.rechunker.testing.RampSource;
import dev.rechunker.testing.StrictStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole copies of random arrays with every strategy and any maxMem down to the least possible one. */
class RechunkTest {
    /** A cost model for which spills are the best strategy. */
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    @TempDir
    Path spills;

    private MemorySpillStore spillStore = new MemorySpillStore(1, 1);

    @Test
    void everyElementIsCopiedOnceWithinMaxMem() {
        Map<String, Integer> strategies = new LinkedHashMap<>();
        Cases.check(3_500, cases -> {
            String strategy = copy(cases);
            strategies.merge(strategy, 1, Integer::sum);
        });
        for (String name : List.of("CopyEncoded", "Window", "Sweep", "Sweep by parts", "Spill", "Spill to values")) {
            assertTrue(strategies.getOrDefault(name, 0) > 50, "too few of " + name + ": " + strategies);
        }
    }

    private String copy(Cases cases) throws Exception {
        Shape shape = cases.shape();
        DataType type = cases.dataType();
        boolean anyBytes = cases.random().nextInt(4) == 0;
        boolean padded = cases.random().nextBoolean();
        boolean paddedTarget = cases.random().nextBoolean();
        ChunkGrid grid = cases.random().nextInt(3) == 0 ? cases.grid(shape) : cases.regularGrid(shape);
        ChunkGrid wanted = cases.random().nextInt(12) == 0
                ? grid
                : cases.random().nextInt(4) == 0 ? cases.grid(shape) : cases.regularGrid(shape);
        ArraySpec spec = cases.spec(grid, type);
        Data data = Data.of(spec, cases.seed());
        LongPredicate written = cases.random().nextBoolean() ? i -> true : i -> (i * 7 + cases.seed()) % 3 != 0;

        MemoryStore memory = MemoryStore.builder()
                .granularity(anyBytes ? Granularity.BYTES : cases.oneOf(Granularity.CHUNK, Granularity.STREAM))
                .blockBytes(
                        cases.random().nextBoolean() ? 0 : 1 + cases.random().nextInt(8))
                .paddedEdges(padded)
                .encodedCopies(true)
                .build();
        data.write(memory, "", written);
        MemoryStore result = MemoryStore.builder()
                .granularity(Granularity.CHUNK)
                .paddedEdges(paddedTarget)
                .encodedCopies(true)
                .parts(cases.random().nextInt(3) == 0)
                .build();
        CountingStore source = new CountingStore(new StrictStore(memory).allowMissing());
        StrictStore target = new StrictStore(result);

        ChunkRule rule = (path, s) -> Optional.of(wanted);
        boolean spill = cases.random().nextInt(4) != 0;
        boolean remote = spill && cases.random().nextBoolean();
        spillStore = new MemorySpillStore(
                1 + cases.random().nextInt(500), 1 + cases.random().nextInt(100));
        Executor executor = cases.random().nextBoolean()
                ? new SerialExecutor()
                : new ForkJoinExecutor(1 + cases.random().nextInt(4));
        CostModel model = cases.random().nextBoolean() ? CostModel.SSD : SLOW_TO_READ;
        long enough = 64 + 3 * spec.bytes() + 1000;
        long minimum = job(source, target, rule, enough * 100, spill, remote, executor, model)
                .plan()
                .arrays()
                .get(0)
                .copy()
                .minimumMemory();
        long maxMem = cases.random().nextInt(3) == 0
                ? minimum
                : minimum + (long) (cases.random().nextDouble() * cases.random().nextDouble() * enough);
        Plan plan = job(source, target, rule, maxMem, spill, remote, executor, model)
                .plan();
        CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
        assertTrue(copy.projectedMemory() <= maxMem, () -> "projected more than the bound:\n" + plan);
        long slabs = copy.strategy() instanceof Strategy.Spill cut ? cut.slabs().count() : 0;
        boolean whole = copy.problem().reading() == Problem.Reading.WHOLE_CHUNKS;
        long most = whole ? grid.count() : Math.max(grid.count(), slabs);
        assertTrue(copy.tasks() <= most + wanted.count(), () -> "more tasks than chunks:\n" + plan);

        Report report = plan.execute();

        assertTrue(report.measuredMemory() <= copy.projectedMemory(), () -> "measured more than projected:\n" + plan);
        assertEquals(copy.tasks(), report.tasks(), () -> "tasks run, of\n" + plan);
        data.assertSame(Region.whole(shape), data.elements(Region.whole(shape), written), result.elements(""));
        if (whole && !(copy.strategy() instanceof Strategy.CopyEncoded)) {
            assertEquals(
                    copy.cost().sourceReadsPerChunk() * grid.count(),
                    (double) report.sourceChunkReads(),
                    0.5 + 1e-6, // the sum of the parts of chunks that are read is rounded
                    () -> "reads of chunks, of\n" + plan);
        }
        target.assertClosed();
        try (Stream<Path> left = Files.list(spills)) {
            assertEquals(List.of(), left.toList(), "spill files left behind");
        }
        spillStore.assertNothingIsLeft();
        boolean parts = !copy.stages().isEmpty() && copy.stages().get(0).kind() == Stage.Kind.PARTS;
        return copy.strategy().name() + (parts ? " by parts" : "") + (spillStore.puts() > 1 ? " to values" : "");
    }

    @Test
    void partOfSpillMayStayInMemory() {
        int[] kept = {0};
        Cases.check(400, cases -> {
            long length = cases.between(30, 60);
            long width = cases.between(30, 60);
            ArraySpec spec = cases.spec(
                    ChunkGrid.regular(Shape.of(length, 3, width), Shape.of(length, 2, cases.between(1, 3))),
                    cases.dataType());
            Data data = Data.of(spec, cases.seed());
            LongPredicate written = cases.random().nextBoolean() ? i -> true : i -> i % 3 != 0;
            MemoryStore memory =
                    MemoryStore.builder().granularity(Granularity.CHUNK).build();
            data.write(memory, "", written);
            MemoryStore result = MemoryStore.builder().build();
            StrictStore target = new StrictStore(result);
            Executor executor = new ForkJoinExecutor(1 + cases.random().nextInt(3));
            ChunkRule rule =
                    (path, s) -> Optional.of(ChunkGrid.regular(s.shape(), Shape.of(cases.between(1, 3), 3, width)));
            long maxMem = (long) (spec.bytes() * (0.2 + 0.8 * cases.random().nextDouble()));
            Plan plan;
            try {
                plan = job(memory, target, rule, maxMem, true, false, executor, SLOW_TO_READ)
                        .plan();
            } catch (InfeasiblePlanException e) {
                return;
            }
            CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
            if (!(copy.strategy() instanceof Strategy.Spill spill) || spill.residentBytes() == 0) {
                return;
            }
            kept[0]++;
            for (int times = 0; times < 2; times++) {
                Report report = plan.execute();
                data.assertSame(
                        Region.whole(spec.shape()),
                        data.elements(Region.whole(spec.shape()), written),
                        result.elements(""));
                assertTrue(report.measuredMemory() <= copy.projectedMemory(), plan::explain);
                assertTrue(copy.projectedMemory() <= maxMem, plan::explain);
                assertEquals(copy.cost().bytesRead(), (double) report.bytesRead(), plan::explain);
                assertEquals(copy.cost().spillPeakBytes(), report.spillPeakBytes(), plan::explain);
            }
            target.assertClosed();
        });
        assertTrue(kept[0] > 50, () -> "only " + kept[0]);
    }

    /** Elements are so large that a few of them are as much as one read. */
    @Test
    void bandsFillRowsOfUnits() {
        Map<String, Integer> strategies = new LinkedHashMap<>();
        Cases.check(100, cases -> {
            Shape shape = Shape.of(cases.between(1, 9), cases.between(1, 7), cases.between(1, 5));
            ChunkGrid grid = cases.random().nextInt(3) == 0
                    ? cases.grid(shape)
                    : ChunkGrid.regular(shape, cases.random().nextBoolean() ? shape : Shape.of(shape.extent(0), 7, 3));
            ArraySpec spec = cases.spec(grid, DataType.opaque((int) cases.between(100_000, 900_000), ""));
            Data data = Data.of(spec, cases.seed());
            MemoryStore memory =
                    MemoryStore.builder().granularity(Granularity.BYTES).build();
            data.write(memory, "", unit -> true);
            MemoryStore result =
                    MemoryStore.builder().parts(cases.random().nextBoolean()).build();
            Executor executor = new ForkJoinExecutor(1 + cases.random().nextInt(3));
            Shape chunks = cases.regularGrid(shape).chunkShape();
            ChunkRule wanted = (path, s) -> Optional.of(ChunkGrid.regular(s.shape(), chunks));
            long minimum = job(memory, result, wanted, 1L << 40, false, false, executor, CostModel.SSD)
                    .plan()
                    .arrays()
                    .get(0)
                    .copy()
                    .minimumMemory();
            long maxMem = minimum + (long) (cases.random().nextDouble() * spec.bytes());
            Plan plan = job(memory, new StrictStore(result), wanted, maxMem, false, false, executor, CostModel.SSD)
                    .plan();

            Report report = plan.execute();

            data.assertSame(Region.whole(shape), data.elements(), result.elements(""));
            assertTrue(report.measuredMemory() <= plan.projectedMemory().bytes(), plan::explain);
            assertTrue(plan.projectedMemory().bytes() <= maxMem, plan::explain);
            assertEquals(grid.count(), report.sourceChunkReads(), plan::explain);
            CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
            boolean bands = !copy.problem().reads().equals(grid);
            assertEquals(bands, plan.explain().contains("read in bands of"), plan::explain);
            strategies.merge(copy.strategy().name() + (bands ? " of bands" : ""), 1, Integer::sum);
        });
        for (String name : List.of("Window of bands", "Sweep of bands")) {
            assertTrue(strategies.getOrDefault(name, 0) > 15, "too few of " + name + ": " + strategies);
        }
    }

    /** Elements are so large that a few of them need memory that is allocated by all threads. */
    @Test
    void unitsAcrossSegmentsOfMemoryAreCopiedCorrectly() {
        int[] across = {0};
        Cases.check(15, cases -> {
            Shape shape = Shape.of(cases.between(5, 11), cases.between(5, 13));
            ChunkGrid grid = cases.regularGrid(shape);
            ArraySpec spec = cases.spec(grid, DataType.opaque((int) cases.between(600_000, 1 << 20), ""));
            RampSource source = cases.random().nextBoolean()
                    ? RampSource.of(spec)
                    : RampSource.of(spec.dataType(), shape.extent(0), shape.extent(1));
            Executor executor = new ForkJoinExecutor(2 + cases.random().nextInt(2));
            ChunkRule wanted = (path, s) -> Optional.of(ChunkGrid.regular(s.shape(), Shape.of(2, 2)));
            MemoryStore result = MemoryStore.builder().build();
            Plan plan = job(source, result, wanted, 3 * spec.bytes(), false, false, executor, CostModel.SSD)
                    .plan();
            CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
            Stage.Memory memory = copy.stages().get(0).memory();
            across[0] += memory.workspaceBytes() > memory.segmentBytes() && memory.spareBytes() > 0 ? 1 : 0;

            Report report = plan.execute();

            source.check(result, "");
            assertTrue(report.measuredMemory() <= plan.projectedMemory().bytes(), plan::explain);
        });
        assertTrue(across[0] > 4, () -> "only " + across[0]);
    }

    private Rechunker.Job job(
            ChunkStore source,
            ChunkStore target,
            ChunkRule rule,
            long maxMem,
            boolean spill,
            boolean remote,
            Executor executor,
            CostModel model) {
        Rechunker.Job job = Rechunker.from(source)
                .to(target)
                .chunks(rule)
                .maxMem(ByteSize.of(maxMem))
                .executor(executor)
                .costModel(model);
        job = remote ? job.spill(spillStore) : job.spill(spills);
        return spill ? job : job.noSpill();
    }
}
