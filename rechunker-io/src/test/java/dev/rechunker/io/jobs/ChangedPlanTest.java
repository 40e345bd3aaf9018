package dev.rechunker.io.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan was changed after it was saved: no file is written or removed that is not a file of its run. */
class ChangedPlanTest {
    @TempDir
    Path directory = Path.of("");

    private Path file = Path.of("");
    private Path other = Path.of("");

    @BeforeEach
    void setUp() throws IOException {
        file = Files.createDirectory(directory.resolve("job")).resolve("plan.json");
        other = directory.resolve("other.txt");
        Files.writeString(other, "precious");
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(64, 64), Shape.of(64, 4)), DataType.INT32)
                .build();
        try (ChunkStore source = Zarr.create(directory.resolve("source.zarr"))) {
            Data.of(spec, 1).write(source, "");
        }
    }

    private void save(UnaryOperator<Rechunker.Job> options) throws IOException {
        try (ChunkStore source = Zarr.open(directory.resolve("source.zarr"));
                ChunkStore target = Zarr.create(directory.resolve("target.zarr"))) {
            Rechunker.Job job = Rechunker.from(source).to(target).chunks(4, 64).maxMem("1MB");
            JobFile.save(options.apply(job).plan(), file);
        }
    }

    private void change(Consumer<Map<String, @Nullable Object>> change) throws IOException {
        Map<String, @Nullable Object> plan = JsonParser.object("the plan", Files.readAllBytes(file));
        change.accept(plan);
        Files.write(file, Json.document(plan));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> options(Map<String, @Nullable Object> plan) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(plan.get("options"));
    }

    private void runAll() throws IOException, InterruptedException {
        try (JobFile job = JobFile.open(file)) {
            for (int stage = 0; stage < job.tasks().size(); stage++) {
                job.run(stage, 0, job.tasks().get(stage));
            }
        }
    }

    private String refusal() throws IOException {
        try (JobFile job = JobFile.open(file)) {
            return String.valueOf(
                    assertThrows(RefusedException.class, job::finish).getMessage());
        }
    }

    @Test
    void checksumsAreWrittenNextToThePlan() throws IOException, InterruptedException {
        save(job -> job.checksums(file.resolveSibling("sums.txt")));
        runAll();
        for (Path place : List.of(
                other,
                directory.resolve("new.txt"),
                file.resolveSibling(".profile"),
                file.resolveSibling("../new.txt"),
                file.resolveSibling("missing/new.txt"))) {
            change(plan -> options(plan).put("checksumFile", place.toString()));
            String message = refusal();
            assertTrue(message.contains("name it again with finish(file)"), message);
            assertFalse(Files.exists(place) && !place.equals(other), place.toString());
        }
        for (Path place : List.of(file, file.resolveSibling("link.txt"))) {
            if (!place.equals(file)) {
                Files.createSymbolicLink(place, other);
            }
            change(plan -> options(plan).put("checksumFile", place.toString()));
            String message = refusal();
            assertTrue(message.contains("exists and contains something else"), message);
        }
        assertEquals("precious", Files.readString(other));
        Path sums = directory.resolve("named.txt");
        for (int i = 0; i < 2; i++) { // the second time, the file of the first is replaced
            try (JobFile job = JobFile.open(file)) {
                Report report = job.finish(sums);
                assertEquals(1, report.checksums().size());
            }
            assertEquals(16, Files.readAllLines(sums).size());
        }
        try (JobFile job = JobFile.open(file)) {
            assertThrows(RefusedException.class, () -> job.finish(other));
        }
        assertEquals("precious", Files.readString(other));
    }

    @Test
    void checksumsNextToThePlanNeedNoSecondName() throws IOException, InterruptedException {
        Path sums = file.resolveSibling("sums.txt");
        save(job -> job.checksums(sums));
        runAll();
        try (JobFile job = JobFile.open(file)) {
            job.finish();
        }
        assertEquals(16, Files.readAllLines(sums).size());
    }

    /** A plan in a key store has no directory. */
    @Test
    void plansInKeyStoresNeedTheFileAgain() throws IOException, InterruptedException {
        Path sums = file.resolveSibling("sums.txt");
        try (ChunkStore source = Zarr.open(directory.resolve("source.zarr"));
                ChunkStore target = Zarr.create(directory.resolve("target.zarr"));
                KeyStore keys = new DirectoryKeys(directory.resolve("job"))) {
            JobFile.save(
                    Rechunker.from(source)
                            .to(target)
                            .chunks(4, 64)
                            .maxMem("1MB")
                            .checksums(sums)
                            .plan(),
                    keys,
                    "plan.json");
            try (JobFile job = JobFile.open(keys, "plan.json")) {
                job.run(0, 0, job.tasks().get(0));
                assertThrows(RefusedException.class, job::finish);
                job.finish(sums);
            }
        }
        assertEquals(16, Files.readAllLines(sums).size());
    }

    @Test
    void plansForExistingFilesAreNotSaved() {
        assertThrows(RefusedException.class, () -> save(job -> job.checksums(other)));
        assertFalse(Files.exists(file));
    }

    /** The name of the run is the name of a directory of temporary files, which are removed. */
    @Test
    void runsHaveNoOtherNames() throws IOException {
        save(job -> job);
        Path spill = Files.createDirectory(directory.resolve("rechunk-of-others"));
        Files.writeString(spill.resolve("x.spill"), "precious");
        for (String name : List.of("../rechunk-of-others", "rechunk-of-others", "..", "", "rechunk-1-2-3-4-5/../x")) {
            change(plan -> plan.put("run", name));
            StoreException refusal = assertThrows(StoreException.class, () -> JobFile.open(file));
            assertTrue(String.valueOf(refusal.getMessage()).contains("is not the name of a run"), name);
        }
        change(plan -> plan.put("run", "rechunk-1-2-3-4-5"));
        try (JobFile job = JobFile.open(file)) {
            assertThrows(RefusedException.class, () -> job.run(0, 0, 1));
            assertThrows(RefusedException.class, job::finish);
        }
        assertTrue(Files.exists(spill.resolve("x.spill")));
    }

    /** Another target is not reserved for the run, so nothing is written there. */
    @Test
    void targetsThatAreNotReservedStay() throws IOException {
        save(job -> job.overwrite());
        Path taken = directory.resolve("taken.zarr");
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(64, 64), Shape.of(4, 64)), DataType.INT32)
                .build();
        try (ChunkStore store = Zarr.create(taken)) {
            Data.of(spec, 2).write(store, "");
        }
        change(plan -> {
            Map<?, ?> target = (Map<?, ?>) plan.get("target");
            String place = taken.toUri().toString();
            plan.put("target", Map.of("path", "", "store", Map.of("store", "zarr", "place", place)));
            assertTrue(String.valueOf(target).contains("target.zarr"));
        });
        try (JobFile job = JobFile.open(file)) {
            assertThrows(RefusedException.class, () -> job.run(0, 0, 1));
            assertThrows(RefusedException.class, job::finish);
        }
        try (ChunkStore store = Zarr.open(taken)) {
            Data.of(spec, 2).check(store, "");
        }
    }
}
