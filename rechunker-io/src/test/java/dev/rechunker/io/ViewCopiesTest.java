package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Levels;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.Views;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.jobs.JobFile;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Views of files as the sources of all kinds of jobs. */
class ViewCopiesTest {
    private static final int T = 12;
    private static final int Y = 20;
    private static final int X = 30;

    @TempDir
    Path directory;

    private Path out(String name) {
        return directory.resolve(name);
    }

    private static ArraySpec.Builder spec() {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(T, Y, X), Shape.of(5, 7, 30)), DataType.INT16)
                .codecs(CodecSpec.parse("zstd"))
                .dimensionNames(List.of("t", "y", "x"));
    }

    private Path source(String name) throws IOException {
        Path path = out(name);
        try (ChunkStore store = Zarr.create(path)) {
            Data.of(spec().build()).write(store, "a");
            store.finish(true);
        }
        return path;
    }

    private static byte[] read(StoreLocation place) throws IOException {
        try (ArrayReader reader = place.store().openReader(place.path())) {
            return Data.readAll(reader);
        }
    }

    /** {@return the elements with the indices of three loops, the outermost first} */
    private static byte[] elements(int[] x, int[] y, int[] t) {
        byte[] all = Data.of(spec().build()).elements();
        byte[] shown = new byte[x.length * y.length * t.length * 2];
        int to = 0;
        for (int i : x) {
            for (int j : y) {
                for (int k : t) {
                    System.arraycopy(all, 2 * ((k * Y + j) * X + i), shown, to, 2);
                    to += 2;
                }
            }
        }
        return shown;
    }

    private static int[] range(int from, int count, int step) {
        int[] range = new int[count];
        for (int i = 0; i < count; i++) {
            range[i] = from + i * step;
        }
        return range;
    }

    private static Rechunker.Job view(Rechunker.Job job) {
        return job.select("t=::5, x=[7,3,3]").flip("y").transpose("x, y, t");
    }

    private static byte[] viewed() {
        return elements(new int[] {7, 3, 3}, range(Y - 1, Y, -1), range(0, 3, 5));
    }

    @Test
    void theDocumentedViewIsCopied() throws Exception {
        Path in = source("ssh.zarr");
        try (ChunkStore store = Zarr.open(in);
                ChunkStore target = Zarr.create(out("t.zarr"))) {
            StoreLocation source = store.at("a");
            // snippet: views
            StoreLocation view = Views.of(source)
                    .select("t=::5, x=[7,3,3]")
                    .flip("y")
                    .transpose("x, y, t")
                    .location();
            Rechunker.from(view)
                    .to(target)
                    .chunks(3, 20, 3)
                    .maxMem("64MB")
                    .verify()
                    .execute();
            // end snippet
            assertArrayEquals(viewed(), read(Zarr.open(out("t.zarr")).at("")));
        }
    }

    @Test
    void processesShareTheCopyOfAView() throws Exception {
        Path in = source("in.zarr");
        Path file = out("plan.json");
        try (ChunkStore target = Zarr.create(out("t.zarr"))) {
            Plan plan = view(Rechunker.from(in + "#a")
                            .to(target.at("b"))
                            .chunks(1, 7, 3)
                            .maxMem("64MB")
                            .workers(2))
                    .plan();
            JobFile.save(plan, file);
            for (int stage = 0; ; stage++) {
                try (JobFile job = JobFile.open(file)) {
                    if (stage == job.tasks().size()) {
                        job.finish();
                        break;
                    }
                    job.run(stage, 0, job.tasks().get(stage));
                }
            }
        }
        assertArrayEquals(viewed(), read(Zarr.open(out("t.zarr")).at("b")));
    }

    @Test
    void viewsAreJoinedAlsoByOtherProcesses() throws Exception {
        Path in = source("in.zarr");
        Path file = out("plan.json");
        try (ChunkStore store = Zarr.open(in);
                ChunkStore target = Zarr.create(out("t.zarr"))) {
            StoreLocation first =
                    Views.of(store.at("a")).transpose("x,y,t").select("x=:2").location();
            StoreLocation last =
                    Views.of(store.at("a")).transpose("x,y,t").select("x=28:").location();
            Plan plan = Rechunker.from(Concat.along("x", first, last))
                    .to(target.at("b"))
                    .chunks(4, 5, 12)
                    .maxMem("64MB")
                    .workers(2)
                    .plan();
            JobFile.save(plan, file);
            try (JobFile job = JobFile.open(file)) {
                job.run(0, 0, job.tasks().get(0));
                job.finish();
            }
        }
        assertArrayEquals(
                elements(new int[] {0, 1, 28, 29}, range(0, Y, 1), range(0, T, 1)),
                read(Zarr.open(out("t.zarr")).at("b")));
    }

    @Test
    void regionsAndAppendsAreOfTheView() throws Exception {
        Path in = source("in.zarr");
        try (ChunkStore target = Zarr.create(out("t.zarr"))) {
            Rechunker.from(in + "#a")
                    .to(target)
                    .chunks(4, 5, 12)
                    .maxMem("64MB")
                    .only()
                    .transpose("x,y,t")
                    .region("x=:10, y=2:, t=:")
                    .execute();
        }
        assertArrayEquals(
                elements(range(0, 10, 1), range(2, Y - 2, 1), range(0, T, 1)),
                read(Zarr.open(out("t.zarr")).at("")));
        try (ChunkStore target = Zarr.create(out("t.zarr"))) {
            Rechunker.from(in + "#a")
                    .into(target)
                    .append("x")
                    .maxMem("64MB")
                    .select("x=10:, y=2:")
                    .transpose("x,y,t")
                    .execute();
        }
        assertArrayEquals(
                elements(range(0, X, 1), range(2, Y - 2, 1), range(0, T, 1)),
                read(Zarr.open(out("t.zarr")).at("")));
    }

    @Test
    void aFinishedViewIsNotCopiedAgainAndAnotherOneIs() throws Exception {
        Path in = source("in.zarr");
        for (int times = 0; times < 2; times++) {
            try (ChunkStore target = Zarr.create(out("t.zarr"))) {
                long read = view(Rechunker.from(in + "#a")
                                .to(target.at("b"))
                                .chunks(3, 20, 3)
                                .maxMem("64MB")
                                .resume())
                        .execute()
                        .bytesWritten();
                assertEquals(times == 0, read > 0);
            }
        }
        try (ChunkStore target = Zarr.create(out("t.zarr"))) {
            Rechunker.Job other = Rechunker.from(in + "#a")
                    .to(target.at("b"))
                    .chunks(3, 20, 3)
                    .maxMem("64MB")
                    .select("t=::5, x=[7,3,4]")
                    .transpose("x, y, t")
                    .resume();
            assertThrows(StoreException.class, other::execute);
        }
    }

    @Test
    void levelsAreMadeOfAView() throws Exception {
        Path in = source("in.zarr");
        try (ChunkStore target = OmeZarr.create(out("t.ome.zarr"))) {
            Rechunker.from(in + "#a")
                    .to(target)
                    .chunks(4, 5, 6)
                    .maxMem("64MB")
                    .transpose("t, x, y")
                    .levels(Levels.by("1,2,2").nearest().count(2))
                    .verify()
                    .execute();
        }
        ChunkStore written = Zarr.open(out("t.ome.zarr"));
        ArraySpec level = ((ChunkStore.ArrayNode) written.node("1").orElseThrow()).spec();
        assertEquals(Shape.of(T, X / 2, Y / 2), level.shape());
        assertEquals(List.of("t", "x", "y"), level.dimensionNames());
    }

    @Test
    void omeZarrRefusesAxesInAnotherOrder() throws Exception {
        Path in = source("in.zarr");
        try (ChunkStore target = OmeZarr.create(out("i.ome.zarr"))) {
            Rechunker.from(in + "#a").to(target).chunks("keep").maxMem("64MB").execute();
        }
        try (ChunkStore target = OmeZarr.create(out("t.ome.zarr"))) {
            StoreException refusal = assertThrows(
                    StoreException.class,
                    () -> Rechunker.from(out("i.ome.zarr").toString())
                            .to(target)
                            .chunks("keep")
                            .maxMem("64MB")
                            .transpose("x, y, t")
                            .plan());
            assertTrue(
                    String.valueOf(refusal.getMessage())
                            .contains("has the axes [x, y, t], but OME-Zarr demands the order time"),
                    refusal::getMessage);
        }
    }

    @Test
    void contiguousFilesAreReadInBandsOfWhatIsStoredTogether() throws Exception {
        Path file = out("a.h5");
        try (ChunkStore store = Zarr.open(source("in.zarr"));
                ChunkStore target = Hdf5.create(file)) {
            Rechunker.from(store.at("a"))
                    .to(target.at("a"))
                    .chunks(T, Y, X)
                    .maxMem("64MB")
                    .codec("none")
                    .execute();
        }
        try (ChunkStore target = Zarr.create(out("t.zarr"))) {
            Rechunker.from(file + "#a")
                    .to(target)
                    .chunks(4, 5, 12)
                    .maxMem("64MB")
                    .only()
                    .transpose("x,y,t")
                    .execute();
        }
        assertArrayEquals(
                elements(range(0, X, 1), range(0, Y, 1), range(0, T, 1)),
                read(Zarr.open(out("t.zarr")).at("")));
    }
}
