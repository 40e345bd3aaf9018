package dev.rechunker.io.recovery;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.Run;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.SharedSink;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.plan.Stage;
import dev.rechunker.plan.Strategy;
import dev.rechunker.run.Crew;
import dev.rechunker.run.Executor;
import dev.rechunker.run.OnCorrupt;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.run.TaskGroup;
import dev.rechunker.run.VerificationException;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ForwardingStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.EnginePlans;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs that end early can be resumed by the same copy only, and end with the same result. */
@Timeout(120)
class ResumeTest {
    @TempDir
    Path directory;

    private Path target() {
        return directory.resolve("target");
    }

    private Path work() {
        return target().resolve(".rechunker-run");
    }

    /** The formats whose stores can be resumed. */
    enum Format {
        ZARR2,
        ZARR3,
        IN_N5;

        ChunkStore create(Path directory) {
            return switch (this) {
                case ZARR2 -> Zarr.create(directory, ZarrFormat.V2);
                case ZARR3 -> Zarr.create(directory, ZarrFormat.V3);
                case IN_N5 -> N5.create(directory);
            };
        }
    }

    /** The kinds of plans, each with the number of a read in its middle, which fails. */
    enum PlanKind {
        /** Fails in the second block, when one of its two slabs is written. */
        SPILL(400, "145kB"),
        /** Fails when the first block is done. */
        SPILL_OF_BLOCK(241, "145kB"),
        /** Fails in the second block, when nothing of it is done. */
        KEEPING(400, "135kB"),
        WINDOW(400, "145kB"),
        ENCODED(400, "1MB"),
        /** Fails when some rows of shards are written. */
        PARTS(400, "145kB");

        private final long read;
        private final String maxMem;

        PlanKind(long read, String maxMem) {
            this.read = read;
            this.maxMem = maxMem;
        }

        Rechunker.Job job(ChunkStore from, ChunkStore to) {
            Rechunker.To begun = Rechunker.from(from).to(to);
            if (this == PARTS) {
                return SpillingCopy.sweep(begun, 2);
            }
            Rechunker.Job job = begun.chunks(this == ENCODED ? new long[] {120, 1} : new long[] {1, 240})
                    .maxMem(maxMem)
                    .costModel(this == KEEPING ? SpillingCopy.SLOW_TO_SPILL : SpillingCopy.SLOW_TO_READ)
                    .threads(2);
            return this == WINDOW ? job.noSpill() : job;
        }
    }

    /** {@return a source for a kind of plan; encoded chunks are those of a store of the same format} */
    private FaultyStore source(PlanKind kind) throws IOException {
        if (kind != PlanKind.ENCODED) {
            return new FaultyStore(SpillingCopy.source());
        }
        Path place = directory.resolve("encoded");
        if (!Files.exists(place)) {
            try (ChunkStore store = Zarr.create(place)) {
                Data.of(SpillingCopy.SOURCE).write(store, "");
            }
        }
        return new FaultyStore(Zarr.open(place));
    }

    /** Runs until a read fails. */
    private TaskFailedException failing(PlanKind kind, ChunkStore target) throws Exception {
        FaultyStore source = source(kind);
        source.failOnce(kind == PlanKind.ENCODED ? Operation.OPEN_ENCODED : Operation.READ, kind.read);
        return assertThrows(
                TaskFailedException.class,
                () -> kind.job(source, target).retries(0).execute());
    }

    private static void assertArrived(ChunkStore store) throws IOException {
        try (ArrayReader reader = store.openReader("")) {
            assertArrayEquals(Data.of(SpillingCopy.SOURCE).elements(), Data.readAll(reader));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFailedRunIsResumed(PlanKind kind) throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        String message = String.valueOf(failing(kind, store).getMessage());
        assertTrue(message.contains("resume it with resume(), or start again with overwrite()"), message);
        assertTrue(message.contains(work().toString()), message);
        assertTrue(store.node("").isEmpty());

        RefusedException refused = assertThrows(
                RefusedException.class, () -> kind.job(source(kind), store).execute());
        assertEquals(
                target() + " has an unfinished run, kept in " + work()
                        + "; resume it with resume(), or start again with overwrite()",
                refused.getMessage());

        FaultyStore source = source(kind);
        Plan plan = kind.job(source, store).resume().plan();
        Report report = plan.execute();
        assertArrived(store);
        assertTrue(
                kind == PlanKind.ENCODED || kind == PlanKind.PARTS || report.tasksDoneBefore() > 0, report::toString);
        long reads = source.count(Operation.READ) + source.count(Operation.OPEN_ENCODED);
        double all = plan.arrays().get(0).copy().cost().sourceReadsPerChunk() * SpillingCopy.SOURCE_CHUNKS;
        assertTrue(reads < all - kind.read / 2.0, () -> reads + " of " + all + " reads");
        assertFalse(Files.exists(work()));
    }

    @ParameterizedTest
    @EnumSource
    void everyTreeFormatIsResumed(Format format) throws Exception {
        try (ChunkStore store = format.create(target())) {
            failing(PlanKind.SPILL, store);
        }
        try (ChunkStore store = format.create(target())) {
            PlanKind.SPILL.job(SpillingCopy.source(), store).resume().execute();
        }
        Path undisturbed = directory.resolve("undisturbed");
        try (ChunkStore store = format.create(undisturbed)) {
            PlanKind.SPILL.job(SpillingCopy.source(), store).execute();
        }
        assertEquals(List.of(), FileTrees.differences(undisturbed, target()));
    }

    /** The run fails in the middle, or when the array is written and only the consolidated metadata is missing. */
    @ParameterizedTest
    @CsvSource({"V2, READ, 400", "V3, READ, 400", "V2, READ, 1", "V2, FINISH, 1", "V3, FINISH, 1"})
    void consolidatedMetadataAboveAnArrayIsRestored(ZarrFormat format, Operation operation, long number)
            throws Exception {
        Path group = directory.resolve("group");
        try (ChunkStore store = Zarr.create(group, format)) {
            Data.of(SpillingCopy.SOURCE).write(store, "there");
            store.finish(true);
        }
        FaultyStore source = source(PlanKind.SPILL);
        try (FaultyStore store = new FaultyStore(Zarr.create(group, format))) {
            (operation == Operation.READ ? source : store).failOnce(operation, number);
            assertThrows(
                    IOException.class, () -> below(source, store).retries(0).execute());
            assertFalse(isConsolidated(store));
        }
        try (ChunkStore store = Zarr.create(group, format)) {
            below(SpillingCopy.source(), store).resume().execute();
            assertTrue(isConsolidated(store));
        }
        Path document = group.resolve(format == ZarrFormat.V2 ? ".zmetadata" : "zarr.json");
        assertTrue(Files.readString(document).contains("\"new"));
        assertEquals(List.of(), SpillingCopy.ownFiles(group));
    }

    private static Rechunker.Job below(ChunkStore source, ChunkStore target) {
        return Rechunker.from(source)
                .to(target.at("new"))
                .chunks(1, 240)
                .maxMem("145kB")
                .costModel(SpillingCopy.SLOW_TO_READ)
                .threads(2);
    }

    private static boolean isConsolidated(ChunkStore store) throws IOException {
        return ((ChunkStore.GroupNode) store.node("").orElseThrow()).consolidated();
    }

    @Test
    void anotherRunIsRefusedWithWhatDiffers() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        failing(PlanKind.SPILL, store);
        Rechunker.Job same = PlanKind.SPILL.job(SpillingCopy.source(), store).resume();
        assertDiffers(
                "array at the target",
                Rechunker.from(SpillingCopy.source())
                        .to(store)
                        .chunks(2, 240)
                        .maxMem("145kB")
                        .resume());
        assertDiffers("empty chunks was left out, and is now written", same.writeEmptyChunks());
        assertDiffers("durable was no, since start ", same.durable());
        assertDiffers("spill was ", same.spill(directory.resolve("elsewhere")));
        MemoryStore other = new MemoryStore();
        Data.of(SpillingCopy.SOURCE).write(other, "");
        assertDiffers(
                "source was positions#, and is now memory:",
                PlanKind.SPILL.job(other, store).resume());
        same.execute();
        assertArrived(store);
    }

    @Test
    void anotherPartOfTheSourceIsAnotherRun() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        FaultyStore source = new FaultyStore(SpillingCopy.source()).failOnce(Operation.READ, 200);
        Rechunker.Job job = SpillingCopy.job(source, store, 2).retries(0);
        assertThrows(TaskFailedException.class, () -> job.region(":, :120").execute());
        assertDiffers("source was ", job.region(":, 120:").resume());
        assertTrue(job.region(":, :120").resume().execute().tasksDoneBefore() > 0);
    }

    /** If a unit with all parts could not be published, its parts are written again. */
    @Test
    void aUnitThatCouldNotBePublishedIsPublishedByTheNextRun() throws Exception {
        Path obstacle = target().resolve("c").resolve("0").resolve("0");
        FaultyStore source = new FaultyStore(SpillingCopy.source())
                .before(Operation.READ, number -> Files.createDirectories(obstacle.resolve("file")));
        ChunkStore store = Format.ZARR3.create(target());
        assertThrows(
                TaskFailedException.class,
                () -> twoPartsARow(source, store).retries(0).execute());
        Files.delete(obstacle.resolve("file"));
        Files.delete(obstacle);
        Plan plan = twoPartsARow(SpillingCopy.source(), store).resume().plan();
        Stage stage = EnginePlans.of(plan.arrays().get(0)).stages().get(0);
        assertEquals(Stage.Kind.PARTS, stage.kind(), plan::explain);
        assertEquals(Shape.of(2, 24), stage.units().counts(), plan::explain);
        plan.execute();
        assertArrived(store);
        assertEquals(List.of(), SpillingCopy.ownFiles(target()));
    }

    private static Rechunker.Job twoPartsARow(ChunkStore source, ChunkStore target) {
        return Rechunker.from(source)
                .to(target)
                .chunks(120, 10)
                .maxMem("145kB")
                .shards("240,240")
                .threads(1);
    }

    @Test
    void aTruncatedUnitIsNoticed() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        failing(PlanKind.PARTS, store);
        String unit = SpillingCopy.ownFiles(target()).stream()
                .filter(name -> name.contains("tmp-unit-"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(target().resolve(unit));
        Files.write(target().resolve(unit), Arrays.copyOf(bytes, bytes.length - 1));
        IOException e = assertThrows(
                IOException.class,
                () -> PlanKind.PARTS.job(SpillingCopy.source(), store).resume().execute());
        assertTrue(String.valueOf(e.getMessage()).contains("was truncated; start again"), e.getMessage());
    }

    @Test
    void afterAnUnusableSpillPlaceAnotherOneIsUsed() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        Path file = Files.createFile(directory.resolve("file"));
        Rechunker.Job job = SpillingCopy.job(SpillingCopy.source(), store, 2);
        for (Path place : List.of(file, file.resolve("below"))) {
            assertThrows(IOException.class, () -> job.spill(place).execute());
            assertFalse(Files.exists(work()));
        }
        job.execute();
        assertArrived(store);
    }

    @Test
    void aPathThroughAMissingDirectoryIsRefused() throws Exception {
        ChunkStore store = Zarr.create(directory.resolve("missing/../target"));
        Rechunker.Job job = SpillingCopy.job(SpillingCopy.source(), store, 2);
        assertThrows(IOException.class, job::execute);
    }

    @Test
    void anEmptyDirectoryDoesNotPreventResuming() throws Exception {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        for (String name : List.of("a", "b")) {
            Data.of(SpillingCopy.SOURCE).write(source, name);
        }
        FaultyStore faulty = new FaultyStore(source).failOnce(Operation.READ, 400);
        ChunkStore store = Format.IN_N5.create(target());
        Rechunker.Job job = PlanKind.SPILL.job(faulty, store).retries(0);
        assertThrows(TaskFailedException.class, job::execute);
        Files.createDirectory(target().resolve("b")); // as if the run was killed after this
        Report report = job.resume().verify().execute();
        assertEquals(2 * 240 * 240, report.elementsVerified());
    }

    /** In some formats, every directory is a group. */
    @ParameterizedTest
    @EnumSource
    void emptyGroupsDoNotPreventStartingAgain(Format format) throws Exception {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        for (String name : List.of("a", "inner/b")) {
            Data.of(SpillingCopy.SOURCE).write(source, name);
        }
        FaultyStore faulty = new FaultyStore(source).failOnce(Operation.READ, 1);
        ChunkStore store = format.create(target());
        Rechunker.Job job = PlanKind.SPILL.job(faulty, store).retries(0);
        assertThrows(TaskFailedException.class, job::execute);
        Files.createDirectories(target().resolve("inner/b")); // as if the run was killed when it created the array
        Report report = job.verify().execute();
        assertEquals(2 * 240 * 240, report.elementsVerified());
        assertThrows(RefusedException.class, job::execute);
    }

    private static void assertDiffers(String what, Rechunker.Job job) {
        RefusedException e = assertThrows(RefusedException.class, job::execute);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("and this run differs from it: ") && message.contains(what), message);
    }

    @Test
    void overwriteRemovesTheFilesOfAnUnfinishedRun() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        Path spill = directory.resolve("spill");
        FaultyStore source = new FaultyStore(SpillingCopy.source()).failOnce(Operation.READ, 200);
        assertThrows(
                TaskFailedException.class,
                () -> SpillingCopy.job(source, store, 2).spill(spill).retries(0).execute());
        assertFalse(FileTrees.files(spill).isEmpty(), "the spill was not kept");

        Report report =
                SpillingCopy.job(SpillingCopy.source(), store, 2).overwrite().execute();
        assertEquals(0, report.tasksDoneBefore());
        assertArrived(store);
        assertTrue(FileTrees.files(spill).isEmpty(), "the spill was not removed");
        assertFalse(Files.exists(work()));
    }

    @Test
    void aMissingSpillIsNoticed() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        failing(PlanKind.SPILL, store);
        List<String> spill = FileTrees.files(work()).keySet().stream()
                .filter(name -> name.endsWith(".spill"))
                .toList();
        assertFalse(spill.isEmpty());
        Files.delete(work().resolve(spill.get(0)));
        IOException e = assertThrows(
                IOException.class,
                () -> PlanKind.SPILL.job(SpillingCopy.source(), store).resume().execute());
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("of the unfinished run is missing"), message);
        assertFalse(message.contains("resume it with resume()"), message);
    }

    @Test
    void aTruncatedJournalIsUsedUpToItsEnd() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        failing(PlanKind.SPILL, store);
        Path journal = work().resolve("journal");
        byte[] bytes = Files.readAllBytes(journal);
        Files.write(journal, Arrays.copyOf(bytes, bytes.length - 7));
        Report report =
                PlanKind.SPILL.job(SpillingCopy.source(), store).resume().execute();
        assertArrived(store);
        assertTrue(report.tasksDoneBefore() > 0);
    }

    /**
     * Tasks may be missing in a journal. If they are of a block that is being merged, they are not repeated, because
     * the files of the block do not exist any more.
     */
    @Test
    void tasksOfABlockThatIsBeingMergedAreNotRepeated() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        FaultyStore faulty = new FaultyStore(store).failOnce(Operation.WRITE, 60);
        assertThrows(
                TaskFailedException.class,
                () -> SpillingCopy.job(SpillingCopy.source(), faulty, 2)
                        .retries(0)
                        .execute());
        Path journal = work().resolve("journal");
        byte[] bytes = Files.readAllBytes(journal);
        ByteBuffer records = ByteBuffer.wrap(bytes);
        int header = 16 + records.getInt(8);
        int first = header + 24; // after the record that the array was started
        assertEquals(1, records.getInt(first + 4), "a task");
        assertEquals(0, records.getInt(first + 12), "of the first stage");
        ByteBuffer without = ByteBuffer.allocate(bytes.length - 24);
        without.put(bytes, 0, first).put(bytes, first + 24, bytes.length - first - 24);
        Files.write(journal, without.array());

        FaultyStore source = new FaultyStore(SpillingCopy.source());
        SpillingCopy.job(source, store, 2).resume().execute();
        assertEquals(SpillingCopy.SOURCE_CHUNKS / 2, source.count(Operation.READ), "the first block is read again");
        assertArrived(store);
    }

    /** {@return the number of source chunks read when a spill, partly in memory, is resumed after a failed write} */
    private long readsAfterWrite(Executor executor, Path place, int number) throws Exception {
        ChunkStore store = Format.ZARR3.create(place);
        FaultyStore faulty = new FaultyStore(store).failOnce(Operation.WRITE, number);
        Rechunker.Job job = SpillingCopy.keeping(SpillingCopy.source(), faulty, 1)
                .executor(executor)
                .retries(0);
        assertThrows(TaskFailedException.class, job::execute);
        FaultyStore source = new FaultyStore(SpillingCopy.source());
        Plan plan = SpillingCopy.keeping(source, store, 1)
                .executor(executor)
                .resume()
                .plan();
        Strategy.Spill spill =
                (Strategy.Spill) EnginePlans.of(plan.arrays().get(0)).strategy();
        assertEquals(2, spill.blocks().count(), plan::explain);
        long window = spill.windows().regionAt(0).elements() * 8;
        assertEquals(15 * 240 * 8, window, plan::explain);
        assertTrue(spill.residentBytes() > window && spill.residentBytes() < 2 * window, plan::explain);
        plan.execute();
        assertArrived(store);
        return source.count(Operation.READ);
    }

    @Test
    void aBlockIsReadAgainUntilItsWindowsInMemoryAreWritten() throws Exception {
        long all = SpillingCopy.SOURCE_CHUNKS;
        // A block has eight windows of fifteen units. The first two windows have bytes in memory.
        for (int number : new int[] {1, 15, 16, 20, 30}) {
            long reads = readsAfterWrite(new SerialExecutor(), directory.resolve("first-" + number), number);
            assertEquals(all, reads, "after write " + number);
        }
        for (int number : new int[] {31, 32, 50, 119, 120, 121, 125, 150}) {
            long reads = readsAfterWrite(new SerialExecutor(), directory.resolve("second-" + number), number);
            assertEquals(all / 2, reads, "after write " + number);
        }
        for (int number : new int[] {151, 200, 240}) {
            long reads = readsAfterWrite(new SerialExecutor(), directory.resolve("last-" + number), number);
            assertEquals(0, reads, "after write " + number);
        }
    }

    /** An executor that runs the last task first. */
    private static final class Backwards implements Executor {
        @Override
        public int threads() {
            return 1;
        }

        @Override
        public void execute(TaskGroup tasks) throws IOException, InterruptedException {
            for (long task = tasks.count() - 1; task >= 0; task--) {
                tasks.run(task, task + 1, Crew.ALONE);
            }
        }
    }

    @Test
    void aBlockThatIsReadAgainIsNotWrittenToDeletedFiles() throws Exception {
        long all = SpillingCopy.SOURCE_CHUNKS;
        for (int number : new int[] {20, 90, 113, 120}) {
            long reads = readsAfterWrite(new Backwards(), directory.resolve("backwards-" + number), number);
            assertEquals(all, reads, "after write " + number);
        }
        assertEquals(all / 2, readsAfterWrite(new Backwards(), directory.resolve("backwards"), 230));
    }

    @Test
    void anUnreadableJournalIsRefused() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        failing(PlanKind.SPILL, store);
        Path journal = work().resolve("journal");
        byte[] bytes = Files.readAllBytes(journal);
        bytes[20] ^= 1;
        Files.write(journal, bytes);
        Rechunker.Job job = PlanKind.SPILL.job(SpillingCopy.source(), store);
        RefusedException e =
                assertThrows(RefusedException.class, () -> job.resume().execute());
        assertTrue(String.valueOf(e.getMessage()).contains("its journal cannot be read"), e.getMessage());
        job.overwrite().execute();
        assertArrived(store);
        assertEquals(List.of(), SpillingCopy.ownFiles(target()));
    }

    @Test
    void aRunThatHasDoneNothingLeavesNothing() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        FaultyStore source = new FaultyStore(SpillingCopy.source()).failOnce(Operation.READ, 1);
        assertThrows(
                TaskFailedException.class,
                () -> SpillingCopy.job(source, store, 1).retries(0).execute());
        assertFalse(Files.exists(work()));
        SpillingCopy.job(SpillingCopy.source(), store, 1).execute();
        assertArrived(store);
    }

    @Test
    void aTargetWithoutTheNoteOfTheRunIsRefused() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        failing(PlanKind.SPILL, store);
        Files.delete(target().resolve(".rechunker-pending"));
        IOException e = assertThrows(
                IOException.class,
                () -> PlanKind.SPILL.job(SpillingCopy.source(), store).resume().execute());
        assertTrue(String.valueOf(e.getMessage()).contains("no unfinished array is there"), e.getMessage());
    }

    @Test
    void storesThatCannotBeResumedAreRefused() throws Exception {
        for (ChunkStore store : List.of(new MemoryStore(), Hdf5.create(directory.resolve("target.h5")))) {
            Rechunker.Job job = Rechunker.from(SpillingCopy.source())
                    .to(store.at("a"))
                    .chunks(1, 240)
                    .maxMem("50MB");
            RefusedException e =
                    assertThrows(RefusedException.class, () -> job.resume().execute());
            assertTrue(String.valueOf(e.getMessage()).contains("leave out resume()"), e.getMessage());
            e = assertThrows(RefusedException.class, () -> job.durable().execute());
            assertTrue(String.valueOf(e.getMessage()).contains("leave out durable()"), e.getMessage());
            job.execute();
            store.close();
        }
    }

    @Test
    void aDurableRunIsResumed() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        FaultyStore source = new FaultyStore(SpillingCopy.source()).failOnce(Operation.READ, 300);
        Rechunker.To to = Rechunker.from(source).to(store);
        Rechunker.Job job =
                to.chunks(10, 240).maxMem("145kB").threads(1).retries(0).durable();
        assertThrows(TaskFailedException.class, job::execute);
        Report report = job.resume().execute();
        assertTrue(report.tasksDoneBefore() > 0, report::toString);
        assertArrived(store);
    }

    @Test
    void completeArraysOfAGroupAreNotCopiedAgain() throws Exception {
        MemoryStore source =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        ArraySpec spec = SpillingCopy.SOURCE.toBuilder()
                .chunks(ChunkGrid.regular(Shape.of(240, 240), Shape.of(240, 10)))
                .build();
        for (String name : List.of("a", "b/c", "d")) {
            Data.of(spec).write(source, name);
        }
        FaultyStore faulty = new FaultyStore(source).failOnce(Operation.READ, 24 + 12);
        ChunkStore store = Format.ZARR3.create(target());
        Rechunker.To to = Rechunker.from(faulty).to(store);
        assertThrows(
                TaskFailedException.class,
                () -> to.chunks(240, 20).maxMem("250kB").threads(1).retries(0).execute());
        assertTrue(store.node("a").isPresent());
        assertTrue(store.node("b/c").isEmpty());

        long before = faulty.count(Operation.READ);
        to.chunks(240, 20).maxMem("250kB").threads(1).resume().execute();
        // Five units of the second array were done, from two source chunks each.
        assertEquals(24 - 10 + 24, faulty.count(Operation.READ) - before);
        for (String name : List.of("a", "b/c", "d")) {
            try (ArrayReader reader = store.openReader(name)) {
                assertArrayEquals(Data.of(spec).elements(), Data.readAll(reader));
            }
        }
        assertFalse(Files.exists(work()));
    }

    @Test
    void aCancelledRunEndsAndIsResumed() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        CountDownLatch cancelled = new CountDownLatch(1);
        FaultyStore source = new FaultyStore(SpillingCopy.source()).before(Operation.READ, number -> {
            // The last read waits, so that the run cannot end before it is cancelled.
            if (number == SpillingCopy.SOURCE_CHUNKS) {
                awaitUninterruptibly(cancelled);
            } else {
                sleepUninterruptibly(Duration.ofMillis(2));
            }
        });
        Run run = SpillingCopy.job(source, store, 2).plan().start();
        while (run.progress().isEmpty() || run.progress().get().tasksDone() < 3) {
            Thread.sleep(1);
        }
        assertTrue(run.cancel());
        cancelled.countDown();
        assertThrows(CancellationException.class, run::get);
        assertTrue(run.isCancelled() && run.isDone());
        assertFalse(run.cancel());

        Run second = SpillingCopy.job(SpillingCopy.source(), store, 2)
                .resume()
                .plan()
                .start();
        assertTrue(second.get().tasksDoneBefore() >= 3);
        assertEquals(1, second.progress().orElseThrow().fraction());
        assertFalse(second.isCancelled());
        assertArrived(store);
    }

    /** A file to which an interrupted thread writes fails with another exception. */
    @Test
    void anInterruptBeforeTheFirstTaskEndsTheRun() throws Exception {
        ChunkStore store = Format.ZARR3.create(target());
        Plan plan = SpillingCopy.job(SpillingCopy.source(), store, 2).plan();
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, plan::execute);
        assertFalse(Thread.interrupted());
        plan.execute();
        assertArrived(store);
    }

    @Test
    void aKilledRemovalIsRepeated() throws Exception {
        Files.createDirectories(target().resolve("c"));
        Files.writeString(target().resolve(".rechunker-pending"), "{}\n");
        Files.writeString(target().resolve("c").resolve("0"), "old");
        ChunkStore store = Format.ZARR3.create(target());
        PlanKind.SPILL.job(SpillingCopy.source(), store).execute();
        assertArrived(store);
    }

    /**
     * Temporary files of other machines are removed when the array is complete; those of a running process are kept.
     */
    @ParameterizedTest
    @EnumSource(names = {"ZARR3", "IN_N5"})
    void temporaryFilesOfOthersAreRemovedInTheEnd(Format format) throws Exception {
        ChunkStore store = format.create(target());
        failing(PlanKind.SPILL, store);
        Path home = Files.createDirectories(target().resolve("0").resolve("c"));
        try (SharedSink mine = new DirectoryKeys(home).createShared("mine")) {
            Path living = home.resolve(FileTrees.files(home).keySet().iterator().next());
            String name = String.valueOf(living.getFileName());
            String process = "-" + ProcessHandle.current().pid() + "-";
            Path dead = Files.createFile(home.resolve(name.replace(process, "-" + (1L << 40) + "-")));
            Path elsewhere = Files.createFile(
                    home.resolve(name.replaceAll("tmp-.*" + process, "tmp-0123" + "-" + (1L << 40) + "-")));
            FaultyStore watched = new FaultyStore(SpillingCopy.source());
            watched.before(Operation.READ, number -> {
                assertFalse(Files.exists(dead));
                assertTrue(Files.exists(elsewhere), "another machine may be writing it");
            });
            PlanKind.SPILL.job(watched, store).resume().execute();
            assertTrue(watched.count(Operation.READ) > 0);
            assertFalse(Files.exists(elsewhere));
            assertTrue(Files.exists(living));
            mine.commit();
        }
    }

    /** The run was killed before the note of the array was written. */
    @Test
    void temporaryFilesWithoutANoteAreRemoved() throws Exception {
        SharedSink living = new DirectoryKeys(Files.createDirectories(target())).createShared("living");
        String name = FileTrees.files(target()).keySet().iterator().next();
        living.close();
        String process = "-" + ProcessHandle.current().pid() + "-";
        Path dead = Files.createFile(target().resolve(name.replace(process, "-" + (1L << 40) + "-")));
        PlanKind.SPILL.job(SpillingCopy.source(), Format.ZARR3.create(target())).execute();
        assertFalse(Files.exists(dead));
    }

    @Test
    void corruptChunksFailOrAreFilledAndReported() throws Exception {
        Path place = directory.resolve("source");
        ArraySpec spec =
                SpillingCopy.SOURCE.toBuilder().codecs(CodecSpec.parse("gzip")).build();
        try (ChunkStore store = Zarr.create(place)) {
            Data.of(spec).write(store, "");
        }
        for (String chunk : List.of("c/0/7", "c/1/9")) {
            byte[] bytes = Files.readAllBytes(place.resolve(chunk));
            Files.write(place.resolve(chunk), Arrays.copyOf(bytes, bytes.length / 2));
        }
        ChunkStore source = Zarr.open(place);
        ChunkStore store = Format.ZARR3.create(target());
        Rechunker.Job job = Rechunker.from(source)
                .to(store)
                .chunks(240, 2)
                .maxMem("2MB")
                .threads(1)
                .codec("none");
        TaskFailedException e = assertThrows(TaskFailedException.class, job::execute);
        assertTrue(String.valueOf(e.getMessage()).contains("chunk c/0/7"), e.getMessage());

        // Only chunks that were not decoded before are read.
        Report report =
                job.onCorrupt(OnCorrupt.FILL_AND_REPORT).verify().resume().execute();
        assertEquals(2, report.corrupt().size(), report::toString);
        assertTrue(report.corrupt().get(0).contains("c/0/7"), report::toString);
        assertTrue(report.corrupt().get(1).contains("c/1/9"), report::toString);
        assertEquals(0, report.retries());
        byte[] expected = Data.of(spec).elements();
        for (int row = 0; row < 240; row++) {
            int lost = row * 240 + (row < 120 ? 7 : 9);
            Arrays.fill(expected, lost * 8, (lost + 1) * 8, (byte) 0);
        }
        try (ArrayReader reader = store.openReader("")) {
            assertArrayEquals(expected, Data.readAll(reader));
        }
    }

    @Test
    void corruptChunksOfEncodedCopiesAreReportedIfRequested() throws Exception {
        Path place = directory.resolve("source");
        try (ChunkStore store = Zarr.create(place)) {
            Data.of(SpillingCopy.SOURCE).write(store, "");
        }
        Files.write(place.resolve("c").resolve("0").resolve("0"), new byte[3]);
        Report report = Rechunker.from(Zarr.open(place))
                .to(Format.ZARR3.create(target()))
                .chunks(120, 1)
                .maxMem("1MB")
                .onCorrupt(OnCorrupt.FILL_AND_REPORT)
                .execute();
        assertEquals(1, report.corrupt().size());
    }

    @Test
    void aRunWhoseVerificationFailsIsNotResumed() throws Exception {
        Path place = directory.resolve("source");
        ArraySpec spec =
                SpillingCopy.SOURCE.toBuilder().codecs(CodecSpec.parse("gzip")).build();
        try (ChunkStore store = Zarr.create(place)) {
            Data.of(spec).write(store, "");
        }
        Files.write(place.resolve("c").resolve("0").resolve("7"), new byte[3]);
        StoreException e = assertThrows(
                StoreException.class,
                () -> Rechunker.from(Zarr.open(place))
                        .to(Format.ZARR3.create(target()))
                        .chunks(120, 1)
                        .maxMem("2MB")
                        .verify()
                        .execute());
        assertTrue(
                String.valueOf(e.getMessage())
                        .endsWith("gzip: the chunk is cut off; everything was written before, but it is not checked"),
                e.getMessage());
        assertFalse(Files.exists(work()));
    }

    @Test
    void aDifferenceIsReportedByItsOwnException() throws Exception {
        ChunkStore source = SpillingCopy.source();
        MemoryStore others =
                MemoryStore.builder().granularity(Granularity.CHUNK).build();
        try (ChunkStore changed = new ForwardingStore(Format.ZARR3.create(target())) {
            @Override
            public ArrayReader openReader(String path) throws IOException {
                try (ArrayReader written = super.openReader(path)) {
                    Data.of(written.spec(), 1).write(others, path);
                }
                return others.openReader(path);
            }
        }) {
            assertThrows(
                    VerificationException.class,
                    () -> Rechunker.from(source)
                            .to(changed)
                            .chunks(120, 2)
                            .maxMem("2MB")
                            .verify()
                            .execute());
        }
    }
}
