package dev.rechunker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.MemorySpillStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Spills in object stores: the number of requests, what is left, and what is refused. */
@Timeout(60)
class SpillStoreTest {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);
    private static final Data DATA =
            Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(128, 90), Shape.of(64, 1)), DataType.INT64)
                    .build());

    private final MemorySpillStore spill = new MemorySpillStore(1000, 64);
    private final MemoryStore target =
            MemoryStore.builder().granularity(Granularity.CHUNK).build();
    private FaultyStore source = new FaultyStore(target);

    @BeforeEach
    void write() throws IOException {
        MemoryStore store = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        DATA.write(store, "");
        source = new FaultyStore(store);
    }

    private Rechunker.Job job(ChunkStore to, SpillStore store) throws IOException {
        return Rechunker.from(source)
                .to(to)
                .chunks(1, 90)
                .maxMem("12kB")
                .threads(3)
                .costModel(SLOW_TO_READ)
                .spill(store);
    }

    @Test
    void slabIsOneValueAndWindowOneRangeOfEach() throws Exception {
        Plan plan = job(target, spill).plan();
        CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
        Strategy.Spill strategy = (Strategy.Spill) copy.strategy();

        Report report = plan.execute();

        assertArrayEquals(DATA.elements(), target.elements(""));
        assertEquals(strategy.slabs().count() + 1, spill.puts(), "one of them to test the store");
        long ranges = copy.stages().get(1).source().count();
        assertEquals(ranges, spill.gets());
        assertTrue(ranges < strategy.slabs().count() * strategy.windows().count());
        assertTrue(report.measuredMemory() <= report.projectedMemory());
        assertTrue(report.projectedMemory() <= plan.maxMem().bytes());
        spill.assertNothingIsLeft();
    }

    /** Requests take a second, and there are a million of them between slabs and windows. */
    @Test
    void smallPiecesAreRegrouped() throws Exception {
        Data data =
                Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(1_000, 1_000), Shape.of(1_000, 1)), DataType.UINT8)
                        .build());
        MemoryStore store = MemoryStore.builder().granularity(Granularity.CHUNK).build();
        data.write(store, "");
        for (int failing : new int[] {Integer.MAX_VALUE, 5_003}) {
            Plan plan = Rechunker.from(store)
                    .to(target)
                    .chunks(1, 1_000)
                    .maxMem("4kB")
                    .threads(1)
                    .retries(5)
                    .costModel(new CostModel("slow requests", 1e9, 1e9, 1e9, 1, 1e9))
                    .overwrite()
                    .spill(spill)
                    .plan();
            CopyPlan copy = EnginePlans.of(plan.arrays().get(0));
            assertEquals(2, ((Strategy.Spill) copy.strategy()).copies().size(), plan::explain);
            int gets = spill.gets();
            int puts = spill.puts();
            spill.failEvery(failing);

            Report report = plan.execute();

            assertArrayEquals(data.elements(), target.elements(""));
            assertTrue(report.measuredMemory() <= report.projectedMemory(), report::toString);
            assertEquals(copy.cost().spillPeakBytes(), report.spillPeakBytes());
            assertEquals(1_000, report.sourceChunkReads());
            assertEquals(failing < Integer.MAX_VALUE, report.retries() > 0);
            if (failing == Integer.MAX_VALUE) {
                List<Stage> stages = copy.stages();
                assertEquals(
                        1 + stages.get(0).tasks() + stages.get(1).tasks(), spill.puts() - puts, "one tests the store");
                assertEquals(
                        stages.get(1).source().count() + stages.get(2).source().count(), spill.gets() - gets);
            }
            spill.assertNothingIsLeft();
        }
    }

    @Test
    void transientFailuresAreRetried() throws Exception {
        spill.failEvery(7);
        Report report = job(target, spill).retries(5).execute();
        assertArrayEquals(DATA.elements(), target.elements(""));
        assertTrue(report.retries() > 10, report::toString);
        spill.assertNothingIsLeft();
    }

    @Test
    void failedRunLeavesNothing() throws Exception {
        source.failFrom(FaultyStore.Operation.READ, 20);
        assertThrows(TaskFailedException.class, job(target, spill).retries(0)::execute);
        spill.assertNothingIsLeft();
        assertEquals(Optional.empty(), target.node(""));
    }

    @Test
    void valueThatCannotBeCommittedIsAbandoned() throws Exception {
        spill.failCommits();
        assertThrows(TaskFailedException.class, job(target, spill).retries(0)::execute);
        spill.assertNothingIsLeft();
    }

    @Test
    void missingValueIsAnError() throws Exception {
        FaultyStore losing = new FaultyStore(target);
        losing.before(FaultyStore.Operation.WRITE, number -> {
            for (String name : spill.names()) {
                spill.lose(name);
            }
        });
        Rechunker.Job job = Rechunker.from(source)
                .to(losing)
                .chunks(1, 90)
                .maxMem("8kB")
                .threads(1)
                .costModel(SLOW_TO_READ)
                .spill(spill);
        TaskFailedException e = assertThrows(TaskFailedException.class, job::execute);
        assertTrue(String.valueOf(e.getMessage()).contains("of the unfinished run is missing"), e.getMessage());
        spill.assertNothingIsLeft();
    }

    @Test
    void unwritableSpillStoreIsRefusedBeforeAnythingIsWritten() throws Exception {
        spill.failEvery(1);
        StoreException e = assertThrows(StoreException.class, job(target, spill)::execute);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("the spill cannot be written to memory://spill"), message);
        assertEquals(0, source.count(FaultyStore.Operation.READ));
        assertEquals(Optional.empty(), target.node(""));
    }

    @Test
    void planNamesTheSpillStore() throws Exception {
        Plan plan = job(target, spill).plan();
        assertTrue(plan.explain().contains("spill: memory://spill, one value for each task of stage 0"), plan::explain);
        assertTrue(plan.toHtml().contains("memory://spill"), "the page names it");
        assertFalse(job(target, spill).noSpill().plan().explain().contains("memory://spill"));
    }
}
