package dev.rechunker.io.beam;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.run.TaskRange;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Reshuffle;
import org.apache.beam.sdk.values.KV;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The copy of the announcement of this project, duacs, on a smaller scale, with the direct runner of Beam. Maps become
 * time series; bundles fail, and are run twice.
 */
@Timeout(200)
class BeamExecutorTest {
    private static final Shape SHAPE = Shape.of(445, 36, 72);
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    /** Calls of {@link Lost} in this JVM, which is that of the workers, too. */
    private static final AtomicInteger CALLS = new AtomicInteger();

    @TempDir
    static Path shared;

    @TempDir
    Path directory;

    @BeforeAll
    static void source() throws Exception {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(SHAPE, Shape.of(5, 36, 72)), DataType.FLOAT32)
                .dimensionNames(List.of("time", "latitude", "longitude"))
                .codecs(CodecSpec.parse("gzip:level=1"))
                .build();
        try (ChunkStore store = Zarr.create(shared.resolve("duacs.zarr"))) {
            Data.of(spec).write(store, "");
        }
        try (ChunkStore local = Zarr.create(shared.resolve("local.zarr"))) {
            job(shared.resolve("duacs.zarr"), local).execute();
        }
    }

    private static Rechunker.Job job(Path source, ChunkStore target) throws IOException {
        return Rechunker.from(source)
                .to(target)
                .chunks("time=-1, latitude=8, longitude=8")
                .maxMem("1500kB")
                .threads(1)
                .costModel(SLOW_TO_READ);
    }

    private static PipelineOptions options() {
        return PipelineOptionsFactory.fromArgs(
                        "--runner=DirectRunner",
                        "--targetParallelism=2",
                        "--enforceImmutability=false",
                        "--enforceEncodability=false")
                .create();
    }

    private static void assertSameAsLocal(Path target) throws IOException {
        assertEquals(List.of(), FileTrees.differences(shared.resolve("local.zarr"), target));
    }

    private static Map<String, Long> counters(PipelineResult result) {
        Map<String, Long> counters = new TreeMap<>();
        result.metrics()
                .queryMetrics(MetricsFilter.builder().build())
                .getCounters()
                .forEach(counter -> counters.merge(counter.getName().getName(), counter.getAttempted(), Long::sum));
        return counters;
    }

    /** {@return the number of tasks of a saved plan that are not recorded as done} */
    private static long left(String place) throws IOException {
        long left = 0;
        try (JobFile job = JobFile.open(Path.of(place))) {
            for (int stage = 0; stage < job.tasks().size(); stage++) {
                left += job.missing(stage).stream().mapToLong(TaskRange::count).sum();
            }
        }
        return left;
    }

    @Test
    void theBytesAreThoseOfALocalRun() throws Exception {
        Path source = shared.resolve("duacs.zarr");
        Path path = directory.resolve("out.zarr");
        String plan = directory.resolve("plan.json").toString();
        AtomicReference<PipelineResult> started = new AtomicReference<>();
        try (ChunkStore target = Zarr.create(path)) {
            BeamExecutor beam = new BeamExecutor(options(), 4).slots(2).onStart(started::set);
            Plan made = beam.tuned(job(source, target)).plan();
            assertEquals("Spill", made.arrays().get(0).copy().strategy(), made::explain);
            Report report = beam.execute(made, plan);
            assertEquals(made.tasks(), report.tasksDoneBefore());
            assertTrue(report.measuredMemory() > 0 && report.measuredMemory() <= 1_500_000, report.toString());
            Map<String, Long> counters = counters(requireNonNull(started.get()));
            assertEquals(made.tasks(), counters.get("tasks"));
            assertTrue(counters.getOrDefault("bytesRead", 0L) >= 445 * 36 * 72 * 4 * 2L, counters.toString());
            assertEquals(5 * 9, counters.get("units"), counters.toString());
            assertThrows(RefusedException.class, () -> beam.execute(made, plan), "the plan exists");
            beam.resume(plan); // of a finished run
        }
        assertSameAsLocal(path);
        assertFalse(Files.exists(Path.of(plan + ".run")));
    }

    /** A chunk of the source cannot be read. When it can, the pipeline is resumed, and runs only what is left. */
    @Test
    void aPipelineThatFailedIsResumed() throws Exception {
        Path source = directory.resolve("source.zarr");
        for (Map.Entry<String, byte[]> file :
                FileTrees.files(shared.resolve("duacs.zarr")).entrySet()) {
            Path to = source.resolve(file.getKey());
            Files.createDirectories(to.getParent());
            Files.write(to, file.getValue());
        }
        Path chunk = source.resolve("c/50/0/0");
        byte[] whole = Files.readAllBytes(chunk);
        Files.write(chunk, new byte[] {1, 2, 3});
        Path path = directory.resolve("out.zarr");
        String plan = directory.resolve("plan.json").toString();
        try (ChunkStore target = Zarr.create(path)) {
            AtomicReference<PipelineResult> started = new AtomicReference<>();
            BeamExecutor beam = new BeamExecutor(options(), 4).onStart(started::set);
            Plan made = beam.tuned(job(source, target)).plan();
            TaskFailedException failed = assertThrows(TaskFailedException.class, () -> beam.execute(made, plan));
            String message = String.valueOf(failed.getMessage());
            assertTrue(message.contains("chunk c/50/0/0"), message);
            assertTrue(message.contains("run what is left with resume(\"" + plan + "\")"), message);

            Files.write(chunk, whole);
            long left = left(plan);
            assertTrue(left > 0 && left < made.tasks(), left + " of " + made.tasks() + " tasks are left");
            beam.resume(plan);
            long run = counters(requireNonNull(started.get())).getOrDefault("tasks", 0L);
            // Bundles that were running when the first pipeline failed may have ended since.
            assertTrue(run > 0 && run <= left, run + " tasks were run, but only " + left + " were left");
        }
        assertSameAsLocal(path);
    }

    /** Fails once after the tasks of a bundle are done, as if the worker were lost before the runner knew. */
    private static final class Lost extends DoFn<KV<Long, Long>, Long> {
        private static final long serialVersionUID = 1L;

        @ProcessElement
        public void lose(@Element KV<Long, Long> range, OutputReceiver<Long> out) {
            if (CALLS.incrementAndGet() == 3) {
                throw new IllegalStateException("the worker is lost");
            }
            out.output(range.getKey());
        }
    }

    /** Runners may run bundles again, also while the first try is still running. */
    @Test
    void lostAndDuplicatedBundlesAreHarmless() throws Exception {
        Path path = directory.resolve("out.zarr");
        String place = directory.resolve("plan.json").toString();
        try (ChunkStore target = Zarr.create(path)) {
            BeamExecutor beam = new BeamExecutor(options(), 3);
            JobFile.save(beam.tuned(job(shared.resolve("duacs.zarr"), target)).plan(), Path.of(place));
            CALLS.set(0);
            assertThrows(Pipeline.PipelineExecutionException.class, () -> runTwice(place));
            assertTrue(CALLS.get() >= 3);
            runTwice(place);
            beam.resume(place);
        }
        assertSameAsLocal(path);
    }

    /** Runs the tasks of the first stage in ranges that overlap, each twice, two at the same time. */
    private static void runTwice(String place) throws IOException {
        try (JobFile job = JobFile.open(Path.of(place))) {
            long tasks = job.tasks().get(0);
            List<KV<Long, Long>> ranges = new ArrayList<>();
            for (long from = 0; from < tasks; from++) {
                ranges.add(KV.of(from, Math.min(tasks, from + 2)));
                ranges.add(KV.of(from, Math.min(tasks, from + 2)));
            }
            Pipeline pipeline = Pipeline.create(options());
            pipeline.apply(Create.of(ranges).withCoder(KvCoder.of(VarLongCoder.of(), VarLongCoder.of())))
                    .apply(Reshuffle.viaRandomKey())
                    .apply(ParDo.of(new RunTasks(place, job.id(), 0, 2)))
                    .apply(ParDo.of(new Lost()));
            pipeline.run().waitUntilFinish();
        }
    }

    @Test
    void tooLittleMemoryOfWorkersIsRefused() throws Exception {
        String message =
                String.valueOf(assertThrows(RefusedException.class, () -> OpenJob.require(3, 500L << 20, 1L << 30))
                        .getMessage());
        assertTrue(message.contains("3 ranges of tasks at a time"), message);
        assertTrue(message.contains("-XX:MaxDirectMemorySize=1564m"), message);
        OpenJob.require(3, 500L << 20, 1564L << 20);

        try (ChunkStore target = Zarr.create(directory.resolve("out.zarr"))) {
            BeamExecutor many = new BeamExecutor(options(), 1).slots(1_000_000);
            Plan plan = job(shared.resolve("duacs.zarr"), target).plan();
            RefusedException refused = assertInstanceOf(
                    RefusedException.class,
                    assertThrows(
                            IOException.class,
                            () -> many.execute(
                                    plan, directory.resolve("plan.json").toString())));
            assertTrue(String.valueOf(refused.getMessage()).contains("or fewer slots"), refused.getMessage());
            new BeamExecutor(options(), 1).resume(directory.resolve("plan.json").toString());
        }
        assertSameAsLocal(directory.resolve("out.zarr"));
        assertThrows(IllegalArgumentException.class, () -> new BeamExecutor(options(), 0));
    }

    @Test
    void anInterruptCancelsThePipeline() throws Exception {
        String place = directory.resolve("plan.json").toString();
        try (ChunkStore target = Zarr.create(directory.resolve("out.zarr"))) {
            Thread caller = Thread.currentThread();
            PipelineOptions options = PipelineOptionsFactory.fromArgs("--blockOnRun=false", "--targetParallelism=1")
                    .create();
            BeamExecutor beam = new BeamExecutor(options, 1).onStart(result -> caller.interrupt());
            Plan plan = job(shared.resolve("duacs.zarr"), target).plan();
            assertThrows(InterruptedException.class, () -> beam.execute(plan, place));
            new BeamExecutor(options(), 2).resume(place);
        }
        assertSameAsLocal(directory.resolve("out.zarr"));
    }

    /** The sample of the page on engines. */
    @Test
    void theSampleOfThePageRuns() throws Exception {
        Path source = shared.resolve("duacs.zarr");
        String[] args = {"--runner=DirectRunner", "--targetParallelism=2"};
        String place = directory.resolve("plan.json").toString();
        try (ChunkStore target = Zarr.create(directory.resolve("out.zarr"))) {
            // snippet: beam
            PipelineOptions options = PipelineOptionsFactory.fromArgs(args).create(); // --runner=FlinkRunner ...
            BeamExecutor beam = new BeamExecutor(options, 50); // for 50 workers
            Rechunker.Job job = Rechunker.from(source)
                    .to(target)
                    .chunks("time=-1, latitude=8, longitude=8")
                    .maxMem("64MB");
            Report report = beam.execute(beam.tuned(job).plan(), place); // s3://bucket/plan.json
            // end snippet
            assertTrue(report.tasksDoneBefore() > 0);
        }
        assertSameAsLocal(directory.resolve("out.zarr"));
    }
}
