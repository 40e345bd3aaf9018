package dev.rechunker.io.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Maps of a climate model are copied to time series on a standalone Spark cluster, whose jobs are cancelled and whose
 * workers are killed.
 */
@Timeout(200)
class StandaloneClusterTest {
    private static final Shape SHAPE = Shape.of(60, 180, 360);
    private static final long MAX_MEM = 3_000_000;

    @TempDir
    static Path directory;

    private static StandaloneCluster cluster;
    private static JavaSparkContext context;
    private static SparkExecutor spark;
    private static final Moment MOMENT = new Moment();

    @BeforeAll
    static void start() throws Exception {
        source();
        local();
        cluster = new StandaloneCluster(directory.resolve("cluster"), 2);
        context = new JavaSparkContext(
                Clusters.conf(directory).setMaster(cluster.master()).set("spark.executor.cores", "1"));
        context.sc().addSparkListener(MOMENT);
        spark = new SparkExecutor(context);
    }

    @AfterAll
    static void stop() {
        try {
            if (context != null) {
                context.close();
            }
        } finally {
            if (cluster != null) {
                cluster.close();
            }
        }
    }

    /** An action after a task of a stage has ended, while others are still to be run. */
    private static final class Moment extends SparkListener {
        private final AtomicReference<Runnable> next = new AtomicReference<>();

        @Override
        public void onTaskEnd(SparkListenerTaskEnd task) {
            Runnable now = next.getAndSet(null);
            if (now != null) {
                now.run();
            }
        }
    }

    /** Maps whose elements contain their position. */
    private static void source() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(1, 180, 360)), DataType.FLOAT32)
                .dimensionNames(List.of("time", "lat", "lon"))
                .codecs(CodecSpec.parse("gzip:level=6"))
                .build();
        ByteBuffer elements = ByteBuffer.allocate((int) spec.bytes()).order(spec.byteOrder());
        for (int i = 0; elements.hasRemaining(); i++) {
            elements.putFloat(i);
        }
        try (ChunkStore store = Zarr.create(directory.resolve("source.zarr"))) {
            Rechunker.from(MemoryStore.of(spec, elements.array()))
                    .to(store)
                    .chunks("keep")
                    .maxMem("64MB")
                    .execute();
        }
    }

    private static Rechunker.Job job(ChunkStore target) throws IOException {
        return Rechunker.from(directory.resolve("source.zarr"))
                .to(target)
                .chunks(60, 10, 12)
                .maxMem(Long.toString(MAX_MEM));
    }

    private static Path local() throws IOException, InterruptedException {
        Path local = directory.resolve("local.zarr");
        if (!Files.exists(local)) {
            try (ChunkStore target = Zarr.create(local)) {
                job(target).threads(1).execute();
            }
        }
        return local;
    }

    private static void assertArrived(Path target) throws IOException, InterruptedException {
        try (ChunkStore store = Zarr.open(target)) {
            MemoryStore whole = new MemoryStore();
            Rechunker.from(store).to(whole).chunks("-1").maxMem("200MB").execute();
            ArraySpec spec = ((ArrayNode) whole.node("").orElseThrow()).spec();
            ByteBuffer elements = ByteBuffer.wrap(whole.elements("")).order(spec.byteOrder());
            for (int i = 0; elements.hasRemaining(); i++) {
                assertEquals(i, elements.getFloat());
            }
        }
        assertEquals(List.of(), FileTrees.differences(local(), target));
    }

    @Test
    void aWorkerIsKilledAndTheBytesAreTheSame() throws Exception {
        Path path = directory.resolve("killed.zarr");
        try (ChunkStore target = Zarr.create(path)) {
            Plan plan = spark.tuned(job(target), 2).plan();
            assertEquals(2, plan.arrays().get(0).copy().stages().size(), plan::explain);
            MOMENT.next.set(() -> cluster.kill(0));
            Report report = spark.execute(plan);
            assertEquals(null, MOMENT.next.get());
            assertEquals(plan.tasks(), report.tasksDoneBefore());
            assertTrue(report.measuredMemory() > 0);
            assertTrue(report.measuredMemory() <= plan.projectedMemory().bytes(), report::toString);
            assertTrue(plan.projectedMemory().bytes() <= MAX_MEM);
        }
        assertArrived(path);
    }

    @Test
    void aCancelledJobLeavesNoArray() throws Exception {
        Path path = directory.resolve("cancelled.zarr");
        try (ChunkStore target = Zarr.create(path)) {
            MOMENT.next.set(() -> context.cancelJobGroup("mine"));
            context.setJobGroup("mine", "cancelled in the middle", true);
            Plan plan = spark.tuned(job(target), 2).plan();
            CancellationException cancelled = assertThrows(CancellationException.class, () -> spark.execute(plan));
            assertTrue(
                    String.valueOf(cancelled.getMessage()).contains("stage 0 was cancelled on Spark"),
                    cancelled::toString);
            assertEquals("mine", context.getLocalProperty("spark.jobGroup.id"), "the job group of the caller");
            context.clearJobGroup();
            try (ChunkStore seen = Zarr.open(path)) {
                assertTrue(seen.node("").isEmpty());
            }
            RefusedException refused = assertThrows(RefusedException.class, () -> spark.execute(plan));
            assertTrue(String.valueOf(refused.getMessage()).contains("overwrite()"), refused::toString);
            spark.execute(spark.tuned(job(target), 2).overwrite().plan());
        }
        assertArrived(path);
    }

    @Test
    void anInterruptedRunIsCancelled() throws Exception {
        Path path = directory.resolve("interrupted.zarr");
        try (ChunkStore target = Zarr.create(path)) {
            Thread caller = Thread.currentThread();
            MOMENT.next.set(caller::interrupt);
            assertThrows(
                    InterruptedException.class,
                    () -> spark.execute(spark.tuned(job(target), 2).plan()));
            assertFalse(Thread.interrupted());
            assertEquals(null, context.getLocalProperty("spark.jobGroup.id"));
            assertTrue(target.node("").isEmpty());
        }
    }

    @Test
    void tooLittleMemoryIsRefusedBeforeAnythingIsWritten() throws Exception {
        Path big = directory.resolve("big.zarr");
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(4000, 1000, 1000), Shape.of(1, 1000, 1000)), DataType.FLOAT32)
                .codecs(CodecSpec.parse("gzip"))
                .build();
        Path path = directory.resolve("refused.zarr");
        try (ChunkStore empty = Zarr.create(big);
                ArrayWriter writer = empty.create("", empty.resolve(spec), false)) {
            writer.commit();
        }
        try (ChunkStore target = Zarr.create(path)) {
            Rechunker.Job job = Rechunker.from(big)
                    .to(target)
                    .chunks(4000, 250, 250)
                    .maxMem("4GB")
                    .noSpill();
            RefusedException refused = assertThrows(
                    RefusedException.class,
                    () -> spark.execute(spark.tuned(job, 2).plan()));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("set spark.executor.memory to at least "),
                    refused::toString);
        }
        assertFalse(Files.exists(path));
    }
}
