package dev.rechunker.io.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.io.bytes.BucketKeys;
import dev.rechunker.io.bytes.MemoryBucket;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of one process into a bucket that end early are resumed by the same copy only. */
@Timeout(120)
class RemoteResumeTest {
    @TempDir
    Path spill;

    private final MemoryBucket bucket = new MemoryBucket("bucket");

    private ChunkStore zarr() {
        return Zarr.create(new BucketKeys(bucket, "a/b.zarr", null));
    }

    private Rechunker.Job job(ChunkStore source, ChunkStore target, int threads) {
        return SpillingCopy.job(source, target, threads).retries(0).spill(spill);
    }

    /** Fails at a write. */
    private void fail(long write) throws Exception {
        try (ChunkStore source = SpillingCopy.source();
                FaultyStore failing = new FaultyStore(zarr())) {
            failing.failFrom(Operation.WRITE, write);
            TaskFailedException e = assertThrows(
                    TaskFailedException.class, () -> job(source, failing, 2).execute());
            String message = String.valueOf(e.getMessage());
            assertTrue(
                    message.contains("is kept in memory://bucket/a/b.zarr/.rechunker-run; resume it with resume()"),
                    message);
        }
    }

    private Report resume() throws Exception {
        try (ChunkStore source = SpillingCopy.source();
                ChunkStore target = zarr()) {
            return job(source, target, 2).resume().execute();
        }
    }

    private void assertDone() throws IOException {
        try (ChunkStore target = zarr()) {
            Data.of(SpillingCopy.SOURCE).check(target, "");
        }
        assertEquals(List.of(), own());
        try (Stream<Path> files = Files.list(spill)) {
            assertEquals(0, files.count(), "files of the spill are left");
        }
    }

    private List<String> own() {
        return bucket.values().keySet().stream()
                .filter(key -> key.contains("rechunker"))
                .toList();
    }

    private static String message(Throwable e) {
        return String.valueOf(e.getMessage());
    }

    @Test
    void aFailedRunIsResumed() throws Exception {
        fail(150);
        try (ChunkStore source = SpillingCopy.source();
                ChunkStore target = zarr()) {
            String refusal = message(assertThrows(RefusedException.class, job(source, target, 2)::execute));
            assertTrue(refusal.contains("has an unfinished run, kept in memory://bucket/a/b.zarr"), refusal);
            String other = message(
                    assertThrows(RefusedException.class, job(source, target, 1).resume()::execute));
            assertTrue(other.contains("and this run differs from it"), other);
        }
        Report report = resume();
        assertTrue(report.tasksDoneBefore() > 0, report::toString);
        assertTrue(report.sourceChunkReads() <= SpillingCopy.SOURCE_CHUNKS / 2, report::toString);
        assertDone();
        assertEquals(0, resume().tasks(), "everything is done");
        assertDone();
    }

    /** A process on another machine has no spill, but the target as far as it is complete. */
    @ParameterizedTest
    @ValueSource(ints = {50, 150})
    void aRunIsResumedWithoutItsSpill(int writes) throws Exception {
        fail(writes);
        for (int life = 0; life < 2; life++) {
            deleteSpill();
            if (life == 0) {
                try (ChunkStore source = SpillingCopy.source();
                        FaultyStore failing = new FaultyStore(zarr())) {
                    failing.failFrom(Operation.WRITE, 20);
                    Rechunker.Job job = job(source, failing, 2).resume();
                    assertThrows(TaskFailedException.class, job::execute);
                }
            }
        }
        Report report = resume();
        assertTrue(report.tasksDoneBefore() > 0, report::toString);
        assertDone();
    }

    private void deleteSpill() throws IOException {
        try (Stream<Path> all = Files.walk(spill)) {
            for (Path file : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                if (!file.equals(spill)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** What was in memory is lost, and the rest of the spill may be lost, too. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSpillThatIsPartlyInMemoryIsReadAgain(boolean isLost) throws Exception {
        try (ChunkStore source = SpillingCopy.source();
                FaultyStore failing = new FaultyStore(zarr())) {
            failing.failFrom(Operation.WRITE, 100);
            Rechunker.Job job =
                    SpillingCopy.keeping(source, failing, 2).retries(0).spill(spill);
            assertThrows(TaskFailedException.class, job::execute);
        }
        if (isLost) {
            deleteSpill();
        }
        try (ChunkStore source = SpillingCopy.source();
                ChunkStore target = zarr()) {
            Report report = SpillingCopy.keeping(source, target, 2)
                    .spill(spill)
                    .resume()
                    .execute();
            assertTrue(report.tasksDoneBefore() > 0, report::toString);
        }
        assertDone();
    }

    @Test
    void aRunIsStartedAgain() throws Exception {
        fail(150);
        try (ChunkStore source = SpillingCopy.source();
                ChunkStore target = zarr()) {
            Report report = job(source, target, 1).overwrite().execute();
            assertEquals(0, report.tasksDoneBefore());
        }
        assertDone();
    }

    @Test
    void aRunInProgressIsNotResumed() throws Exception {
        try (ChunkStore source = SpillingCopy.source();
                FaultyStore target = new FaultyStore(zarr());
                ChunkStore again = zarr()) {
            target.before(Operation.WRITE, number -> {
                if (number == 100) {
                    for (Rechunker.Job other : List.of(job(source, again, 2).resume(), job(source, again, 2))) {
                        String message = message(assertThrows(RefusedException.class, other::execute));
                        assertTrue(message.contains("another process is writing to"), message);
                    }
                }
            });
            job(source, target, 2).execute();
        }
        assertDone();
    }

    /** A process that others believed to be dead fails at the end, and does not disturb them. */
    @Test
    void aRunThatWasResumedElsewhereFails() throws Exception {
        try (ChunkStore source = SpillingCopy.source();
                FaultyStore target = new FaultyStore(zarr())) {
            target.before(
                    Operation.WRITE,
                    number -> bucket.values()
                            .put("a/b.zarr/.rechunker-run/process/2/owner", "elsewhere 1.1".getBytes(UTF_8)));
            String message = message(assertThrows(StoreException.class, job(source, target, 2)::execute));
            assertTrue(message.contains("resumed by another process"), message);
        }
        assertFalse(own().isEmpty());
    }

    /** What was recorded is not used for an array that another run has begun again. */
    @Test
    void anArrayThatWasBegunAgainIsNotResumed() throws Exception {
        fail(150);
        try (ChunkStore other = zarr();
                ChunkStore source = SpillingCopy.source()) {
            other.create(
                            "",
                            other.resolve(
                                    job(source, other, 2).plan().arrays().get(0).target()),
                            true)
                    .close();
        }
        String message = message(assertThrows(StoreException.class, this::resume));
        assertTrue(message.contains("another run has begun to write it again"), message);
    }

    @Test
    void arraysOfAGroupAreResumed() throws Exception {
        Data data = Data.of(SpillingCopy.SOURCE);
        BucketKeys keys = new BucketKeys(bucket, "g.n5", null);
        try (ChunkStore source = N5.create(new BucketKeys(new MemoryBucket("source"), "", "memory:source"));
                FaultyStore target = new FaultyStore(N5.create(keys))) {
            for (String path : List.of("x/a", "x/b", "c")) {
                data.write(source, path);
            }
            target.before(Operation.WRITE, number -> {
                if (number > 300) {
                    throw new IOException("no more");
                }
            });
            Rechunker.Job job = Rechunker.from(source)
                    .to(target)
                    .chunks(1, 240)
                    .maxMem("1MB")
                    .retries(0)
                    .threads(2);
            assertThrows(TaskFailedException.class, job::execute);
            assertThrows(TaskFailedException.class, job.resume()::execute);
            try (ChunkStore again = N5.create(keys)) {
                Report report = Rechunker.from(source)
                        .to(again)
                        .chunks(1, 240)
                        .maxMem("1MB")
                        .threads(2)
                        .resume()
                        .execute();
                assertTrue(report.tasksDoneBefore() > 0, report::toString);
                for (String path : List.of("x/a", "x/b", "c")) {
                    data.check(again, path);
                }
            }
        }
        assertEquals(List.of(), own());
    }
}
