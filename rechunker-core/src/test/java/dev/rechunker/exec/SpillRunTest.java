package dev.rechunker.exec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.journal.Journal;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.journal.TaskRanges;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Problem;
import dev.rechunker.plan.RemoteSpill;
import dev.rechunker.plan.Resources;
import dev.rechunker.plan.SpillCompression;
import dev.rechunker.plan.SpillPlans;
import dev.rechunker.plan.Stage;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.run.TaskGroup;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.DeflatingSpillCodec;
import dev.rechunker.testing.FileTrees;
import dev.rechunker.testing.MemorySpillStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spills through one to four temporary copies with any regions, plain, compressed or in an object store; run as a
 * whole, in shares, and resumed after failures.
 */
@Timeout(120)
class SpillRunTest {
    @TempDir
    Path directory;

    private final DeflatingSpillCodec codec = new DeflatingSpillCodec();
    private int wholeUnits;
    private MemorySpillStore values = new MemorySpillStore(1, 1);

    /** An array and a plan with given regions. */
    private final class Case {
        final Cases cases;
        final Data data;
        final CopyPlan plan;
        final MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        final MemoryStore target = MemoryStore.builder().build();
        final Path place;

        Case(Cases cases, Data data, CopyPlan plan) throws IOException {
            this.cases = cases;
            this.data = data;
            this.plan = plan;
            this.place = Files.createTempDirectory(directory, "case");
            data.write(source, "");
        }

        SpillPlace kept() {
            return isRemote() ? new SpillValues(values, "run", true) : new Spills(place, "run", codec);
        }

        SpillPlace temporary() {
            return isRemote() ? SpillValues.temporary(values) : Spills.temporary(place, codec);
        }

        private boolean isRemote() {
            return plan.resources().remoteSpill().isPresent();
        }

        ArrayWriter create() throws IOException {
            ArraySpec wanted = data.spec().toBuilder()
                    .chunks(plan.problem().target())
                    .shards(null)
                    .build();
            return target.create("", wanted, false);
        }

        Report run(ArrayWriter writer, SpillPlace spills, TaskLog log, Executor executor, Work work)
                throws IOException, InterruptedException {
            MemoryBudget budget = MemoryBudget.of(ByteSize.of(plan.projectedMemory()));
            Monitor monitor = new Monitor(ProgressListener.NONE, budget, plan.tasks(), 1, budget.capacity());
            try (ArrayReader reader = source.openReader("");
                    WorkspacePool workspaces = new WorkspacePool(budget, plan.stages(), 0, new WorkspaceRecycler())) {
                CopyRun run = new CopyRun(
                        new CopyRun.Subject("a", 0, log),
                        plan,
                        reader,
                        writer,
                        spills,
                        new Attempts(0),
                        new CopyRun.Settings(cases.seed() % 2 == 0, cases.seed() % 10 == 0));
                work.of(run, executor, workspaces, monitor);
            }
            return monitor.report(0, 0, List.of(), List.of()).build();
        }

        void assertArrived() {
            data.assertSame(Region.whole(data.spec().shape()), data.elements(), target.elements(""));
        }
    }

    /** The size of an element that is large enough to be a piece of a unit, in bytes. */
    private static final int LARGE_ELEMENT = 128 << 10;

    /** The largest piece in plans of such small arrays, in bytes. */
    private static final long LARGEST_PIECE = 64 << 10;

    private interface Work {
        void of(CopyRun run, Executor executor, WorkspacePool workspaces, Monitor monitor)
                throws IOException, InterruptedException;
    }

    private interface Check {
        void on(Case it) throws Exception;
    }

    /** A check for random arrays and regions. */
    private void check(int count, Check check) {
        int[] copies = new int[5];
        int[] remotely = new int[5];
        Cases.check(count, cases -> {
            Shape shape = cases.shape((int) cases.between(1, 3));
            if (shape.isEmpty()) {
                return;
            }
            // Units are read back whole if pieces are large enough.
            boolean large = cases.seed() % 3 == 0 && shape.elements() <= 64;
            DataType type = large ? DataType.bytes(LARGE_ELEMENT) : cases.dataType();
            ArraySpec spec = cases.spec(cases.grid(shape), type);
            ChunkGrid wanted = cases.regularGrid(shape);
            List<ChunkGrid> regions = new ArrayList<>(List.of(grouped(cases, spec.chunks())));
            for (long between = cases.between(0, 3); between > 0; between--) {
                regions.add(cases.grid(shape));
            }
            regions.add(grouped(cases, wanted));
            int itemSize = spec.dataType().itemSize();
            Problem problem = new Problem(
                    spec.chunks(),
                    wanted,
                    itemSize,
                    Problem.Reading.WHOLE_CHUNKS,
                    new Problem.ReaderMemory(spec.chunks().largestChunk().elements() * itemSize, 0, 0),
                    Problem.WriterMemory.NONE,
                    Optional.empty(),
                    false,
                    Optional.empty(),
                    0);
            int threads = (int) cases.between(1, 3);
            long maxMem = 3 * spec.bytes() + threads * cases.between(0, 2 * spec.bytes() + 100);
            Resources plain = new Resources(maxMem, threads, true, CostModel.SSD);
            values = new MemorySpillStore(cases.between(1, 500), (int) cases.between(1, 100));
            Resources resources = switch ((int) (cases.seed() % 3)) {
                case 0 -> plain;
                case 1 -> remote(plain);
                default -> compressed(plain, itemSize);
            };
            Optional<CopyPlan> plan = SpillPlans.through(problem, resources, regions);
            if (plan.isPresent()) {
                copies[regions.size() - 1]++;
                remotely[regions.size() - 1] += resources.remoteSpill().isPresent() ? 1 : 0;
                wholeUnits += readsUnitsWhole(plan.get()) ? 1 : 0;
                check.on(new Case(cases, Data.of(spec, cases.seed()), plan.get()));
            }
        });
        assertTrue(wholeUnits > count / 20, () -> "units read back whole only " + wholeUnits + " times");
        for (int k = 1; k <= 4; k++) {
            int number = k;
            assertTrue(copies[k] > count / 10, () -> number + " copies only " + copies[number] + " times");
            assertTrue(remotely[k] > count / 40, () -> number + " in values only " + remotely[number] + " times");
        }
    }

    private static boolean readsUnitsWhole(CopyPlan plan) {
        List<Stage> stages = plan.stages();
        ChunkGrid pieces = stages.get(stages.size() - 2).units();
        ChunkGrid reads = stages.get(stages.size() - 1).source();
        return !reads.equals(pieces) && reads.equals(plan.problem().target());
    }

    private Resources compressed(Resources plain, int itemSize) {
        SpillCompression compression = Spills.traits(codec, itemSize);
        return plain.reducedBy(-plain.threads() * 3L * compression.decodeScratch(LARGEST_PIECE))
                .withCompression(Optional.of(compression));
    }

    private Resources remote(Resources plain) {
        RemoteSpill traits = SpillValues.traits(values);
        long maxMem = plain.maxMem() + plain.threads() * (traits.requestBytes() + traits.scratchBytes(32));
        return new Resources(maxMem, plain.threads(), true, CostModel.SSD, 1, Optional.of(traits));
    }

    private static ChunkGrid grouped(Cases cases, ChunkGrid grid) {
        List<Partition> axes = new ArrayList<>();
        for (Partition axis : grid.axes()) {
            axes.add(axis.group(cases.between(1, Math.max(1, axis.count()))));
        }
        return ChunkGrid.of(axes);
    }

    @Test
    void allElementsAreCopied() {
        check(210, it -> {
            Executor executor = it.plan.resources().threads() == 1
                    ? new SerialExecutor()
                    : new ForkJoinExecutor(it.plan.resources().threads());
            try (ArrayWriter writer = it.create()) {
                Report report = it.run(writer, it.temporary(), TaskLog.none(), executor, CopyRun::execute);
                writer.commit();
                assertEquals(it.plan.tasks(), report.tasks());
                assertEquals(it.plan.cost().spillPeakBytes(), report.spillPeakBytes(), it.plan::explain);
                assertEquals(it.plan.cost().bytesRead(), (double) report.bytesRead(), it.plan::explain);
                assertTrue(report.measuredMemory() <= it.plan.projectedMemory(), it.plan::explain);
            }
            it.assertArrived();
            assertEquals(List.of(), List.copyOf(FileTrees.files(it.place).keySet()));
            values.assertNothingIsLeft();
        });
        assertEquals(codec.given.get(), codec.decoded.get(), "compressed pieces are read back once");
        assertTrue(codec.given.get() > 100_000, () -> "compressed only " + codec.given);
    }

    /** Each share opens the files itself, like a separate process. */
    @Test
    void tasksAreSharedInAnyOrder() {
        check(120, it -> {
            it.kept().begin();
            it.kept().createBlocks(0, it.plan, it.data.spec());
            try (ArrayWriter writer = it.create()) {
                for (int stage = 0; stage < it.plan.stages().size(); stage++) {
                    int current = stage;
                    for (TaskRanges.Span share :
                            shares(it.cases, it.plan.stages().get(stage).tasks())) {
                        it.run(
                                writer,
                                it.kept(),
                                TaskLog.none(),
                                new SerialExecutor(),
                                (run, executor, workspaces, monitor) ->
                                        run.execute(current, share, executor, workspaces, monitor));
                    }
                }
                writer.commit();
            }
            it.assertArrived();
        });
    }

    private static List<TaskRanges.Span> shares(Cases cases, long tasks) {
        List<TaskRanges.Span> shares = new ArrayList<>();
        for (long from = 0; from < tasks; ) {
            long to = cases.between(from + 1, Math.min(tasks, from + tasks / 3 + 1));
            shares.add(new TaskRanges.Span(from, to));
            from = to;
        }
        Collections.shuffle(shares, cases.random());
        return shares;
    }

    /** An executor that fails after a number of groups of tasks. */
    private static final class Failing implements Executor {
        private final Executor executor = new SerialExecutor();
        private long left;

        Failing(long left) {
            this.left = left;
        }

        @Override
        public int threads() {
            return executor.threads();
        }

        @Override
        public void execute(TaskGroup tasks) throws IOException, InterruptedException {
            if (left-- == 0) {
                throw new IOException("told to fail");
            }
            executor.execute(tasks);
        }
    }

    @Test
    void failedRunIsResumed() {
        long[] doneBefore = {0};
        check(120, it -> {
            try (RunDirectory work = RunDirectory.lock(it.place.resolve("work")).orElseThrow();
                    ArrayWriter writer = it.create()) {
                work.createJournal("", false).close();
                boolean ended = false;
                for (int rounds = 0; !ended; rounds++) {
                    long groups = it.cases.between(0, 3) + rounds;
                    try (Journal journal = work.journal(false).orElseThrow()) {
                        Report report =
                                it.run(writer, it.kept(), journal.array(0), new Failing(groups), CopyRun::execute);
                        ended = true;
                        assertEquals(it.plan.tasks(), report.tasks() + report.tasksDoneBefore(), it.plan::explain);
                        doneBefore[0] += report.tasksDoneBefore();
                    } catch (IOException e) {
                        assertEquals("told to fail", e.getMessage());
                    }
                }
                writer.commit();
                work.deleteJournal();
            }
            it.assertArrived();
            assertEquals(List.of(), List.copyOf(FileTrees.files(it.place).keySet()));
            values.assertNothingIsLeft();
        });
        assertTrue(doneBefore[0] > 400, () -> "only " + doneBefore[0]);
    }
}
