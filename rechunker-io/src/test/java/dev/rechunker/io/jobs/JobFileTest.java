package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ChunkRule;
import dev.rechunker.Plan;
import dev.rechunker.PlannedCopy;
import dev.rechunker.Rechunker;
import dev.rechunker.SharedRun;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.Crew;
import dev.rechunker.run.Executor;
import dev.rechunker.run.Progress;
import dev.rechunker.run.ProgressListener;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.run.TaskGroup;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans that are saved, opened by other processes, and run in pieces in any order. */
@Timeout(120)
class JobFileTest {
    private static final CostModel SLOW_TO_READ = new CostModel("slow to read", 1, 1e9, 1e9, 0, 1e9);

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void setUp() {
        file = directory.resolve("plan.json");
    }

    private interface Jobs {
        Rechunker.Job of(ChunkStore target) throws IOException;
    }

    private interface Targets {
        ChunkStore at(Path directory);
    }

    private Path array(String name, ArraySpec spec, long salt) throws IOException {
        Path path = directory.resolve(name);
        try (ChunkStore store = Zarr.create(path)) {
            Data.of(spec, salt).write(store, "");
        }
        return path;
    }

    private static ArraySpec.Builder spec(long[] shape, long... chunks) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(chunks)), DataType.INT32)
                .codecs(CodecSpec.parse("gzip:level=1"));
    }

    private static final ArraySpec SQUARE =
            spec(new long[] {512, 512}, 256, 4).attributes(Map.of("units", "m")).build();

    private Path square() throws IOException {
        return array("square.zarr", SQUARE, 0);
    }

    @Test
    void theSampleOfTheGuideRuns() throws Exception {
        Path source = square();
        Path place = directory.resolve("target.zarr");
        try (ChunkStore target = Zarr.create(place)) {
            // snippet: jobs
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(4, 512)
                    .maxMem("64MB")
                    .threads(4)
                    .workers(100)
                    .plan();
            JobFile.save(plan, file);

            try (JobFile job = JobFile.open(file)) { // dev.rechunker.io.jobs
                job.run(0, 0, job.tasks().get(0)); // all tasks of stage 0, or some
            }
            // end snippet
            try (JobFile job = JobFile.open(file)) {
                job.finish();
            }
            assertTrue(target.node("").isPresent(), plan::explain);
        }
    }

    /** Runs every task in random pieces and in random order, some of them twice, each piece with stores of its own. */
    private void runAll(long seed) throws IOException, InterruptedException {
        Random random = new Random(seed);
        int stages;
        try (JobFile job = JobFile.open(file)) {
            stages = job.tasks().size();
        }
        for (int stage = 0; stage < stages; stage++) {
            List<long[]> pieces = new ArrayList<>();
            try (JobFile job = JobFile.open(file)) {
                long tasks = job.tasks().get(stage);
                long each = Math.max(1, tasks / 7);
                for (long from = 0; from < tasks; from += each) {
                    pieces.add(new long[] {from, Math.min(tasks, from + each)});
                }
            }
            Collections.shuffle(pieces, random);
            pieces.add(pieces.get(0));
            for (long[] piece : pieces) {
                try (JobFile job = JobFile.open(file)) {
                    Report report = job.run(stage, piece[0], piece[1]);
                    assertTrue(report.measuredMemory() <= report.projectedMemory());
                }
            }
        }
    }

    private void check(Targets format, Jobs jobs, String strategies) throws Exception {
        Path local = directory.resolve("local");
        Path shared = directory.resolve("shared");
        try (ChunkStore target = format.at(local)) {
            jobs.of(target).execute();
        }
        try (ChunkStore target = format.at(shared)) {
            Plan plan = jobs.of(target).plan();
            assertEquals(
                    strategies,
                    String.join(
                            " ",
                            plan.arrays().stream().map(a -> a.copy().strategy()).toList()));
            JobFile.save(plan, file);
        }
        long seed = new Random().nextLong();
        runAll(seed);
        try (JobFile job = JobFile.open(file)) {
            Report report = job.finish();
            assertEquals(job.plan().tasks(), report.tasksDoneBefore());
        }
        assertEquals(List.of(), FileTrees.differences(local, shared), "seed " + seed);
        assertFalse(Files.exists(directory.resolve("plan.json.run")));
    }

    private static void assertSays(String part, Exception e) {
        assertTrue(String.valueOf(e.getMessage()).contains(part), e.toString());
    }

    @Test
    void windowsToZarr3() throws Exception {
        Path source = square();
        check(Zarr::create, to -> windows(source, to), "Window");
    }

    @Test
    void spillOfTwoBlocksToZarr2() throws Exception {
        Path source = square();
        check(
                path -> Zarr.create(path, ZarrFormat.V2),
                to -> Rechunker.from(source)
                        .to(to)
                        .chunks(4, 512)
                        .maxMem("500kB")
                        .threads(1)
                        .costModel(SLOW_TO_READ)
                        .durable(),
                "Spill");
    }

    /** Data in the memory of one process could not be read by another. */
    @Test
    void aPlanWithASpillInMemoryIsPlannedWithFiles() throws Exception {
        Path source = array("tall.zarr", spec(new long[] {240, 240}, 60, 1).build(), 0);
        Jobs jobs = to -> Rechunker.from(source)
                .to(to)
                .chunks(4, 240)
                .maxMem("455kB")
                .threads(1)
                .costModel(SLOW_TO_READ);
        try (ChunkStore target = Zarr.create(directory.resolve("planned"))) {
            PlannedCopy copy = jobs.of(target).plan().arrays().get(0).copy();
            assertTrue(copy.strategy().equals("Spill") && copy.cost().residentBytes() > 0, copy::explain);
        }
        check(Zarr::create, jobs, "Spill");
    }

    @Test
    void encodedChunksOfAPartToN5() throws Exception {
        ArraySpec spec = spec(new long[] {2048, 300}, 64, 100).build();
        Path source = directory.resolve("a.n5");
        try (ChunkStore store = N5.create(source)) {
            ArraySpec stored = store.resolve(store.rules().adopt(spec));
            Data.of(stored).write(store, "");
        }
        check(
                N5::create,
                to -> Rechunker.from(source)
                        .to(to)
                        .chunks("keep")
                        .maxMem("400kB")
                        .threads(1),
                "CopyEncoded");
    }

    @Test
    void groupsWithRulesRegionsAndCodecs() throws Exception {
        Path source = directory.resolve("group.zarr");
        try (ChunkStore store = Zarr.create(source, ZarrFormat.V3)) {
            ArraySpec.Builder spec = spec(new long[] {600, 400}, 60, 400).dimensionNames(List.of("time", "x"));
            Data.of(spec.build(), 1).write(store, "a");
            Data.of(spec.build(), 2).write(store, "inner/b");
            store.writeGroup("inner", Map.of("title", "below"));
            store.writeGroup("", Map.of("title", "above"));
        }
        check(
                Zarr::create,
                to -> Rechunker.from(source)
                        .to(to)
                        .chunks(ChunkRule.named("a", "time=-1, x=8").orElseKeep())
                        .maxMem("800kB")
                        .threads(1)
                        .region("time=7:553")
                        .codec("shuffle:elementsize=4+gzip:level=1")
                        .shards("none")
                        .writeEmptyChunks()
                        .verify(),
                "Spill Spill");
    }

    @Test
    void joinedSourcesToOmeZarr() throws Exception {
        List<Concat.Source> members = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Path member = array(
                    "m" + i + ".zarr", spec(new long[] {400, 2400}, 100, 2400).build(), i);
            members.add(new Concat.Source("m" + i, "", () -> Zarr.open(member)));
        }
        check(
                path -> OmeZarr.create(path)
                        .axes("z", "y", "x")
                        .scale(2, 0.5, 0.5)
                        .units("um", "um", "um"),
                to -> Rechunker.from(Concat.stack("z", members))
                        .to(to)
                        .chunks(3, 400, 40)
                        .maxMem("7MB")
                        .threads(1)
                        .noSpill(),
                "Window");
    }

    /** A job with 32 tasks that copy windows. */
    private static Rechunker.Job windows(Path source, ChunkStore target) throws IOException {
        return Rechunker.from(source)
                .to(target)
                .chunks(4, 512)
                .maxMem("600kB")
                .threads(1)
                .noSpill();
    }

    @Test
    void anUnfinishedRunExcludesOtherRuns() throws Exception {
        Path source = square();
        Path place = directory.resolve("t.zarr");
        try (ChunkStore target = Zarr.create(place)) {
            JobFile.save(windows(source, target).plan(), file);
            Rechunker.Job another = windows(source, target).overwrite();
            Executor asking = new Executor() {
                @Override
                public int threads() {
                    return 1;
                }

                @Override
                public void execute(TaskGroup tasks) throws IOException, InterruptedException {
                    assertSays("is writing to", assertThrows(RefusedException.class, another::execute));
                    try (JobFile other = JobFile.open(file)) {
                        other.run(0, 0, 1);
                    }
                    new SerialExecutor().execute(tasks);
                }
            };
            try (JobFile job = JobFile.open(file)) {
                job.run(0, 0, job.tasks().get(0), asking, ProgressListener.NONE);
                job.finish();
            }
            Data.of(SQUARE).check(target, "");
        }
    }

    /** The number of bytes of the tasks of a call is known in advance; for all tasks it is that of the plan. */
    @Test
    void progressCountsTheTasksOfTheCall() throws Exception {
        Path source = square();
        double planned;
        try (ChunkStore target = Zarr.create(directory.resolve("t.zarr"))) {
            Plan plan = windows(source, target).plan();
            PlannedCopy.Cost cost = plan.arrays().get(0).copy().cost();
            planned = cost.bytesRead() + cost.bytesWritten();
            JobFile.save(plan, file);
        }
        try (JobFile job = JobFile.open(file)) {
            long tasks = job.tasks().get(0);
            double told = 0;
            for (long[] part : new long[][] {{0, tasks / 2}, {tasks / 2, tasks}}) {
                List<Progress> events = new ArrayList<>();
                job.run(0, part[0], part[1], new SerialExecutor(), events::add);
                Progress end = events.get(events.size() - 1);
                assertEquals(1, end.fraction());
                told += end.bytesToMove();
            }
            assertEquals(planned, told, 2);
        }
    }

    /** {@return an executor of one thread that does something after the first task} */
    private static Executor afterOneTask(Runnable something) {
        return new Executor() {
            @Override
            public int threads() {
                return 1;
            }

            @Override
            public void execute(TaskGroup tasks) throws IOException, InterruptedException {
                tasks.run(0, 1, Crew.ALONE);
                something.run();
                tasks.run(1, tasks.count(), Crew.ALONE);
            }
        };
    }

    /** Tasks that are interrupted, or end by an error, say which they are and how to go on. */
    @Test
    void interruptedTasksSayHowToGoOn() throws Exception {
        Path source = square();
        try (ChunkStore target = Zarr.create(directory.resolve("t.zarr"))) {
            JobFile.save(windows(source, target).plan(), file);
        }
        try (JobFile job = JobFile.open(file)) {
            long tasks = job.tasks().get(0);
            InterruptedException interrupted = assertThrows(
                    InterruptedException.class,
                    () -> job.run(
                            0,
                            0,
                            tasks,
                            afterOneTask(() -> Thread.currentThread().interrupt()),
                            event -> {}));
            assertSays("running tasks 0 to " + (tasks - 1) + " of stage 0 of copying " + source, interrupted);
            assertSays("was interrupted: 1 of " + tasks + " tasks are done; run these tasks again", interrupted);
            IOException exhausted = assertThrows(
                    IOException.class,
                    () -> job.run(
                            0,
                            1,
                            tasks,
                            afterOneTask(() -> {
                                throw new OutOfMemoryError("Java heap space");
                            }),
                            event -> {}));
            assertSays("running tasks 1 to " + (tasks - 1) + " of stage 0 of copying " + source, exhausted);
            assertSays("allow more with -Xmx; run these tasks again", exhausted);
            job.run(0, 0, tasks);
            job.finish();
        }
    }

    @Test
    void aRunIsNotFinishedByAnotherRunOfTheSameArray() throws Exception {
        Path source = square();
        Path place = directory.resolve("t.zarr");
        try (ChunkStore target = Zarr.create(place)) {
            JobFile.save(windows(source, target).plan(), file);
            windows(array("other.zarr", SQUARE, 7), target).overwrite().execute();
        }
        try (JobFile job = JobFile.open(file)) {
            assertSays("tasks of stage 0 are not done", assertThrows(RefusedException.class, job::finish));
        }
        assertFalse(Files.exists(directory.resolve("plan.json.run")), "a refused call leaves no files");
    }

    @Test
    void aFinishedRunIsMarked() throws Exception {
        Path source = square();
        try (ChunkStore target = Zarr.create(directory.resolve("t.zarr"))) {
            JobFile.save(windows(source, target).verify().plan(), file);
        }
        runAll(1);
        for (int i = 0; i < 2; i++) {
            try (JobFile job = JobFile.open(file)) {
                assertEquals(512 * 512, job.finish().elementsVerified());
                assertSays("is finished", assertThrows(RefusedException.class, () -> job.run(0, 0, 1)));
                assertEquals(512 * 512, job.finish().elementsVerified());
            }
        }
    }

    @Test
    void aDescriptionContainsNoGeometryAndNoSecret() throws Exception {
        Path source = square();
        try (ChunkStore target = Zarr.create(directory.resolve("t.zarr"))) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(4, 512)
                    .maxMem("500kB")
                    .threads(1)
                    .plan();
            String text = new String(Json.document(SharedRun.of(plan).description()), StandardCharsets.US_ASCII);
            assertTrue(text.length() < 6000, text);
        }
        assertFalse(Files.exists(directory.resolve("t.zarr")), "describing writes nothing");
    }

    @Test
    void storesThatOtherProcessesCannotOpenAreRefusedFirst() throws Exception {
        MemoryStore memory = new MemoryStore();
        Data.of(SQUARE).write(memory, "");
        Path there = directory.resolve("t.zarr");
        try (ChunkStore target = Zarr.create(there)) {
            Plan plan = Rechunker.from(memory)
                    .to(target)
                    .chunks(4, 512)
                    .maxMem("4MB")
                    .plan();
            RefusedException e = assertThrows(RefusedException.class, () -> JobFile.save(plan, file));
            assertSays("cannot be opened by another process", e);
        }
        try (ChunkStore source = Zarr.open(square());
                ChunkStore target = Zarr.create(new MemoryKeys())) {
            Plan plan = Rechunker.from(source)
                    .to(target)
                    .chunks(4, 512)
                    .maxMem("4MB")
                    .plan();
            assertThrows(RefusedException.class, () -> JobFile.save(plan, file));
            ChunkStore other = Zarr.create(there);
            Plan joined = Rechunker.from(Concat.along(0, source.at(""), memory.at("")))
                    .to(other)
                    .chunks(4, 512)
                    .maxMem("4MB")
                    .plan();
            assertThrows(RefusedException.class, () -> JobFile.save(joined, file));
        }
        assertFalse(Files.exists(there));
        assertFalse(Files.exists(file));
    }

    private Rechunker.Job job(Path source, ChunkStore target) throws IOException {
        return Rechunker.from(source)
                .to(target)
                .chunks(4, 512)
                .maxMem("500kB")
                .threads(1)
                .costModel(SLOW_TO_READ);
    }

    @Test
    void stagesAreBarriersAndMissingTasksAreNamed() throws Exception {
        Path source = square();
        Path there = directory.resolve("t.zarr");
        try (ChunkStore target = Zarr.create(there)) {
            JobFile.save(job(source, target).plan(), file);
        }
        try (JobFile job = JobFile.open(file)) {
            assertEquals(2, job.tasks().size());
            long splits = job.tasks().get(0);
            job.run(0, 1, splits);
            RefusedException early = assertThrows(RefusedException.class, () -> job.run(1, 0, 1));
            assertSays("1 of " + splits + " tasks of stage 0 are not done: 0;", early);
            job.run(0, 0, 1);
            job.run(1, 0, 1);
            RefusedException late = assertThrows(RefusedException.class, job::finish);
            assertSays("tasks of stage 1 are not done", late);
            assertThrows(IndexOutOfBoundsException.class, () -> job.run(2, 0, 1));
            assertThrows(IndexOutOfBoundsException.class, () -> job.run(0, 0, splits + 1));
        }
        try (ChunkStore target = Zarr.open(there)) {
            assertTrue(target.node("").isEmpty(), "an unfinished array exists");
        }
    }

    @Test
    void noOtherRunMayWriteToTheTarget() throws Exception {
        Path source = square();
        Path there = directory.resolve("t.zarr");
        try (ChunkStore target = Zarr.create(there)) {
            JobFile.save(job(source, target).plan(), file);
            RefusedException local = assertThrows(
                    RefusedException.class, () -> job(source, target).execute());
            assertSays("several processes share", local);
            assertThrows(
                    RefusedException.class, () -> job(source, target).resume().execute());
            Path other = directory.resolve("other.json");
            assertThrows(
                    RefusedException.class,
                    () -> JobFile.save(job(source, target).plan(), other));
            assertFalse(Files.exists(other));
            JobFile.save(job(source, target).overwrite().plan(), other);
            try (JobFile first = JobFile.open(file)) {
                RefusedException lost = assertThrows(RefusedException.class, () -> first.run(0, 0, 1));
                assertSays("another run has begun there", lost);
            }
            file = other;
            runAll(5);
            try (JobFile job = JobFile.open(other)) {
                job.finish();
                job.finish();
                assertThrows(RefusedException.class, () -> job.run(0, 0, 1), "it is finished");
            }
        }
    }

    /** Also if the process that finished the run was killed after the array existed. */
    @ParameterizedTest
    @CsvSource({"V2, false", "V3, false", "V2, true", "V3, true"})
    void consolidatedMetadataAboveTheTargetIsRestored(ZarrFormat format, boolean killed) throws Exception {
        Path source = square();
        Path there = directory.resolve("t.zarr");
        ArraySpec spec;
        try (ChunkStore group = Zarr.create(there, format)) {
            Data.of(group.resolve(group.rules().adopt(SQUARE))).write(group, "there");
            group.finish(true);
            Plan plan = Rechunker.from(source)
                    .to(group.at("new"))
                    .chunks(4, 512)
                    .maxMem("500kB")
                    .threads(1)
                    .plan();
            spec = plan.arrays().get(0).target();
            JobFile.save(plan, file);
        }
        runAll(6);
        if (killed) {
            try (ChunkStore group = Zarr.create(there, format);
                    ArrayWriter writer = group.joinable().orElseThrow().join("new", spec)) {
                writer.commit();
            }
        }
        try (JobFile job = JobFile.open(file)) {
            job.finish();
        }
        try (ChunkStore group = Zarr.open(there)) {
            assertTrue(((ChunkStore.GroupNode) group.node("").orElseThrow()).consolidated());
        }
        Path document = there.resolve(format == ZarrFormat.V2 ? ".zmetadata" : "zarr.json");
        assertTrue(Files.readString(document).contains("\"new"));
        assertOwnNothing(there);
    }

    @Test
    void filesLeftByAKillAfterTheLastStepAreRemoved() throws Exception {
        Path there = directory.resolve("t.zarr");
        try (ChunkStore target = Zarr.create(there)) {
            JobFile.save(job(square(), target).plan(), file);
        }
        runAll(7);
        try (JobFile job = JobFile.open(file)) {
            job.finish();
            Path work = Files.createDirectory(there.resolve(".rechunker-run"));
            job.finish();
            assertFalse(Files.exists(work));
            Files.createFile(Files.createDirectory(work).resolve("lock-1.1-dead"));
            job.finish();
            assertFalse(Files.exists(work));
        }
    }

    private static void assertOwnNothing(Path place) throws IOException {
        assertEquals(
                List.of(),
                FileTrees.files(place).keySet().stream()
                        .filter(name -> name.contains(".rechunker"))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "options.threads | 1000000000000 | \"threads\"",
                "options.threads | 0 | \"threads\"",
                "options.threads | 100000 | \"threads\"",
                "options.workers | -1 | \"workers\"",
                "options.retries | -5 | \"retries\"",
                "options.retries | 1099511627776 | \"retries\"",
                "options.retries | 1.5 | \"retries\"",
                "options.verified | 7 | \"verified\"",
                "options.region | \"zz\" | \"region\"",
                "options.region | \"0:1\" | region",
                "options.shards | \"4\" | shards",
                "options.spill | \"\\u0000\" | \"spill\"",
                "options.costModel.readBytesPerSecond | 0 | \"costModel\"",
                "source.store.place | \":\" | :",
                "maxMem | -1 | \"maxMem\"",
                "maxMem | 1180591620717411303424 | \"maxMem\"",
                "maxMem | 1 | no plan fits into maxMem = 1 B",
                "chunks | [{\"array\": \"\", \"chunks\": [-1, 512]}] | \"chunks\"",
                "chunks | [{\"array\": \"\", \"chunks\": [\"1e30\", \"512\"]}] | \"chunks\"",
                "chunks | [{\"array\": \"\", \"chunks\": [\"x\", \"512\"]}] | \"chunks\"",
                "chunks | [{\"array\": \"\", \"chunks\": [\"4\"]}] | chunks has 1 axis, but the array has 2",
                "chunks | [] | chunk"
            })
    void aDamagedPlanIsRefusedByFileAndField(String field, String value, String says) throws Exception {
        try (ChunkStore target = Zarr.create(directory.resolve("t.zarr"))) {
            JobFile.save(job(square(), target).plan(), file);
        }
        Map<String, @Nullable Object> plan = JsonParser.object("plan", Files.readAllBytes(file));
        List<String> path = List.of(field.split("\\."));
        Map<?, ?> object = plan;
        for (String name : path.subList(0, path.size() - 1)) {
            object = (Map<?, ?>) Objects.requireNonNull(object.get(name));
        }
        @SuppressWarnings("unchecked") // a JSON object
        Map<String, @Nullable Object> around = (Map<String, @Nullable Object>) object;
        String last = path.get(path.size() - 1);
        around.put(
                last,
                JsonParser.object("value", ("{\"\":" + value + "}").getBytes(StandardCharsets.UTF_8))
                        .get(""));
        Files.write(file, Json.document(plan));
        StoreException e = assertThrows(StoreException.class, () -> JobFile.open(file));
        assertSays(file + ": ", e);
        assertSays(says, e);
    }

    @Test
    void aDirectoryIsNotAPlan() {
        StoreException e = assertThrows(StoreException.class, () -> JobFile.open(directory));
        assertSays(directory.toString(), e);
    }

    @Test
    void aChangedSourceIsRefusedWithTheDifference() throws Exception {
        Path source = square();
        try (ChunkStore target = Zarr.create(directory.resolve("t.zarr"))) {
            JobFile.save(job(source, target).plan(), file);
        }
        try (ChunkStore store = Zarr.open(source)) {
            ArraySpec changed = ((ChunkStore.ArrayNode) store.node("").orElseThrow())
                    .spec().toBuilder().attributes(Map.of("units", "km")).build();
            store.create("", changed, true).commit();
        }
        RefusedException e = assertThrows(RefusedException.class, () -> JobFile.open(file));
        assertSays("at the source was ", e);
        assertSays("plan again", e);
    }
}
