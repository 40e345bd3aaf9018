package dev.rechunker.io.jobs;

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
import dev.rechunker.io.Stores;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Executor;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.run.TaskGroup;
import dev.rechunker.run.TaskRange;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Plans from bucket to bucket. Their descriptions contain addresses, but no secrets. */
class BucketJobTest {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);
    private static final Data DATA =
            Data.of(ArraySpec.builder(ChunkGrid.regular(Shape.of(1024, 1024), Shape.of(1024, 32)), DataType.INT32)
                    .codecs(CodecSpec.parse("gzip:level=1"))
                    .build());

    private static S3Server server;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.startUnsigned();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String place() {
        return "s3://" + server.bucket() + "/some/where.zarr?endpoint=" + server.address() + "&anonymous=true";
    }

    private void runAndCheck(Rechunker.Job job, String target) throws Exception {
        Path file = directory.resolve("plan.json");
        Plan plan = job.plan();
        JobFile.save(plan, file);
        String text = Files.readString(file);
        assertTrue(text.contains("s3://") && !text.contains("local-secret"), text);
        try (JobFile job1 = JobFile.open(file)) {
            for (int stage = 0; stage < job1.tasks().size(); stage++) {
                long tasks = job1.tasks().get(stage);
                assertTrue(tasks > 1, plan::explain);
                try (JobFile other = JobFile.open(file)) {
                    other.run(stage, tasks / 2, tasks);
                }
                job1.run(stage, 0, tasks / 2 + 1);
            }
            try (ChunkStore store = Zarr.open(Stores.keys(target))) {
                assertTrue(store.node("").isEmpty(), "the array exists before the run is finished");
            }
            job1.finish();
        }
        try (ChunkStore store = Zarr.open(Stores.keys(target))) {
            DATA.check(store, "");
        }
    }

    @Test
    void bucketsNeedNoLocalDirectoryWithoutASpill() throws Exception {
        String from = place();
        String to = place();
        try (ChunkStore source = Zarr.create(Stores.keys(from));
                ChunkStore target = Zarr.create(Stores.keys(to))) {
            DATA.write(source, "");
            runAndCheck(windows(source, target), to);
        }
    }

    private interface Spilling {
        Rechunker.Job in(Rechunker.Job job) throws IOException;
    }

    /** Runs a plan with a spill. Afterwards the bucket contains only the array. */
    private void spills(int workers, Spilling where) throws Exception {
        String from = place();
        String to = place();
        try (ChunkStore source = Zarr.create(Stores.keys(from));
                ChunkStore target = Zarr.create(Stores.keys(to))) {
            DATA.write(source, "");
            Rechunker.Job job = where.in(Rechunker.from(source)
                    .to(target)
                    .chunks(32, 1024)
                    .maxMem("2500kB")
                    .threads(1)
                    .workers(workers)
                    .costModel(SLOW_TO_READ));
            Plan plan = job.plan();
            assertEquals("Spill", plan.arrays().get(0).copy().strategy(), plan::explain);
            runAndCheck(job, to);
        }
        try (KeyStore keys = Stores.keys(to)) {
            assertEquals(List.of("zarr.json"), keys.list("").values());
            assertEquals(List.of("c"), keys.list("").directories());
        }
    }

    /**
     * It is unknown whether a run into a bucket is still alive, so its unfinished array is overwritten only by request.
     */
    @Test
    void unfinishedArraysOfAnotherRunAreRefused() throws Exception {
        String from = place();
        String to = place();
        try (ChunkStore source = Zarr.create(Stores.keys(from));
                ChunkStore target = Zarr.create(Stores.keys(to));
                ChunkStore another = Zarr.create(Stores.keys(to))) {
            DATA.write(source, "");
            Rechunker.Job job = windows(source, target);
            Path file = directory.resolve("plan.json");
            JobFile.save(job.plan(), file);
            for (Executable taking : List.<Executable>of(
                    () -> windows(source, another).execute(),
                    () -> JobFile.save(windows(source, another).plan(), directory.resolve("other.json")))) {
                StoreException refusal = assertThrows(StoreException.class, taking);
                assertTrue(
                        String.valueOf(refusal.getMessage()).contains("is being written by another run"),
                        refusal.getMessage());
            }
            try (JobFile saved = JobFile.open(file)) {
                saved.run(0, 0, saved.tasks().get(0));
                saved.finish();
                saved.finish();
            }
            DATA.check(another, "");
            windows(source, another).overwrite().execute();
        }
    }

    private static Rechunker.Job windows(ChunkStore source, ChunkStore target) throws IOException {
        return Rechunker.from(source)
                .to(target)
                .chunks(32, 1024)
                .maxMem("2MB")
                .threads(1)
                .workers(4)
                .noSpill();
    }

    @Test
    void twoRunsDoNotWriteIntoOneArrayAtTheSameTime() throws Exception {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(8), Shape.of(4)), DataType.INT32)
                .build();
        MemoryStore more = new MemoryStore();
        Data.of(spec, 1).write(more, "");
        try (ChunkStore target = Zarr.create(Stores.keys(place()))) {
            Data.of(spec).write(target, "");
            Rechunker.Job append =
                    Rechunker.from(more).into(target).append(0).maxMem("1MB").threads(1);
            Plan plan = append.plan();
            List<String> said = new ArrayList<>();
            plan.execute(new Executor() {
                @Override
                public int threads() {
                    return 1;
                }

                @Override
                public void execute(TaskGroup tasks) throws IOException, InterruptedException {
                    said.add(String.valueOf(assertThrows(RefusedException.class, append::execute)
                            .getMessage()));
                    new SerialExecutor().execute(tasks);
                }
            });
            assertTrue(said.get(0).contains("is being changed by another run"), said.get(0));
            append.execute();
            assertEquals(
                    24,
                    ((ChunkStore.ArrayNode) target.node("").orElseThrow())
                            .spec()
                            .shape()
                            .extent(0));
        }
    }

    @Test
    void aSpillIsWrittenToASharedDirectory() throws Exception {
        Path spill = Files.createDirectories(directory.resolve("spill"));
        spills(4, job -> job.spill(spill));
        try (var left = Files.list(spill)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void aSpillIsWrittenToABucket() throws Exception {
        String place = place();
        try (SpillStore spill = Stores.temporary(place);
                KeyStore keys = Stores.keys(place)) {
            spills(1, job -> job.spill(spill));
            assertTrue(keys.list("").isEmpty(), "the bucket is not empty: " + keys.list(""));
        }
    }

    @Test
    void aSpillOfManyProcessesIsInTheTargetByDefault() throws Exception {
        spills(4, job -> job);
    }

    @Test
    void aSpillNeedsASharedLocation() throws Exception {
        Path file = directory.resolve("other.json");
        RefusedException e = assertThrows(
                RefusedException.class,
                () -> spills(1, job -> {
                    JobFile.save(job.plan(), file);
                    return job;
                }));
        assertTrue(String.valueOf(e.getMessage()).contains("spill(...)"), e.toString());
        assertFalse(Files.exists(file));
    }

    /** Without what the run has put there, a bucket is another place, or something has removed it. */
    @Test
    void aSpillThatIsNotInTheBucketIsRefused() throws Exception {
        String from = place();
        String to = place();
        Path file = directory.resolve("plan.json");
        try (ChunkStore source = Zarr.create(Stores.keys(from));
                ChunkStore target = Zarr.create(Stores.keys(to));
                KeyStore keys = Stores.keys(to)) {
            DATA.write(source, "");
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(32, 1024)
                    .maxMem("2500kB")
                    .threads(1)
                    .workers(4)
                    .costModel(SLOW_TO_READ)
                    .plan();
            JobFile.save(plan, file);
            String run = ".rechunker-spill/"
                    + keys.list(".rechunker-spill").directories().get(0);
            try (JobFile job = JobFile.open(file)) {
                job.run(0, 0, job.tasks().get(0));
                String slabs = run + "/0/0/0";
                String lost = slabs + "/" + keys.list(slabs).values().get(1);
                keys.delete(lost);
                assertSays(lost + " of the unfinished run is missing", job, 1);

                keys.put(lost, ByteBuffer.allocate(1));
                assertSays(lost + " has 1 bytes instead of", job, 1);

                keys.delete(run + "/begun");
                assertSays(run + "/begun of this run is missing", job, 0);
                assertSays(run + "/begun of this run is missing", job, 1);
            }
        }
    }

    private static void assertSays(String part, JobFile job, int stage) {
        IOException e = assertThrows(
                IOException.class, () -> job.run(stage, 0, job.tasks().get(stage)));
        assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }

    /** A process that stays open has one journal, which others see after each range, and may run ranges in threads. */
    @Test
    void recordsAreVisibleWhileTheirProcessIsOpen() throws Exception {
        String from = place();
        String to = place();
        try (ChunkStore source = Zarr.create(Stores.keys(from));
                ChunkStore target = Zarr.create(Stores.keys(to));
                KeyStore keys = Stores.keys(place())) {
            DATA.write(source, "");
            JobFile.save(windows(source, target).plan(), keys, "plan.json");
            try (JobFile job = JobFile.open(keys, "plan.json");
                    JobFile other = JobFile.open(keys, "plan.json")) {
                long tasks = job.tasks().get(0);
                other.run(0, tasks, tasks);
                assertEquals(List.of(), keys.list("plan.json.run").values(), "nothing was run");
                job.run(0, 0, 1);
                CompletableFuture<Report> half = CompletableFuture.supplyAsync(() -> runs(job, 1, tasks / 2));
                runs(job, tasks / 2, tasks - 1);
                half.get();
                assertEquals(1, keys.list("plan.json.run").values().size());
                assertEquals(List.of(new TaskRange(tasks - 1, tasks)), other.missing(0));
                assertEquals(0, job.run(0, 0, tasks - 1).tasks(), "tasks are run again");
                other.run(0, tasks - 1, tasks);
                job.finish();
            }
            assertEquals(List.of("plan.json"), keys.list("").values());
            DATA.check(target, "");
        }
    }

    private static Report runs(JobFile job, long from, long to) {
        try {
            return job.run(0, from, to);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Everything is in buckets, so no process needs a file of another one. */
    @Test
    void plansAndRecordsMayBeInABucket() throws Exception {
        String from = place();
        String to = place();
        try (ChunkStore source = Zarr.create(Stores.keys(from));
                ChunkStore target = Zarr.create(Stores.keys(to));
                KeyStore keys = Stores.keys(place())) {
            DATA.write(source, "");
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(32, 1024)
                    .maxMem("2500kB")
                    .threads(1)
                    .workers(4)
                    .costModel(SLOW_TO_READ)
                    .plan();
            JobFile.save(plan, keys, "plans/p.json");
            assertThrows(RefusedException.class, () -> JobFile.save(plan, keys, "plans/p.json"));
            try (JobFile job = JobFile.open(keys, "plans/p.json")) {
                long splits = job.tasks().get(0);
                job.run(0, 1, splits);
                assertThrows(RefusedException.class, () -> job.run(1, 0, 1), "one is missing");
                try (JobFile other = JobFile.open(keys, "plans/p.json")) {
                    Report report = other.run(0, 0, splits);
                    assertEquals(1, report.tasks());
                    assertEquals(List.of(), job.missing(0));
                    other.run(1, 0, other.tasks().get(1));
                }
                StoreException e = assertThrows(StoreException.class, () -> JobFile.open(keys, "plans/q.json"));
                assertTrue(String.valueOf(e.getMessage()).contains("there is no plan at"), e.toString());
                job.finish();
            }
            assertEquals(List.of("p.json"), keys.list("plans").values());
            assertEquals(List.of(), keys.list("plans").directories());
            try (ChunkStore store = Zarr.open(Stores.keys(to))) {
                DATA.check(store, "");
            }
        }
    }
}
