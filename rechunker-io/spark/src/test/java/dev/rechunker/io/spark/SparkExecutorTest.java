package dev.rechunker.io.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of two executors, each in its own JVM, of which one is killed while it runs tasks. */
@Timeout(400)
class SparkExecutorTest {
    @TempDir
    Path directory;

    /** {@return the configuration of a cluster that this JVM starts} */
    private SparkConf conf() throws IOException {
        System.setProperty("spark.testing", "true");
        System.setProperty("spark.test.home", Clusters.home(directory).toString());
        return Clusters.conf(directory)
                .setMaster("local-cluster[2,1,1024]")
                .set("spark.executorEnv.SPARK_SCALA_VERSION", Clusters.SCALA);
    }

    private Path source() throws IOException, InterruptedException {
        Path path = directory.resolve("source.zarr");
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(2048, 4096), Shape.of(2048, 16)), DataType.INT32)
                .codecs(CodecSpec.parse("gzip:level=1"))
                .build();
        ByteBuffer elements = ByteBuffer.allocate((int) spec.bytes()).order(spec.byteOrder());
        for (int i = 0; elements.hasRemaining(); i++) {
            elements.putInt(i * 0x9E3779B9);
        }
        try (ChunkStore store = Zarr.create(path)) {
            Rechunker.from(MemoryStore.of(spec, elements.array()))
                    .to(store)
                    .chunks("keep")
                    .maxMem("64MB")
                    .execute();
        }
        return path;
    }

    private static Rechunker.Job job(Path source, ChunkStore target) throws IOException {
        return Rechunker.from(source).to(target).chunks(16, 4096).maxMem("3MB");
    }

    @Test
    void anExecutorIsKilledAndTheBytesAreTheSame() throws Exception {
        Path source = source();
        Path local = directory.resolve("local.zarr");
        Path shared = directory.resolve("shared.zarr");
        try (JavaSparkContext context = new JavaSparkContext(conf());
                ChunkStore alone = Zarr.create(local);
                ChunkStore target = Zarr.create(shared)) {
            SparkExecutor spark = new SparkExecutor(context);
            MemoryStore memory = new MemoryStore();
            RefusedException refused = assertThrows(
                    RefusedException.class,
                    () -> spark.execute(job(source, memory).plan()));
            assertTrue(String.valueOf(refused.getMessage()).contains("another process"), refused.toString());

            Plan plan = spark.tuned(job(source, target), 2).plan();
            assertEquals(2, plan.arrays().get(0).copy().stages().size(), plan::explain);
            job(source, alone).threads(1).execute();
            Killer killer = new Killer(shared.resolve(".rechunker-run"));
            killer.start();
            Report report = spark.execute(plan);
            killer.end();
            assertTrue(killer.killed, "no executor was killed");
            assertEquals(plan.tasks(), report.tasksDoneBefore());
            assertThrows(RefusedException.class, () -> spark.execute(plan), "the target exists");
            Path sample = directory.resolve("sample.zarr");
            sample(context, source, Zarr.create(sample));
            assertEquals(List.of(), FileTrees.differences(local, sample));
            view(spark, source);
        }
        assertEquals(List.of(), FileTrees.differences(local, shared));
    }

    /** The sample of the page on schedulers. */
    private static void sample(JavaSparkContext context, Path source, ChunkStore target) throws Exception {
        // snippet: spark
        SparkExecutor spark = new SparkExecutor(context); // a JavaSparkContext
        Rechunker.Job job = Rechunker.from(source)
                .to(target)
                .chunks("16, -1")
                .maxMem("64MB")
                .noSpill();
        Report report = spark.execute(spark.tuned(job, 50).plan()); // for 50 executors
        // end snippet
        assertTrue(report.tasksDoneBefore() > 0);
    }

    /** A view of indices and of values, which is measured by the driver only. */
    private void view(SparkExecutor spark, Path source) throws Exception {
        Path local = directory.resolve("view-local.zarr");
        Path shared = directory.resolve("view.zarr");
        try (ChunkStore alone = Zarr.create(local);
                ChunkStore target = Zarr.create(shared)) {
            viewed(source, alone).threads(1).execute();
            spark.execute(spark.tuned(viewed(source, target), 2).plan());
        }
        assertEquals(List.of(), FileTrees.differences(local, shared));
    }

    private static Rechunker.Job viewed(Path source, ChunkStore target) throws IOException {
        return Rechunker.from(source)
                .to(target)
                .chunks(64, 100)
                .maxMem("8MB")
                .select("5::20, ::7")
                .flip("0")
                .transpose("1, 0")
                .pack("int16");
    }

    /** Kills an executor when it uses the directory of the run, which is while the first stage runs. */
    private static final class Killer extends Thread {
        private final Path work;
        private volatile boolean ended;
        private volatile boolean killed;

        Killer(Path work) {
            this.work = work;
        }

        @Override
        public void run() {
            try {
                while (!ended && !killed) {
                    TimeUnit.MILLISECONDS.sleep(20);
                    killed = executorRuns()
                            && executor().map(ProcessHandle::destroyForcibly).orElse(false);
                }
            } catch (InterruptedException | IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private boolean executorRuns() throws IOException {
            if (!Files.isDirectory(work)) {
                return false;
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(work, "tasks-*")) {
                return files.iterator().hasNext();
            }
        }

        /** {@return one of the executors, which are the only child processes of this JVM that are JVMs} */
        private static Optional<ProcessHandle> executor() {
            return ProcessHandle.current()
                    .children()
                    .filter(process -> process.info().command().orElse("").endsWith("java"))
                    .findFirst();
        }

        void end() throws InterruptedException {
            ended = true;
            join();
        }
    }
}
