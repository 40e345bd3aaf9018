package dev.rechunker.io.concat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat.Source;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.run.Report;
import dev.rechunker.run.TaskFailedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FaultyStore;
import dev.rechunker.testing.FaultyStore.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same sources joined again, in any process, have the same identity, so that a run of one process can be resumed by
 * another.
 */
class ConcatIdentityTest {
    private static final int FILES = 5;
    private static final Data WHOLE = Data.of(ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(FILES * 8, 60, 60), Shape.of(4, 60, 60)), DataType.INT32)
            .dimensionNames(List.of("time", "y", "x"))
            .build());

    @TempDir
    Path directory;

    @BeforeEach
    void write() throws IOException {
        ArraySpec part = WHOLE.spec().toBuilder()
                .chunks(ChunkGrid.regular(Shape.of(8, 60, 60), Shape.of(4, 60, 60)))
                .build();
        for (int i = 0; i < FILES; i++) {
            try (ChunkStore store = Zarr.create(directory.resolve("in/" + i + ".zarr"))) {
                Slices.of(WHOLE, 0, 8L * i, part).write(store, "a");
            }
        }
    }

    private List<Source> sources(String glob) throws IOException {
        return Concat.files(directory.resolve("in"), glob, Zarr::open, "a");
    }

    @Test
    void theSameSourcesHaveTheSameIdentity() throws IOException {
        String identity = Concat.along("time", sources("*")).identity();
        assertEquals(identity, Concat.along("time", sources("*")).identity());
        assertEquals(
                identity,
                Concat.options().atMostOpen(2).along("time", sources("*")).identity());
        assertTrue(identity.startsWith("concat along time of 5 sources, the first zarr file:"), identity);
        assertTrue(identity.contains("/in/0.zarr"), identity);
        try (ChunkStore one = Zarr.open(directory.resolve("in/0.zarr"))) {
            assertEquals(
                    Concat.along("time", one.at("a")).identity(),
                    Concat.along("time", sources("0.zarr")).identity());
        }
    }

    @Test
    void otherSourcesHaveOtherIdentities() throws IOException {
        List<Source> all = sources("*");
        List<Source> swapped = new ArrayList<>(List.of(all.get(0), all.get(2), all.get(1), all.get(3), all.get(4)));
        List<Source> doubled = new ArrayList<>(List.of(all.get(0), all.get(1), all.get(1), all.get(3), all.get(4)));
        List<Source> roots = Concat.files(directory.resolve("in"), "*", Zarr::open);
        MemoryStore memory = new MemoryStore();
        WHOLE.write(memory, "");
        MemoryStore sameAgain = new MemoryStore();
        WHOLE.write(sameAgain, "");
        List<ChunkStore> different = List.of(
                Concat.along("time", all),
                Concat.along("x", all),
                Concat.stack("time2", all),
                Concat.stack("0", all),
                Concat.stack("time2", 1, all),
                Concat.along("time", swapped),
                Concat.along("time", doubled),
                Concat.along("time", all.subList(0, 4)),
                Concat.along("time", roots),
                Concat.along("time", memory.at("")),
                Concat.along("time", sameAgain.at("")));
        Set<String> identities = new HashSet<>();
        for (ChunkStore store : different) {
            assertTrue(identities.add(store.identity()), store::identity);
            assertTrue(store.identity().length() < 1000, store::identity);
        }
    }

    private Rechunker.Job job(ChunkStore source, ChunkStore target) {
        return Rechunker.from(source)
                .to(target)
                .chunks(40, 5, 5)
                .maxMem("600kB")
                .noSpill()
                .threads(1)
                .retries(0);
    }

    @Test
    void aRunIsResumedWithStoresThatAreOpenedAgain() throws Exception {
        Path target = directory.resolve("out.zarr");
        FaultyStore failing = new FaultyStore(Concat.along("time", sources("*"))).failOnce(Operation.READ, 25);
        try (ChunkStore store = Zarr.create(target)) {
            assertThrows(TaskFailedException.class, () -> job(failing, store).execute());
        }
        try (ChunkStore store = Zarr.create(target)) {
            RefusedException refused = assertThrows(
                    RefusedException.class,
                    () -> job(Concat.along("time", sources("[0123].zarr")), store)
                            .resume()
                            .execute());
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("source was concat along time"), refused::toString);
            Report report =
                    job(Concat.along("time", sources("*")), store).resume().execute();
            assertTrue(report.tasksDoneBefore() > 0, report::toString);
            WHOLE.check(store, "");
        }
    }
}
