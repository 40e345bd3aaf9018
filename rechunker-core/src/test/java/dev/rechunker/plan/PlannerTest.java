package dev.rechunker.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.math.LongMath;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.memory.Workspace;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.Problem.ReaderMemory;
import dev.rechunker.plan.Problem.Reading;
import dev.rechunker.plan.Problem.WriterMemory;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.testing.Cases;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Comparison of plans for small grids with all other choices and with counting, and the time to plan huge grids. */
class PlannerTest {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    /** A cost model in which only bytes count, so that plans that read least are cheapest. */
    private static final CostModel BYTES_ONLY = new CostModel("bytes only", 1e9, 1e9, 1e9, 0, 1e30);

    private static Resources resources(long maxMem, CostModel model) {
        return new Resources(maxMem, 1, true, model);
    }

    private static long someBound(Cases cases, Problem problem) {
        long minimum = Planner.minimumMemory(problem, new Resources(0, 1, false, CostModel.SSD));
        return minimum + (long) (cases.random().nextDouble() * (double) problem.bytes() * 1.2);
    }

    // ------------------------------------------------------------------ lanes larger than a buffer

    private static Problem large(long readScratch, long writeScratch) {
        ChunkGrid source = ChunkGrid.regular(Shape.of(20, 600_000_000), Shape.of(2, 600_000_000));
        ChunkGrid target = ChunkGrid.regular(Shape.of(20, 600_000_000), Shape.of(20, 60_000_000));
        return new Problem(
                source,
                target,
                1,
                Reading.WHOLE_CHUNKS,
                new ReaderMemory(1_200_000_000, readScratch, 0),
                new WriterMemory(writeScratch, 0),
                Optional.empty(),
                false,
                Optional.empty(),
                0);
    }

    /** A chunk and its scratch are in one buffer, and so are a unit and its scratch. */
    @ParameterizedTest
    @CsvSource({"1200000000, 0", "0, 2200000000", "1200000000, 2200000000"})
    void laneBeyondLargestBufferIsRefused(long readScratch, long writeScratch) {
        InfeasiblePlanException e = assertThrows(
                InfeasiblePlanException.class,
                () -> new Planner().plan(large(readScratch, writeScratch), resources(1L << 40, CostModel.SSD)));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("a buffer has at most 2.15 GB (2,147,483,632 bytes)"), message);
    }

    @Test
    void namesOfStrategiesStayAsTheyAre() {
        ChunkGrid grid = ChunkGrid.regular(Shape.of(8), Shape.of(2));
        List<Strategy> strategies = List.of(
                new Strategy.CopyEncoded(grid),
                new Strategy.Window(grid),
                new Strategy.Sweep(grid, 0),
                new Strategy.Spill(grid, List.of(new Strategy.Copy(grid, grid)), 0, false));
        assertEquals(
                List.of("CopyEncoded", "Window", "Sweep", "Spill"),
                strategies.stream().map(Strategy::name).toList());
        assertEquals(Strategy.class.getPermittedSubclasses().length, strategies.size());
    }

    @Test
    void laneOfLargestBufferIsPlanned() {
        long memory = Workspace.MAX_BUFFER - 1_200_000_000L;
        CopyPlan plan = new Planner().plan(large(memory, Workspace.MAX_BUFFER), resources(1L << 40, CostModel.SSD));
        assertTrue(plan.stages().stream().allMatch(stage -> stage.memory().laneBytes() <= Workspace.MAX_BUFFER));
    }

    private static Problem copied(long scratch) {
        ChunkGrid grid = ChunkGrid.regular(Shape.of(20, 600_000_000), Shape.of(2, 600_000_000));
        return new Problem(
                grid,
                grid,
                1,
                Reading.WHOLE_CHUNKS,
                new ReaderMemory(1_200_000_000, 1_200_000_000, 300_000),
                new WriterMemory(1_200_000_000, 500_000),
                Optional.empty(),
                false,
                Optional.of(new Problem.Encoded(false, new WriterMemory(scratch, 40))),
                7);
    }

    /** Encoded copies need no buffer for decoding and no codec, only the memory of a connection. */
    @Test
    void encodedCopiesNeedNoBufferForAChunk() {
        Problem problem = copied(1000);
        CopyPlan plan = new Planner().plan(problem, resources(301_047, CostModel.SSD));
        assertEquals("CopyEncoded", plan.strategy().name());
        assertEquals(301_047, plan.projectedMemory());
        assertThrows(
                InfeasiblePlanException.class, () -> new Planner().plan(problem, resources(301_046, CostModel.SSD)));
    }

    @Test
    void encodedCopiesWithTooMuchScratchAreRefused() {
        Resources ample = resources(1L << 40, CostModel.SSD);
        assertEquals(
                "CopyEncoded",
                new Planner()
                        .plan(copied(Workspace.MAX_BUFFER), ample)
                        .strategy()
                        .name());
        InfeasiblePlanException e = assertThrows(
                InfeasiblePlanException.class, () -> new Planner().plan(copied(Workspace.MAX_BUFFER + 1L), ample));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("a buffer has at most 2.15 GB (2,147,483,632 bytes)"), message);
    }

    // ------------------------------------------------------------------ more than one segment

    /** Bounds of about the size of a segment; if it is exceeded, spare buffers of the size of a unit are added. */
    @Test
    void everyMaxMemFromTheLeastOnIsEnough() {
        int[] above = {0};
        Cases.check(400, cases -> {
            int rank = (int) cases.between(2, 3);
            long longest = rank == 2 ? 60_000 : 1500;
            long[] shape = cases.random().longs(rank, longest / 2, longest).toArray();
            long[] source = shape.clone();
            long[] target = shape.clone();
            for (int axis = 0; axis < rank; axis++) {
                source[axis] = cases.random().nextInt(4) == 0 ? shape[axis] : cases.between(1, shape[axis]);
                target[axis] = cases.random().nextInt(3) == 0 ? shape[axis] : cases.between(1, shape[axis]);
            }
            int itemSize = (int) cases.between(1, 8);
            long largest =
                    Math.max(Shape.of(source).elements(), Shape.of(target).elements());
            if (largest * itemSize > Workspace.MAX_BUFFER) {
                return;
            }
            Problem problem = compressed(Shape.of(shape), Shape.of(source), Shape.of(target), itemSize);
            Resources resources =
                    new Resources(0, (int) cases.between(1, 4), cases.random().nextBoolean(), CostModel.SSD);
            long least = Planner.minimumMemory(problem, resources);
            for (long maxMem : new long[] {least, least + cases.between(0, least), least * cases.between(2, 50)}) {
                CopyPlan plan = new Planner().plan(problem, resources.withMemory(maxMem));
                assertTrue(plan.projectedMemory() <= maxMem, plan::explain);
                above[0] += maxMem > Workspace.MAX_BUFFER ? 1 : 0;
            }
            assertThrows(
                    InfeasiblePlanException.class, () -> new Planner().plan(problem, resources.withMemory(least - 1)));
        });
        assertTrue(above[0] > 300, () -> "only " + above[0] + " above a segment");
    }

    @Test
    void unitOfNearlyASegmentIsPlannedQuickly() {
        Problem problem = compressed(Shape.of(1655, 411, 1180), Shape.of(1655, 404, 188), Shape.of(1655, 411, 1180), 2);
        long least = Planner.minimumMemory(problem, resources(0, CostModel.SSD));
        assertTrue(least < Workspace.MAX_BUFFER, () -> least + " bytes");
        assertEquals(
                least,
                new Planner().plan(problem, resources(least, CostModel.SSD)).projectedMemory());
    }

    @Test
    void stagesFitIntoOneWorkspace() {
        int[] mixed = new int[3];
        Cases.check(1_500, cases -> {
            long days = cases.between(2_000, 9_000);
            long rows = cases.between(300, 2_000);
            Shape shape = Shape.of(days, rows, 1440);
            Shape maps = Shape.of(cases.between(1, 40), rows, 1440);
            Shape series = Shape.of(days, cases.between(1, 90), cases.between(1, 90));
            long decoder = cases.between(0, 16 << 20);
            long encoder = cases.between(0, 16 << 20);
            Problem problem = compressed(shape, maps, series, 4, decoder, encoder);
            long maxMem = cases.random().nextBoolean()
                    ? cases.between(600_000_000, 2_000_000_000)
                    : (3L << 30) + (long) (cases.random().nextDouble() * (9L << 30));
            Resources resources = new Resources(maxMem, 1 + cases.random().nextInt(8), true, SLOW_TO_READ);
            CopyPlan plan = new Planner().plan(problem, resources);
            List<Stage.Memory> stages =
                    plan.stages().stream().map(Stage::memory).toList();
            long workspace = 0;
            long spare = 0;
            long segment = 0;
            for (Stage.Memory stage : stages) {
                workspace = Math.max(workspace, stage.workspaceBytes());
                spare = Math.max(spare, stage.spareBytes());
                segment = Math.max(segment, stage.segmentBytes());
            }
            long natively = stages.size() == 2 ? Math.max(decoder, encoder) : decoder + encoder;
            long additional = stages.get(0).lanes() * natively;
            boolean inOne = stages.size() == 2 && workspace <= Workspace.MAX_BUFFER;
            long held = workspace + (inOne ? 0 : (workspace - 1) / segment * spare) + additional;
            assertTrue(held <= plan.projectedMemory(), () -> held + " held, of\n" + plan.explain());
            assertTrue(plan.projectedMemory() <= maxMem, plan::explain);
            if (stages.size() == 2) {
                long other = stages.get(0).spareBytes() - stages.get(1).spareBytes();
                mixed[workspace <= segment ? 0 : other != 0 ? 1 : 2]++;
            }
        });
        assertTrue(mixed[0] > 100, () -> "only " + mixed[0] + " in one segment");
        assertTrue(mixed[1] > 100, () -> "only " + mixed[1] + " with spares of different sizes");
    }

    // ------------------------------------------------------------------ every other choice

    @Test
    void noOtherWindowsReadLess() {
        Cases.check(1_500, cases -> {
            Problem problem = SmallProblems.of(cases, 8, Reading.WHOLE_CHUNKS);
            long maxMem = someBound(cases, problem);
            Draft draft = new WindowDrafter()
                    .draft(problem, resources(maxMem, BYTES_ONLY), 1)
                    .orElseThrow();
            long memory = maxMem - Lane.direct(problem).bytes();
            double least = Double.POSITIVE_INFINITY;
            for (ChunkGrid windows : groupings(problem.target())) {
                if (bufferBytes(problem, windows) <= memory) {
                    least = Math.min(least, bytesRead(problem, windows));
                }
            }
            ChunkGrid chosen = ((Strategy.Window) draft.strategy()).windows();
            assertEquals(bytesRead(problem, chosen), draft.cost().bytesRead(), 1e-6, "what the plan says it reads");
            // Fewer windows are as good if they take up to a quarter longer.
            double seconds = (draft.cost().bytesRead() + (double) problem.bytes()) / 1e9;
            double best = (least + (double) problem.bytes()) / 1e9;
            assertTrue(
                    seconds <= best * 1.25 * (1 + 1e-9),
                    () -> problem.source() + " to " + problem.target() + " in " + maxMem + ": " + chosen + " reads "
                            + draft.cost().bytesRead());
        });
    }

    @Test
    void rawBytesAreReadOnce() {
        Cases.check(500, cases -> {
            Problem problem = SmallProblems.of(cases, 8, Reading.ANY_BYTES);
            long maxMem = someBound(cases, problem);
            CopyPlan plan =
                    new Planner().plan(problem, resources(maxMem, CostModel.SSD).withoutSpill());
            assertEquals((double) problem.bytes(), plan.cost().bytesRead(), "bytes read");
            assertEquals((double) problem.bytes(), plan.cost().bytesWritten(), "bytes written");
        });
    }

    @Test
    void buffersOfSmallRawChunksAreNoLargerThanTheChunks() {
        ChunkGrid maps = ChunkGrid.regular(Shape.of(2048, 256, 256), Shape.of(1, 256, 256));
        ChunkGrid series = ChunkGrid.regular(Shape.of(2048, 256, 256), Shape.of(128, 64, 64));
        Problem problem = new Problem(
                maps,
                series,
                2,
                Reading.ANY_BYTES,
                ReaderMemory.NONE,
                new WriterMemory(1_100_000, 800_000),
                Optional.empty(),
                false,
                Optional.empty(),
                0);
        CopyPlan plan = new Planner().plan(problem, new Resources(200_000_000, 64, true, CostModel.OBJECT_STORE));
        Stage.Memory memory = plan.stages().get(0).memory();
        assertEquals(64, memory.lanes(), "lanes");
        assertEquals(256 * 256 * 2, memory.readBytes(), "a chunk is read at a time");
        long row = 128 * 256 * 256 * 2;
        assertTrue(memory.ringBytes() >= 2 * row, () -> "less than two rows of units: " + memory);
    }

    @Test
    void smallerStretchesAreReadToAvoidASecondCopy() {
        Problem coarse = readIn(way(1, 720, 1));
        Problem problem = readIn(way(1, 720, 1), way(1, 360, 1.1), way(1, 144, 1.6), way(1, 48, 2.8));
        Planner planner = new Planner();
        Resources ample = new Resources(250_000_000, 2, true, CostModel.SSD);
        assertEquals(planner.plan(coarse, ample), readingOnce(planner.plan(problem, ample)));

        Resources tight = new Resources(50_000_000, 2, true, CostModel.SSD);
        assertTrue(planner.plan(coarse, tight).cost().bytesRead() >= 2 * problem.bytes(), "without them");
        CopyPlan plan = planner.plan(problem, tight);
        assertTrue(plan.strategy() instanceof Strategy.Sweep, plan::explain);
        assertEquals((double) problem.bytes(), plan.cost().bytesRead(), "bytes read");
        assertEquals(way(1, 144, 1.6).grid(), plan.stages().get(0).source(), "what windows of four units consist of");
        assertEquals(plan.stages().get(0).source(), plan.problem().reads(), "what the plan says is read");
        assertTrue(plan.explain().contains("read in stretches of (1, 144, 1440)"), plan::explain);

        Resources without = tight.withoutSpill();
        long least = plan.minimumMemory();
        assertTrue(least <= planner.plan(coarse, tight).minimumMemory(), "the least possible maxMem");
        assertEquals(least, planner.plan(problem, without.withMemory(least)).minimumMemory());
        assertThrows(InfeasiblePlanException.class, () -> planner.plan(problem, tight.withMemory(least - 1)));
    }

    @Test
    void unchunkedImageIsReadOnceInMemoryOfTwoRowsOfUnits() {
        Shape shape = Shape.of(512, 704, 2008);
        Problem problem = Problem.uncompressed(
                ChunkGrid.regular(shape, shape), ChunkGrid.regular(shape, Shape.of(16, 128, 128)), Short.BYTES);
        long row = 16 * 704 * 2008 * 2;
        CopyPlan plan = new Planner().plan(problem, new Resources(256_000_000, 2, true, CostModel.SSD));
        assertEquals(1, plan.tasks(), plan::explain);
        assertEquals(1, plan.cost().sourceReadsPerChunk(), plan::explain);
        assertEquals(Shape.of(1, 704, 2008), plan.problem().reads().chunkShape());
        assertTrue(plan.stages().get(0).memory().ringBytes() <= 2 * row + problem.unitBytes(), plan::explain);
        CopyPlan tight = new Planner().plan(problem, new Resources(row + 8_000_000, 2, true, CostModel.SSD));
        assertEquals(1, tight.tasks(), tight::explain);
    }

    @Test
    void lanesShareEncodingOfRawSources() {
        Shape shape = Shape.of(512, 704, 2008);
        Problem plain = Problem.uncompressed(
                ChunkGrid.regular(shape, shape), ChunkGrid.regular(shape, Shape.of(16, 128, 128)), Short.BYTES);
        Problem encoding = new Problem(
                plain.source(),
                plain.ways(),
                plain.target(),
                plain.itemSize(),
                Reading.ANY_BYTES,
                ReaderMemory.NONE,
                new WriterMemory(1_050_000, 0),
                Optional.empty(),
                true,
                Optional.empty(),
                0);
        for (long maxMem : new long[] {20_000_000, 28_000_000, 40_000_000, 256_000_000}) {
            CopyPlan plan = new Planner().plan(encoding, new Resources(maxMem, 2, true, CostModel.SSD));
            assertEquals(2, plan.stages().get(0).memory().lanes(), plan::explain);
        }
    }

    @Test
    void ringIsNoLargerThanLanesNeed() {
        Shape shape = Shape.of(600, 720, 1440);
        ChunkGrid maps = ChunkGrid.regular(shape, Shape.of(5, 720, 1440));
        long row = 25 * 720 * 1440 * 4;

        CopyPlan manyReads = ample(maps, ChunkGrid.regular(shape, Shape.of(25, 72, 72)));
        long ahead = manyReads.stages().get(0).memory().ringBytes() - row;
        assertTrue(
                ahead >= 2 * row / 5 && ahead < 3 * row / 5, "a chunk for each of two lanes: " + manyReads.explain());

        CopyPlan oneRead = ample(maps, ChunkGrid.regular(shape, Shape.of(5, 72, 72)));
        long chunk = row / 5;
        assertEquals(2 * chunk, oneRead.stages().get(0).memory().ringBytes(), oneRead::explain);

        CopyPlan fewUnits = ample(maps, ChunkGrid.regular(shape, Shape.of(25, 720, 1440)));
        assertEquals(2 * row, fewUnits.stages().get(0).memory().ringBytes(), fewUnits::explain);

        ChunkGrid tiles = ChunkGrid.regular(Shape.of(1 << 16, 1 << 16), Shape.of(16, 1024));
        CopyPlan smallUnits = ample(tiles, ChunkGrid.regular(tiles.shape(), Shape.of(16, 4096)));
        assertEquals(2 * (8L << 20), smallUnits.stages().get(0).memory().ringBytes(), smallUnits::explain);
    }

    private static CopyPlan ample(ChunkGrid source, ChunkGrid target) {
        Problem problem = SmallProblems.compressed(source, target, 4);
        return new Planner().plan(problem, new Resources(2_000_000_000, 2, true, CostModel.SSD));
    }

    @Test
    void bandsInsideHighUnitsNeedOneRowOfThem() {
        for (long width : new long[] {512, 3_000, 9_000_000}) {
            Shape shape = Shape.of(1_000_000, width);
            Problem problem = Problem.uncompressed(
                    ChunkGrid.regular(shape, shape), ChunkGrid.regular(shape, Shape.of(100_000, 100)), 1);
            long row = 100_000 * width;
            Resources resources = new Resources(row + row / 10 + 9_000_000, 2, true, CostModel.SSD);
            CopyPlan plan = new Planner().plan(problem, resources);
            assertEquals(1, plan.tasks(), plan::explain);
        }
    }

    @Test
    void bandsAreReadByOneCallAndCutChunksEvenly() {
        int[] cut = new int[1];
        Cases.check(2_000, cases -> {
            int itemSize = (int) cases.between(1, 1 << 20);
            ChunkGrid chunks = cases.grid(cases.shape());
            Problem.Way way = Problem.Way.inBands(chunks, cases.grid(chunks.shape()), itemSize);
            assertEquals(1, way.decoded());
            if (way.grid().equals(chunks)) {
                return;
            }
            cut[0]++;
            assertTrue(way.grid().refines(chunks), () -> way + " of " + chunks);
            long bytes = way.grid().largestChunk().elements() * itemSize;
            assertTrue(bytes <= StageBuilder.MOST_READ_BYTES, () -> bytes + " bytes, of " + chunks);
            for (long ordinal = 0; ordinal < Math.min(50, way.grid().count()); ordinal++) {
                Region band = way.grid().regionAt(ordinal);
                Region chunk = chunks.region(chunks.chunksTouching(band).origin());
                assertTrue(band.isContiguousIn(chunk), () -> band + " is not contiguous in " + chunk);
            }
        });
        assertTrue(cut[0] > 500, () -> "only " + cut[0]);
    }

    @Test
    void noAlternativeIsBetter() {
        Map<String, Integer> chosen = new HashMap<>();
        Cases.check(1_500, cases -> {
            Problem problem = SmallProblems.of(cases, 12, cases.oneOf(Reading.values()));
            CostModel model = cases.oneOf(CostModel.SSD, CostModel.HDD, CostModel.OBJECT_STORE, SLOW_TO_READ);
            Resources resources = new Resources(
                    someBound(cases, problem), (int) cases.between(1, 4), true, model, (int) cases.between(1, 3));
            CopyPlan plan = new Planner().plan(problem, resources);
            chosen.merge(plan.strategy().name(), 1, Integer::sum);
            for (CopyPlan.Alternative other : plan.alternatives()) {
                // A plan that takes two percent longer can be chosen for its fewer operations.
                assertTrue(
                        counted(plan.cost(), problem) <= counted(other.cost(), problem) * 1.021,
                        () -> other + " is better than\n" + plan.explain());
            }
        });
        assertTrue(chosen.getOrDefault("Spill", 0) > 50, chosen::toString);
    }

    /** {@return seconds as weighted in the choice: plans that read once without a spill may take four times as long} */
    private static double counted(Cost cost, Problem problem) {
        boolean plain = cost.spillBytes() == 0 && cost.bytesRead() <= problem.bytes();
        return cost.seconds() / (plain ? 4 : 1);
    }

    private static CopyPlan readingOnce(CopyPlan plan) {
        return new CopyPlan(
                readIn(way(1, 720, 1)),
                plan.resources(),
                plan.strategy(),
                plan.stages(),
                plan.cost(),
                plan.projectedMemory());
    }

    private static Problem.Way way(long maps, long rows, double decoded) {
        return new Problem.Way(ChunkGrid.regular(Shape.of(600, 720, 1440), Shape.of(maps, rows, 1440)), decoded);
    }

    private static Problem readIn(Problem.Way... ways) {
        Shape shape = Shape.of(600, 720, 1440);
        return new Problem(
                ChunkGrid.regular(shape, Shape.of(5, 720, 1440)),
                List.of(ways),
                ChunkGrid.regular(shape, Shape.of(600, 72, 72)),
                4,
                Reading.WHOLE_CHUNKS,
                new ReaderMemory(0, 3_000_000, 0),
                new WriterMemory(12_500_000, 0),
                Optional.of(new Problem.Parts(
                        ChunkGrid.regular(shape, Shape.of(25, 72, 72)), new WriterMemory(600_000, 0), 200)),
                true,
                Optional.empty(),
                0);
    }

    @Test
    void noOtherSlabsAndWindowsHaveFewerPieces() {
        int[] drafted = {0};
        Cases.check(200, cases -> {
            Problem problem = SmallProblems.of(cases, 8, Reading.WHOLE_CHUNKS);
            long maxMem = someBound(cases, problem) + 2 * (16L << 20);
            spillsAsWellAsAnyOther(problem, maxMem, drafted);
        });
        Cases.check(200, cases -> {
            Problem problem = SmallProblems.of(cases, 8, Reading.WHOLE_CHUNKS);
            spillsAsWellAsAnyOther(problem, someBound(cases, problem), drafted);
        });
        assertTrue(drafted[0] > 200, "too few: " + drafted[0]);
    }

    private static void spillsAsWellAsAnyOther(Problem problem, long maxMem, int[] drafted) {
        Draft draft = new SpillDrafter()
                .draft(problem, resources(maxMem, SLOW_TO_READ), 1)
                .orElse(null);
        if (draft == null) {
            return;
        }
        drafted[0]++;
        // The drafter reserves some memory for reading back.
        long reserve = Math.min(StageBuilder.MOST_READ_BYTES, Math.max(64 << 10, maxMem / 32));
        long slabMemory =
                maxMem - Lane.split(problem, resources(maxMem, SLOW_TO_READ), 1).bytes();
        long windowMemory = maxMem
                - Lane.merge(problem, resources(maxMem, SLOW_TO_READ), 1)
                        .withReadBytes(reserve)
                        .bytes();
        double least = Double.POSITIVE_INFINITY;
        for (ChunkGrid slabs : groupings(problem.source())) {
            if (slabs.largestChunk().elements() * problem.itemSize() <= slabMemory) {
                for (ChunkGrid windows : groupings(problem.target())) {
                    if (bufferBytes(problem, windows) <= windowMemory) {
                        least = Math.min(least, (double) pieces(slabs, windows));
                    }
                }
            }
        }
        Strategy.Spill chosen = (Strategy.Spill) draft.strategy();
        assertEquals(operations(chosen, draft.cost()), draft.cost().operations(), 1e-9, "operations counted");
        assertTrue(
                draft.cost().operations() <= least,
                problem.source() + " to " + problem.target() + " in " + maxMem + ": " + chosen + " has "
                        + draft.cost().operations() + " operations, not " + least);
    }

    /** {@return the number of pieces that are spilled plus the number of windows that stay in memory} */
    private static double operations(Strategy.Spill spill, Cost cost) {
        double bytes = cost.bytesRead() - cost.spillBytes();
        double spilled = cost.spillBytes() / bytes;
        return pieces(spill.slabs(), spill.windows()) * spilled
                + spill.windows().count() * (1 - spilled);
    }

    /** {@return all grids whose parts are groups of the parts of a grid} */
    private static List<ChunkGrid> groupings(ChunkGrid grid) {
        List<Set<Partition>> axes = new ArrayList<>();
        for (Partition axis : grid.axes()) {
            Set<Partition> groups = new HashSet<>();
            for (long parts = 1; parts <= axis.count(); parts++) {
                groups.add(axis.group(parts));
            }
            axes.add(groups);
        }
        return SmallProblems.combinations(axes).stream().map(ChunkGrid::of).toList();
    }

    // ------------------------------------------------------------------ counting

    /** {@return the size of the buffers of the largest window in bytes, the sum over its units} */
    private static long bufferBytes(Problem problem, ChunkGrid windows) {
        long most = 0;
        for (long window = 0; window < windows.count(); window++) {
            long bytes = 0;
            Odometer units = new Odometer(problem.target().chunksTouching(windows.regionAt(window)));
            while (units.next()) {
                Region unit = problem.target().region(units.index());
                bytes += unit.elements();
            }
            most = Math.max(most, bytes * problem.itemSize());
        }
        return most;
    }

    /** {@return the size of all chunks that windows touch in bytes, the sum over windows} */
    private static double bytesRead(Problem problem, ChunkGrid windows) {
        double bytes = 0;
        for (long window = 0; window < windows.count(); window++) {
            Odometer chunks = new Odometer(problem.source().chunksTouching(windows.regionAt(window)));
            while (chunks.next()) {
                bytes += (double) problem.source().region(chunks.index()).elements() * problem.itemSize();
            }
        }
        return bytes;
    }

    /** {@return the number of pairs of a chunk and a window that share an element} */
    private static long pieces(ChunkGrid chunks, ChunkGrid windows) {
        long pieces = 0;
        for (long window = 0; window < windows.count(); window++) {
            pieces += chunks.chunksTouching(windows.regionAt(window)).elements();
        }
        return pieces;
    }

    @Test
    void costsAgreeWithCounting() {
        Map<String, Integer> seen = new LinkedHashMap<>();
        Cases.check(1_500, cases -> {
            Problem problem = SmallProblems.of(cases, 8, Reading.WHOLE_CHUNKS);
            long maxMem = someBound(cases, problem);
            CopyPlan plan = new Planner()
                    .plan(problem, resources(maxMem, cases.random().nextBoolean() ? CostModel.SSD : SLOW_TO_READ));
            seen.merge(plan.strategy().name(), 1, Integer::sum);
            Cost cost = plan.cost();
            assertTrue(
                    plan.tasks() <= problem.source().count() + problem.target().count(), plan::explain);
            double visited = (double) problem.source().count() * cost.sourceReadsPerChunk();
            if (plan.strategy() instanceof Strategy.Spill spill) {
                assertEquals(operations(spill, cost), cost.operations(), 1e-9, "operations");
                assertEquals((double) pieces(problem.source(), spill.slabs()), visited, 1e-6, "visits");
                long peak = 0;
                long spilled = 0;
                for (long block = 0; block < spill.blocks().count(); block++) {
                    long bytes = spill.blocks().regionAt(block).elements() * problem.itemSize();
                    long inFiles = Math.max(0, bytes - spill.residentBytes());
                    peak = Math.max(peak, inFiles);
                    spilled += inFiles;
                }
                assertEquals(peak, cost.spillPeakBytes(), "spill at once");
                assertEquals(spilled, cost.spillBytes(), "bytes spilled");
                assertEquals((double) problem.bytes() + spilled, cost.bytesRead(), "bytes read");
                assertEquals((double) problem.bytes() + spilled, cost.bytesWritten(), "bytes written");
                seen.merge(spill.residentBytes() > 0 ? "in part in memory" : "in files alone", 1, Integer::sum);
                assertEquals(spill.slabs().count() + spill.windows().count(), plan.tasks(), "tasks");
                assertApart(spill.blocks(), spill.slabs());
                assertApart(spill.blocks(), spill.windows());
                assertApart(spill.slabs(), problem.source());
            } else {
                ChunkGrid windows = plan.stages().get(0).windows();
                assertEquals(bytesRead(problem, windows), cost.bytesRead(), 1e-6, "bytes read");
                assertEquals((double) problem.bytes(), cost.bytesWritten(), "bytes written");
                assertEquals(0, cost.spillBytes(), "bytes spilled");
                assertEquals((double) windows.count(), cost.operations(), "operations");
                assertEquals(windows.count(), plan.tasks(), "tasks");
                assertEquals((double) pieces(problem.source(), windows), visited, 1e-6, "visits");
                assertApart(windows, problem.target());
            }
        });
        for (String strategy : List.of("Window", "Sweep", "Spill", "in part in memory", "in files alone")) {
            assertTrue(seen.getOrDefault(strategy, 0) > 10, "too few of " + strategy + ": " + seen);
        }
    }

    /** Checks that no part is in two larger ones. */
    private static void assertApart(ChunkGrid larger, ChunkGrid parts) {
        for (long i = 0; i < parts.count(); i++) {
            Region part = parts.regionAt(i);
            assertEquals(1, larger.chunksTouching(part).elements(), () -> part + " is in two parts of " + larger);
        }
    }

    // ------------------------------------------------------------------ the frontier

    /** The distance that a simulated traversal of a region found, and the size of the region. */
    private record Walk(long distance, long whole) {}

    /** Simulates reads of the chunks of a region in an order of axes, and measures the distance between open units. */
    private static Walk walk(ChunkGrid source, ChunkGrid units, List<Integer> order) {
        Map<List<Long>, Long> starts = new HashMap<>();
        Map<List<Long>, Long> sizes = new HashMap<>();
        Map<List<Long>, Long> waiting = new HashMap<>();
        long at = 0;
        Odometer laidOut = new Odometer(Region.whole(units.counts()), order);
        while (laidOut.next()) {
            List<Long> key = key(laidOut);
            Region unit = units.region(laidOut.index());
            long size = unit.elements();
            starts.put(key, at);
            sizes.put(key, size);
            waiting.put(key, unit.elements());
            at += size;
        }
        long most = 0;
        long lastEnd = 0;
        Odometer chunks = new Odometer(Region.whole(source.counts()), order);
        while (chunks.next()) {
            Region chunk = source.region(chunks.index());
            List<List<Long>> complete = new ArrayList<>();
            Odometer touched = new Odometer(units.chunksTouching(chunk));
            while (touched.next()) {
                List<Long> key = key(touched);
                long part = chunk.intersect(units.region(touched.index()))
                        .orElseThrow()
                        .elements();
                lastEnd = Math.max(lastEnd, starts.getOrDefault(key, 0L) + sizes.getOrDefault(key, 0L));
                if (waiting.merge(key, -part, Long::sum) == 0) {
                    complete.add(key);
                }
            }
            long end = lastEnd;
            long first = waiting.keySet().stream()
                    .mapToLong(key -> starts.getOrDefault(key, 0L))
                    .min()
                    .orElse(end);
            most = Math.max(most, end - first);
            complete.forEach(waiting::remove);
        }
        return new Walk(most, at);
    }

    private static List<Long> key(Odometer odometer) {
        List<Long> key = new ArrayList<>();
        for (long index : odometer.index()) {
            key.add(index);
        }
        return key;
    }

    private static long computed(ChunkGrid source, ChunkGrid units, List<Integer> order) {
        long[] extents = new long[order.size()];
        for (int i = 0; i < extents.length; i++) {
            Partition axis = units.axis(order.get(i));
            extents[i] = axis.length();
        }
        return Frontier.of(source, units).distance(order, extents);
    }

    @Test
    void frontierNeverExceedsTheComputedOne() {
        double[] ratios = {0, 0};
        Cases.check(3_000, cases -> {
            int rank = (int) cases.between(1, 3);
            Shape shape = Shape.of(cases.random()
                    .longs(rank, 1, rank == 1 ? 40 : rank == 2 ? 16 : 9)
                    .toArray());
            ChunkGrid source = cases.grid(shape);
            ChunkGrid units = cases.grid(shape);
            List<Integer> order = new ArrayList<>(Odometer.naturalOrder(rank));
            order.add(0, order.remove(cases.random().nextInt(rank)));
            Walk walk = walk(source, units, order);
            long computed = computed(source, units, order);
            assertTrue(
                    walk.distance <= computed,
                    () -> source + " to " + units + " in " + order + ": " + walk + ", computed " + computed);
            assertTrue(computed <= walk.whole, () -> computed + " is more than all of " + walk);
            ratios[0] += (double) computed / (double) walk.distance;
            ratios[1]++;
        });
        assertTrue(ratios[0] / ratios[1] < 1.5, "on average too far by " + ratios[0] / ratios[1]);
    }

    @Test
    void frontierIsExactForAlignedChunksAndUnits() {
        Cases.check(500, cases -> {
            int rank = (int) cases.between(1, 3);
            List<Partition> source = new ArrayList<>();
            List<Partition> units = new ArrayList<>();
            for (int axis = 0; axis < rank; axis++) {
                long small = cases.between(1, 3);
                long large = small * cases.between(1, 3);
                long length = large * cases.between(1, 3);
                boolean fineSource = cases.random().nextBoolean();
                source.add(Partition.regular(length, fineSource ? small : large));
                units.add(Partition.regular(length, fineSource ? large : small));
            }
            ChunkGrid chunks = ChunkGrid.of(source);
            ChunkGrid target = ChunkGrid.of(units);
            List<Integer> order = Odometer.naturalOrder(rank);
            Walk walk = walk(chunks, target, order);
            long computed = computed(chunks, target, order);
            assertTrue(
                    walk.distance <= computed && computed <= 2 * walk.distance,
                    () -> chunks + " to " + target + ": " + walk + ", computed " + computed);
        });
    }

    // ------------------------------------------------------------------ the bound

    @Test
    void plansFitMaxMemAndTheLeastMaxMemIsMinimal() {
        Cases.check(1_500, cases -> {
            Reading reading = cases.oneOf(Reading.WHOLE_CHUNKS, Reading.ANY_BYTES);
            Problem problem = SmallProblems.of(cases, 8, reading);
            int threads = (int) cases.between(1, 4);
            boolean spill = cases.random().nextBoolean();
            Optional<RemoteSpill> remote = cases.random().nextBoolean()
                    ? Optional.empty()
                    : Optional.of(new RemoteSpill("there", cases.between(0, 100), cases.between(1, 100), 32));
            Resources resources = new Resources(0, threads, spill, CostModel.SSD, 1, remote);
            long minimum = Planner.minimumMemory(problem, resources);
            for (long maxMem : new long[] {minimum, minimum + 1, someBound(cases, problem)}) {
                if (maxMem < minimum) {
                    continue; // the other bound is counted without a spill
                }
                CopyPlan plan = new Planner().plan(problem, resources.withMemory(maxMem));
                assertTrue(plan.projectedMemory() <= maxMem, () -> plan.explain());
                assertEquals(minimum, plan.minimumMemory());
                for (CopyPlan.Alternative other : plan.alternatives()) {
                    assertTrue(other.projectedMemory() <= maxMem, () -> plan.explain());
                }
                plan.stages().forEach(stage -> assertTrue(stage.memory().total() <= plan.projectedMemory()));
            }
            InfeasiblePlanException e = assertThrows(
                    InfeasiblePlanException.class,
                    () -> new Planner().plan(problem, resources.withMemory(minimum - 1)));
            assertEquals(minimum, e.minimumMemory());
            assertTrue(String.valueOf(e.getMessage())
                    .contains("the least possible maxMem is "
                            + ByteSize.of(minimum).roundedUp()));
        });
    }

    /** A small array in one large chunk, which is written in full. */
    @Test
    void refusalCountsPaddedUnits() {
        Problem problem = compressed(Shape.of(2, 2), Shape.of(2, 2), Shape.of(2093, 2093), Integer.BYTES);
        InfeasiblePlanException e = assertThrows(
                InfeasiblePlanException.class, () -> new Planner().plan(problem, resources(10_000_000, CostModel.SSD)));
        assertTrue(
                String.valueOf(e.getMessage()).contains("a write unit of (2093, 2093) takes 17.5 MB"), e::getMessage);
    }

    @Test
    void moreTasksThanChunksOnlyIfChunksAreReadInRows() {
        Cases.check(1_500, cases -> {
            Problem problem = SmallProblems.of(cases, 8, Reading.ANY_BYTES);
            CopyPlan plan = new Planner().plan(problem, resources(someBound(cases, problem), SLOW_TO_READ));
            ChunkGrid source = problem.source();
            long most = source.count();
            if (plan.strategy() instanceof Strategy.Spill spill
                    && spill.slabs().largestChunk().elements()
                            < source.largestChunk().elements()) {
                most = Math.max(most, spill.slabs().count());
            }
            assertTrue(plan.tasks() <= most + problem.target().count(), plan::explain);
        });
        Shape shape = Shape.of(15, 9, 8);
        CopyPlan rows = new Planner()
                .plan(
                        Problem.uncompressed(
                                ChunkGrid.regular(shape, Shape.of(7, 9, 7)),
                                ChunkGrid.regular(shape, Shape.of(8, 9, 1)),
                                4),
                        resources(376, CostModel.SSD));
        assertEquals(List.of(30L, 16L), rows.stages().stream().map(Stage::tasks).toList(), rows::explain);
    }

    @Test
    void invalidProblemsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Resources(-1, 1, true, CostModel.SSD));
        assertThrows(IllegalArgumentException.class, () -> new Resources(1, 0, true, CostModel.SSD));
        assertThrows(IllegalArgumentException.class, () -> new CostModel("x", 0, 1, 1, 1, 1));
        ChunkGrid two = ChunkGrid.regular(Shape.of(4, 4), Shape.of(2, 2));
        ChunkGrid one = ChunkGrid.regular(Shape.of(4, 5), Shape.of(2, 2));
        assertThrows(IllegalArgumentException.class, () -> Problem.uncompressed(two, one, 1));
        assertThrows(IllegalArgumentException.class, () -> Problem.uncompressed(two, two, 0));
        Shape huge = Shape.of(1L << 40);
        InfeasiblePlanException e = assertThrows(
                InfeasiblePlanException.class,
                () -> new Planner()
                        .plan(
                                Problem.uncompressed(
                                        ChunkGrid.regular(huge, Shape.of(1000)), ChunkGrid.regular(huge, huge), 4),
                                resources(Long.MAX_VALUE / 4, CostModel.SSD)));
        assertEquals(Long.MAX_VALUE, e.minimumMemory());
        assertTrue(
                String.valueOf(e.getMessage()).contains("a buffer has at most 2.15 GB (2,147,483,632 bytes)"),
                e.getMessage());
    }

    @Test
    void costModelWithInfiniteTimesIsRefused() {
        for (String figure : List.of("read", "write", "spill", "codec", "spill-codec")) {
            for (String value : List.of("0", "-1", "1e-308", "1e308", "Infinity", "NaN")) {
                assertRefused(figure, value);
            }
        }
        for (String figure : List.of("request", "latency")) {
            for (String value : List.of("-1", "1e308", "Infinity", "NaN")) {
                assertRefused(figure, value);
            }
        }
        for (String value : List.of("0.9", "1e308", "Infinity", "NaN")) {
            assertRefused("spill-ratio", value);
        }
        CostModel slowest = CostModel.parse("ssd:read=1e-100,write=1e-100,spill=1e-100,request=1e100,latency=1e100,"
                + "codec=1e-100,spill-ratio=1e100,spill-codec=1e-100");
        long side = 1L << 30;
        CopyPlan plan = new Planner()
                .plan(
                        compressed(Shape.of(side, side), Shape.of(1000, 1000), Shape.of(999, 999), 4),
                        resources(1L << 30, slowest));
        assertTrue(Double.isFinite(plan.cost().seconds()), plan::toString);
    }

    private static void assertRefused(String figure, String value) {
        String text = "ssd:" + figure + "=" + value;
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> CostModel.parse(text));
        assertTrue(
                String.valueOf(e.getMessage()).startsWith(text + ": " + figure + " is " + Double.valueOf(value)),
                e.getMessage());
    }

    // ------------------------------------------------------------------ size

    private static Problem compressed(Shape shape, Shape source, Shape target, int itemSize) {
        return compressed(shape, source, target, itemSize, 1 << 20, 1 << 20);
    }

    private static Problem compressed(
            Shape shape, Shape source, Shape target, int itemSize, long decoder, long encoder) {
        ChunkGrid chunks = ChunkGrid.regular(shape, source);
        return new Problem(
                chunks,
                ChunkGrid.regular(shape, target),
                itemSize,
                Reading.WHOLE_CHUNKS,
                new ReaderMemory(chunks.largestChunk().elements() * itemSize, 1 << 20, decoder),
                new WriterMemory(1 << 20, encoder),
                Optional.empty(),
                true,
                Optional.empty(),
                0);
    }

    private static CopyPlan timed(Problem problem, String what, long maxMem, long millis) {
        long start = System.nanoTime();
        CopyPlan plan = new Planner().plan(problem, new Resources(maxMem, 8, true, CostModel.SSD));
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(taken.toMillis() < millis, () -> what + " took " + taken + "\n" + plan.explain());
        assertTrue(plan.projectedMemory() <= maxMem, plan::explain);
        assertTrue(
                plan.tasks()
                        <= LongMath.saturatedAdd(
                                problem.source().count(), problem.target().count()),
                () -> what + " has too many tasks\n" + plan.explain());
        return plan;
    }

    @Test
    void terabyteIsPlannedInASecond() {
        Shape shape = Shape.of(350_640, 721, 1440);
        Shape bySpace = Shape.of(31, 721, 1440);
        Shape byTime = Shape.of(350_640, 10, 10);
        Problem plain =
                Problem.uncompressed(ChunkGrid.regular(shape, bySpace), ChunkGrid.regular(shape, byTime), Float.BYTES);
        for (int warmUp = 0; warmUp < 2; warmUp++) {
            timed(plain, "warm-up", 1_000_000_000L, 60_000);
        }
        timed(plain, "plain", 1_000_000_000L, 1_000);
        timed(compressed(shape, bySpace, byTime, Float.BYTES), "compressed", 1_500_000_000L, 1_000);
    }

    @Test
    void sixAxesAndPetabytesArePlannedInSeconds() {
        timed(
                compressed(
                        Shape.of(40, 50, 60, 70, 80, 90),
                        Shape.of(1, 7, 60, 3, 80, 11),
                        Shape.of(40, 3, 7, 70, 9, 13),
                        2),
                "six axes",
                2_000_000_000L,
                5_000);
        timed(
                compressed(Shape.of(1_000_000, 30_000, 30_000), Shape.of(1, 1024, 1024), Shape.of(4096, 64, 64), 2),
                "petabytes",
                8_000_000_000L,
                5_000);
        timed(
                compressed(Shape.of(9_999_991, 29_989, 3_001), Shape.of(997, 101, 103), Shape.of(1009, 89, 97), 1),
                "coprime petabyte",
                4_000_000_000L,
                5_000);
    }

    /** A list of the cuts of the pieces would take 160 MB. */
    @Test
    void manyPartsOfOneAxisAreNotListed() {
        Problem problem = compressed(Shape.of(10_000_000_000L), Shape.of(1000), Shape.of(1001), 4);
        Resources resources = resources(100_000_000L, CostModel.SSD);
        timed(problem, "one axis", resources.maxMem(), 10_000);
        List<ChunkGrid> smallest = List.of(problem.source(), problem.target());
        assertTrue(SpillStages.of(problem, resources, 1, smallest).isEmpty());
    }

    private static Problem oneAxis(long length, long source, long target, int itemSize) {
        Shape shape = Shape.of(length);
        return Problem.uncompressed(
                ChunkGrid.regular(shape, Shape.of(source)), ChunkGrid.regular(shape, Shape.of(target)), itemSize);
    }

    @Test
    void timeDoesNotDependOnNumberOfChunks() {
        long petabytes = 9_000_000_000_000_000_000L;
        timed(oneAxis(10_000_000_000_000L, 100_000, 1, 1), "units of a byte", 1_000_000_000, 5_000);
        timed(oneAxis(2_147_483_649L, 1, 3, 1), "chunks of a byte", 1_000_000_000, 5_000);
        timed(oneAxis(100_000_000_000_000L, 100_000, 10, 1), "units of some bytes", 100_000_000, 5_000);
        timed(oneAxis(petabytes, 100_000, 1_000_000, 1), "petabytes", 1_000_000_000, 5_000);
        timed(oneAxis(petabytes, 1_000_000, 100_003, 1), "petabytes, coprime", 1_000_000_000, 5_000);
        Shape plane = Shape.of(3_000_000_000L, 3_000_000_000L);
        ChunkGrid rows = ChunkGrid.regular(plane, Shape.of(1, 100_000));
        ChunkGrid columns = ChunkGrid.regular(plane, Shape.of(100_003, 1));
        timed(Problem.uncompressed(rows, columns, 1), "a plane", 1_000_000_000, 10_000);
    }

    @Test
    void axisMayHaveAllElements() {
        Partition units = Partition.regular(Long.MAX_VALUE, 1);
        for (long source : new long[] {1_000_000, 1L << 40, Long.MAX_VALUE}) {
            SortedSet<Long> counts = AxisChoices.counts(units, Partition.regular(Long.MAX_VALUE, source), 1_024);
            assertEquals(1, counts.first());
            assertEquals(Long.MAX_VALUE, counts.last());
        }
        timed(oneAxis(Long.MAX_VALUE, 1_000_000, 1, 1), "units of a byte", 1_000_000_000, 5_000);
        timed(oneAxis(Long.MAX_VALUE, 1_000_000, 10, 1), "a unit across the end", 1_000_000_000, 5_000);
    }

    @Test
    void searchForBandsIsLimited() {
        long prime = 1_000_000_000_000_000_003L;
        timed(oneAxis(9 * prime, prime, 10, 1), "chunks that nothing cuts evenly", 1_000_000_000, 5_000);
    }

    /** With such small bounds, chunks would be cut into more rows than memory can list. */
    @Test
    void leastMaxMemIsFoundWithoutListingCuts() {
        List<Problem> problems = List.of(
                oneAxis(216_138_061_626L, 229_415, 10, Double.BYTES),
                oneAxis(10_000_000_000L, 1_000_000, 10, Double.BYTES));
        for (Problem problem : problems) {
            String explained = timed(problem, "many cuts", 300_000_000, 5_000).explain();
            assertTrue(explained.contains("the least possible maxMem is 80 B\n"), explained);
            Resources tooLittle = resources(79, CostModel.SSD);
            InfeasiblePlanException e =
                    assertThrows(InfeasiblePlanException.class, () -> new Planner().plan(problem, tooLittle));
            assertEquals(80, e.minimumMemory());
        }
    }

    @Test
    void someOfManyPartSizesAreTriedIncludingBothEnds() {
        Cases.check(300, cases -> {
            long length = 1 + (long) Math.pow(2, cases.random().nextDouble() * 63);
            Partition parts = Partition.regular(
                    length, 1 + (long) Math.pow(2, cases.random().nextDouble() * 20));
            Partition other = Partition.regular(
                    length, 1 + (long) Math.pow(2, cases.random().nextDouble() * 63));
            SortedSet<Long> counts = AxisChoices.counts(parts, other, 1_024);
            assertTrue(counts.size() < 6_000, () -> counts.size() + " counts of " + parts);
            assertEquals(1, counts.first());
            assertEquals(parts.count(), counts.last());
            for (long few = 1; few <= Math.min(20, parts.count()); few++) {
                long groups = few;
                long least = LongMath.divide(parts.count(), groups, RoundingMode.CEILING);
                assertFalse(
                        counts.subSet(least, least + 2).isEmpty(), () -> "not for " + groups + " groups of " + parts);
            }
        });
    }
}
