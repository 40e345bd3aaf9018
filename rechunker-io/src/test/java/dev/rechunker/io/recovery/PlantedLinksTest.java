package dev.rechunker.io.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Links that others leave under the names of files that are being written. What they lead to does not change. */
@Timeout(60)
class PlantedLinksTest {
    private static final byte[] PRECIOUS = {1, 2, 3};

    @TempDir
    Path directory;

    private Path victim;

    @BeforeEach
    void writeVictim() throws IOException {
        victim = Files.write(directory.resolve("victim"), PRECIOUS);
    }

    @AfterEach
    void victimIsTheSame() throws IOException {
        assertArrayEquals(PRECIOUS, Files.readAllBytes(victim));
    }

    private Path link(String name) throws IOException {
        Path link = directory.resolve(name);
        Files.createDirectories(link.getParent());
        return Files.createSymbolicLink(link, victim);
    }

    private Rechunker.Job job(ChunkStore target) throws IOException {
        Path source = directory.resolve("source");
        if (Files.notExists(source)) {
            try (ChunkStore store = Zarr.create(source)) {
                Data.of(SpillingCopy.SOURCE).write(store, "");
            }
        }
        return Rechunker.from(source)
                .to(target.at("data"))
                .chunks(1, 240)
                .maxMem("1MB")
                .threads(1);
    }

    @Test
    void aPlan() throws Exception {
        Path plan = directory.resolve("plan.json");
        link("plan.json.new");
        link("plan.json.run.new");
        try (ChunkStore target = Zarr.create(directory.resolve("target"))) {
            JobFile.save(job(target).plan(), plan);
        }
        try (JobFile job = JobFile.open(plan)) {
            for (int stage = 0; stage < job.tasks().size(); stage++) {
                job.run(stage, 0, job.tasks().get(stage));
            }
            job.finish();
        }
        assertTrue(Files.isRegularFile(plan));
    }

    @Test
    void anHdf5File() throws Exception {
        Path link = link("target.h5.part");
        try (ChunkStore target = Hdf5.create(directory.resolve("target.h5"))) {
            IOException e = assertThrows(IOException.class, () -> job(target).execute());
            assertTrue(String.valueOf(e.getMessage()).contains("target.h5.part: is a link"), e.getMessage());
            Files.delete(link);
            job(target).execute();
            Data.of(SpillingCopy.SOURCE).check(target, "data");
        }
    }

    @Test
    void aJournal() throws Exception {
        link("target/data/.rechunker-run/journal.new");
        try (ChunkStore target = Zarr.create(directory.resolve("target"))) {
            job(target).execute();
            Data.of(SpillingCopy.SOURCE).check(target, "data");
        }
    }

    /** Parts of write units, and the notes on them. */
    @Test
    void unitsThatGrow() throws Exception {
        FaultyStore source = new FaultyStore(SpillingCopy.source()).before(Operation.READ, number -> {
            if (number == 1) {
                link("target/.rechunker-tmp-units");
                link("target/c/0/.rechunker-tmp-unit-0");
            }
        });
        try (ChunkStore target = Zarr.create(directory.resolve("target"))) {
            Rechunker.To to = Rechunker.from(source).to(target);
            SpillingCopy.sweep(to, 1).execute();
            Data.of(SpillingCopy.SOURCE).check(target, "");
        }
    }

    @Test
    void unitsThatWereLeft() throws Exception {
        FaultyStore source = new FaultyStore(SpillingCopy.source()).failOnce(Operation.READ, 400);
        try (ChunkStore target = Zarr.create(directory.resolve("target"))) {
            assertThrows(
                    TaskFailedException.class,
                    () -> SpillingCopy.sweep(Rechunker.from(source).to(target), 1)
                            .retries(0)
                            .execute());
            Path unit;
            try (Stream<Path> files = Files.walk(directory.resolve("target"))) {
                unit = files.filter(file -> file.getFileName().toString().startsWith(".rechunker-tmp-unit-"))
                        .findFirst()
                        .orElseThrow();
            }
            Path notes = directory.resolve("target/.rechunker-tmp-units");
            for (Path left : new Path[] {unit, notes}) {
                Path kept = directory.resolve("kept");
                Files.move(left, kept);
                Files.write(victim, Files.readAllBytes(kept));
                Files.createSymbolicLink(left, victim);
                IOException e = assertThrows(
                        IOException.class,
                        () -> SpillingCopy.sweep(Rechunker.from(source).to(target), 1)
                                .resume()
                                .execute());
                assertTrue(String.valueOf(e.getMessage()).contains("is a link"), e.getMessage());
                assertArrayEquals(Files.readAllBytes(kept), Files.readAllBytes(victim));
                Files.write(victim, PRECIOUS);
                Files.delete(left);
                Files.move(kept, left);
            }
            SpillingCopy.sweep(Rechunker.from(source).to(target), 1).resume().execute();
            Data.of(SpillingCopy.SOURCE).check(target, "");
        }
    }
}
