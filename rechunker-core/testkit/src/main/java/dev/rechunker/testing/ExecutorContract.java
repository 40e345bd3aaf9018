package dev.rechunker.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ArrayPlan;
import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.exec.Attempts;
import dev.rechunker.exec.CopyRun;
import dev.rechunker.exec.Monitor;
import dev.rechunker.exec.SpillValues;
import dev.rechunker.exec.Spills;
import dev.rechunker.exec.WorkspacePool;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.journal.TaskLog;
import dev.rechunker.memory.MemoryBudget;
import dev.rechunker.memory.WorkspaceRecycler;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of {@link Executor}. To test an executor, extend this class and implement {@link #createExecutor}.
 *
 * <p>After each test it is checked that no temporary files and no threads are left.
 */
@Timeout(60)
public abstract class ExecutorContract {
    /** A cost model for which a spill is the best strategy. */
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    private static final long PROMPT_SECONDS = 5;

    @TempDir
    Path spills;

    private final MemorySpillStore spillStore = new MemorySpillStore(1500, 64);

    private Set<Thread> before = Set.of();

    /** Creates the tests. */
    protected ExecutorContract() {}

    /** {@return the executor under test} */
    protected abstract Executor createExecutor();

    /** The kinds of plans that an executor must run. */
    enum PlanKind {
        ENCODED("CopyEncoded", Operation.OPEN_ENCODED),
        WINDOWED("Window", Operation.READ),
        SWEPT("Sweep", Operation.READ),
        SPILLING("Spill", Operation.READ),
        SPILLING_TO_VALUES("Spill", Operation.READ),
        /** A spill of which a part stays in memory. */
        KEEPING("Spill", Operation.READ);

        private final String strategy;
        private final Operation read;

        PlanKind(String strategy, Operation read) {
            this.strategy = strategy;
            this.read = read;
        }

        /** {@return the spec of the source, which has 120 chunks} */
        ArraySpec spec() {
            Shape chunk = this == SWEPT ? Shape.of(1, 60) : Shape.of(60, 1);
            return ArraySpec.builder(ChunkGrid.regular(Shape.of(60, 120), chunk), DataType.INT64)
                    .build();
        }

        /** {@return the chunks of the target} */
        long[] chunks() {
            return switch (this) {
                case ENCODED -> new long[] {60, 1};
                case WINDOWED -> new long[] {10, 120};
                case SWEPT -> new long[] {7, 61};
                case SPILLING, SPILLING_TO_VALUES, KEEPING -> new long[] {1, 120};
            };
        }

        boolean spills() {
            return strategy.equals("Spill");
        }

        String maxMem() {
            return switch (this) {
                case ENCODED -> "1MB";
                case WINDOWED -> "40kB";
                case SWEPT -> "29kB";
                case SPILLING, SPILLING_TO_VALUES -> "16kB";
                case KEEPING -> "48kB";
            };
        }
    }

    @BeforeEach
    void rememberThreads() {
        before = Set.copyOf(Thread.getAllStackTraces().keySet());
    }

    @AfterEach
    void assertNothingIsLeft() throws Exception {
        assertEquals(List.of(), spillFiles(), "spill files left behind");
        spillStore.assertNothingIsLeft();
        Set<Thread> left = new HashSet<>();
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PROMPT_SECONDS); System.nanoTime() < end; ) {
            left = new HashSet<>(Thread.getAllStackTraces().keySet());
            left.removeAll(before);
            left.removeIf(thread -> thread.getThreadGroup() == null
                    || !Thread.currentThread().getThreadGroup().parentOf(thread.getThreadGroup())
                    || thread.getName().startsWith("junit"));
            if (left.isEmpty()) {
                return;
            }
            Thread.sleep(5);
        }
        assertEquals(Set.of(), left, "threads left behind");
    }

    private List<Path> spillFiles() throws IOException {
        try (Stream<Path> files = Files.list(spills)) {
            return files.toList();
        }
    }

    private static MemoryStore store() {
        return MemoryStore.builder().granularity(Granularity.CHUNK).build();
    }

    private static Data data(PlanKind kind) {
        return Data.of(kind.spec());
    }

    private static FaultyStore source(PlanKind kind) throws IOException {
        MemoryStore store = store();
        data(kind).write(store, "");
        return new FaultyStore(store);
    }

    private Plan plan(PlanKind kind, ChunkStore source, ChunkStore target) throws IOException {
        Rechunker.Job job = Rechunker.from(source)
                .to(target)
                .chunks(kind.chunks())
                .maxMem(kind.maxMem())
                .executor(createExecutor())
                .costModel(kind.spills() ? SLOW_TO_READ : CostModel.SSD)
                .retries(0);
        Plan plan = switch (kind) {
            case SPILLING, KEEPING -> job.spill(spills).plan();
            case SPILLING_TO_VALUES -> job.spill(spillStore).plan();
            default -> job.noSpill().plan();
        };
        PlannedCopy copy = plan.arrays().get(0).copy();
        assertEquals(kind.strategy, copy.strategy(), plan::explain);
        if (kind.strategy.equals("Spill")) {
            assertEquals(kind == PlanKind.KEEPING, copy.cost().residentBytes() > 0, plan::explain);
        }
        return plan;
    }

    private static void assertCopied(PlanKind kind, MemoryStore target) {
        assertArrayEquals(data(kind).elements(), target.elements(""));
    }

    @ParameterizedTest
    @EnumSource
    void allElementsAreCopiedWithinMaxMem(PlanKind kind) throws Exception {
        MemoryStore target = store();
        StrictStore strict = new StrictStore(target);
        Plan plan = plan(kind, source(kind), strict);

        Report report = plan.execute();

        assertCopied(kind, target);
        strict.assertClosed();
        assertEquals(plan.tasks(), report.tasks());
        PlannedCopy.Cost cost = plan.arrays().get(0).copy().cost();
        if (kind != PlanKind.ENCODED) {
            assertEquals(cost.bytesRead(), (double) report.bytesRead());
            assertEquals(cost.bytesWritten(), (double) report.bytesWritten());
        }
        assertEquals(cost.spillPeakBytes(), report.spillPeakBytes());
        assertTrue(report.measuredMemory() <= report.projectedMemory(), () -> report + " of\n" + plan);
        assertTrue(report.projectedMemory() <= plan.maxMem().bytes(), () -> report + " of\n" + plan);
    }

    @ParameterizedTest
    @EnumSource
    void planIsExecutedTwiceWithTheSameResult(PlanKind kind) throws Exception {
        MemoryStore target = store();
        Plan plan = plan(kind, source(kind), target);
        plan.execute();
        assertCopied(kind, target);
        plan.execute();
        assertCopied(kind, target);
    }

    @ParameterizedTest
    @EnumSource
    void allMemoryIsReturnedToTheBudget(PlanKind kind) throws Exception {
        FaultyStore source = source(kind);
        assertEquals(0, memoryHeldAfter(kind, source));
        source.failFrom(kind.read, source.count(kind.read) + 3);
        assertEquals(0, memoryHeldAfter(kind, source));
    }

    private long memoryHeldAfter(PlanKind kind, ChunkStore source) throws Exception {
        MemoryStore target = store();
        ArrayPlan array = plan(kind, source, target).arrays().get(0);
        CopyPlan copy = EnginePlans.of(array);
        MemoryBudget budget = MemoryBudget.of(ByteSize.parse(kind.maxMem()));
        try (WorkspacePool pool = new WorkspacePool(budget, copy.stages(), 0, new WorkspaceRecycler());
                ArrayReader reader = source.openReader("");
                ArrayWriter writer = target.create("", array.target(), false)) {
            Monitor monitor = new Monitor(ProgressListener.NONE, budget, 1, 1, budget.capacity());
            new CopyRun(
                            new CopyRun.Subject("a", 0, TaskLog.none()),
                            copy,
                            reader,
                            writer,
                            kind == PlanKind.SPILLING_TO_VALUES
                                    ? SpillValues.temporary(spillStore)
                                    : Spills.temporary(spills, null),
                            new Attempts(0),
                            new CopyRun.Settings(false, false))
                    .execute(createExecutor(), pool, monitor);
        } catch (TaskFailedException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("told to fail"), e.getMessage());
        }
        assertTrue(budget.highWater() <= budget.capacity(), "more memory was in use than allowed");
        return budget.held();
    }

    @ParameterizedTest
    @EnumSource
    void failedReadNamesRegionAndCause(PlanKind kind) throws Exception {
        FaultyStore source = source(kind);
        MemoryStore target = store();
        Plan plan = plan(kind, source, target);
        source.failOnce(kind.read, source.count(kind.read) + 5);

        TaskFailedException e = assertThrows(TaskFailedException.class, plan::execute);

        String told =
                String.valueOf(assertInstanceOf(IOException.class, e.getCause()).getMessage());
        assertTrue(told.startsWith("told to fail " + kind.read), told);
        String region = told.substring(told.indexOf('['));
        assertTrue(String.valueOf(e.getMessage()).contains(region), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains(told), e.getMessage());
        assertEquals(Optional.empty(), target.node(""), "something was committed");
        assertNothingIsLeft();

        plan.execute();
        assertCopied(kind, target);
    }

    @ParameterizedTest
    @EnumSource
    void failedWriteNamesRegionAndCause(PlanKind kind) throws Exception {
        MemoryStore memory = store();
        FaultyStore target = new FaultyStore(memory);
        Operation write = kind == PlanKind.ENCODED ? Operation.WRITE_ENCODED : Operation.WRITE;
        IllegalStateException defect = new IllegalStateException("a defect");
        target.throwing(message -> defect).failOnce(write, 4);
        TaskFailedException e = assertThrows(TaskFailedException.class, plan(kind, source(kind), target)::execute);
        assertSame(defect, e.getCause());
        assertTrue(
                String.valueOf(e.getMessage()).contains("[")
                        && String.valueOf(e.getMessage()).contains("a defect"),
                e.getMessage());
        assertEquals(Optional.empty(), memory.node(""), "something was committed");
    }

    @ParameterizedTest
    @EnumSource
    void interruptEndsRunIfReadsAreInterruptible(PlanKind kind) throws Exception {
        FaultyStore source = source(kind);
        MemoryStore target = store();
        Plan plan = plan(kind, source, target);
        CountDownLatch reading = new CountDownLatch(3);
        source.before(kind.read, number -> {
            reading.countDown();
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted in a read", e);
            }
        });
        assertInterruptible(plan, reading);
        assertEquals(Optional.empty(), target.node(""), "something was committed");
    }

    @ParameterizedTest
    @EnumSource
    void interruptEndsRunIfReadsAreNotInterruptible(PlanKind kind) throws Exception {
        FaultyStore source = source(kind);
        MemoryStore target = store();
        Plan plan = plan(kind, source, target);
        CountDownLatch reading = new CountDownLatch(3);
        source.before(kind.read, number -> {
            reading.countDown();
            for (long end = System.nanoTime() + 100_000_000L; System.nanoTime() < end; ) {
                Thread.onSpinWait();
            }
        });
        assertInterruptible(plan, reading);
        assertEquals(Optional.empty(), target.node(""), "something was committed");
    }

    /** Executes a plan in another thread, interrupts it, and checks that it throws {@link InterruptedException}. */
    private static void assertInterruptible(Plan plan, CountDownLatch reading) throws Exception {
        FutureTask<@Nullable Report> run = new FutureTask<>(plan::execute);
        Thread thread = new Thread(run, "interrupted");
        thread.start();
        assertTrue(reading.await(20, TimeUnit.SECONDS), "nothing was read");
        thread.interrupt();
        ExecutionException e = assertThrows(ExecutionException.class, () -> run.get(PROMPT_SECONDS, TimeUnit.SECONDS));
        assertInstanceOf(InterruptedException.class, e.getCause());
        thread.join();
    }

    @Test
    void twoPlansRunAtTheSameTime() throws Exception {
        List<FutureTask<Report>> runs = new ArrayList<>();
        List<MemoryStore> targets = new ArrayList<>();
        Executor executor = createExecutor();
        List<PlanKind> kinds = List.of(
                PlanKind.SPILLING, PlanKind.WINDOWED, PlanKind.KEEPING, PlanKind.SPILLING_TO_VALUES, PlanKind.KEEPING);
        for (PlanKind kind : kinds) {
            MemoryStore target = store();
            Plan plan = plan(kind, source(kind), target);
            targets.add(target);
            runs.add(new FutureTask<>(() -> plan.execute(executor)));
        }
        List<Thread> threads = runs.stream().map(Thread::new).toList();
        threads.forEach(Thread::start);
        for (FutureTask<Report> run : runs) {
            run.get();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < kinds.size(); i++) {
            assertCopied(kinds.get(i), targets.get(i));
        }
    }

    @Test
    void hasAtLeastOneThread() {
        assertTrue(createExecutor().threads() >= 1);
    }
}
