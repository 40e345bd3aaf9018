package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources and targets are opened by path or URI, and their formats are found. */
class StoreProviderTest {
    private static final RampSource RAMP =
            RampSource.of(DataType.UINT16, 20, 30).chunks(4, 30);

    @TempDir
    Path directory;

    private Path written(String name, String inner, ChunkStore store) throws IOException, InterruptedException {
        try (store) {
            Rechunker.from(RAMP)
                    .to(store.at(inner))
                    .chunks("keep")
                    .maxMem("4MB")
                    .execute();
        }
        return directory.resolve(name);
    }

    private Path zarr() throws IOException, InterruptedException {
        return written("a.zarr", "", Zarr.create(directory.resolve("a.zarr")));
    }

    private Path n5() throws IOException, InterruptedException {
        return written("a.n5", "raw", N5.create(directory.resolve("a.n5")));
    }

    private Path hdf5() throws IOException, InterruptedException {
        return written("a.h5", "entry/data", Hdf5.create(directory.resolve("a.h5")));
    }

    private static void check(Rechunker.From from) throws IOException, InterruptedException {
        MemoryStore target = new MemoryStore();
        Plan plan = from.to(target).chunks(20, 7).maxMem("4MB").plan();
        plan.execute();
        RAMP.check(target, "");
        plan.execute();
        RAMP.check(target, "");
    }

    @Test
    void sourcesAreFoundByTextPathAndUri() throws IOException, InterruptedException {
        Path zarr = zarr();
        check(Rechunker.from(zarr));
        check(Rechunker.from(zarr.toString()));
        check(Rechunker.from(zarr.toUri()));
        check(Rechunker.from(n5() + "#raw"));
        Path hdf5 = hdf5();
        check(Rechunker.from(hdf5 + "#/entry/data"));
        check(Rechunker.from(hdf5.toUri() + "#entry/data"));
        check(Rechunker.from(URI.create(hdf5.toUri() + "#/entry/data")));
    }

    @Test
    void groupsAreFound() throws IOException, InterruptedException {
        MemoryStore target = new MemoryStore();
        Rechunker.from(hdf5()).to(target).chunks("keep").maxMem("4MB").execute();
        RAMP.check(target, "entry/data");
    }

    @Test
    void filesAreClosed() throws IOException, InterruptedException {
        Path file = hdf5();
        check(Rechunker.from(file + "#entry/data"));
        Path fds = Path.of("/proc/self/fd");
        if (Files.exists(fds)) {
            try (var open = Files.list(fds)) {
                assertFalse(open.anyMatch(fd -> leadsTo(fd, file)), "the file is still open");
            }
        }
    }

    private static boolean leadsTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void copyKeepsChunksAndTakesTheFormatFromTheEnding() throws IOException, InterruptedException {
        String source = hdf5() + "#entry/data";
        for (String name : List.of("b.zarr", "b.n5", "b.h5#x/y")) {
            Rechunker.copy(source, directory.resolve(name).toString());
            int sign = name.indexOf('#');
            String inner = sign < 0 ? "" : name.substring(sign + 1);
            try (ChunkStore copied = Stores.open(directory.resolve(sign < 0 ? name : name.substring(0, sign)))) {
                RAMP.check(copied, inner);
                ArrayNode node = (ArrayNode) copied.node(inner).orElseThrow();
                assertEquals(RAMP.data().spec().chunks(), node.spec().chunks());
            }
        }
        Rechunker.copy(directory.resolve("b.n5"), directory.resolve("c.n5"));
        try (ChunkStore copied = N5.open(directory.resolve("c.n5"))) {
            RAMP.check(copied, "");
        }
    }

    @Test
    void textsAndPathsNameTargets() throws IOException, InterruptedException {
        String source = hdf5() + "#entry/data";
        for (String name : List.of("t.zarr", "u.zarr#a/b", "t.n5", "t.h5#x/y")) {
            String target = directory.resolve(name).toString();
            Rechunker.Job job = Rechunker.from(source).to(target).chunks("keep").maxMem("10MB");
            job.execute();
            job.overwrite().verify().execute();
            int sign = name.indexOf('#');
            try (ChunkStore copied = Stores.open(directory.resolve(sign < 0 ? name : name.substring(0, sign)))) {
                RAMP.check(copied, sign < 0 ? "" : name.substring(sign + 1));
            }
        }
        Path path = directory.resolve("p.zarr");
        Rechunker.from(source).to(path).chunks("keep").maxMem("10MB").execute();
        Rechunker.from(source).into(path).maxMem("10MB").execute();
        Rechunker.from(source).into(path.toString()).append(0).maxMem("10MB").execute();
        try (ChunkStore longer = Zarr.open(path)) {
            ArrayNode node = (ArrayNode) longer.node("").orElseThrow();
            assertEquals(
                    2 * RAMP.data().spec().shape().extent(0),
                    node.spec().shape().extent(0));
        }
        assertThrows(StoreException.class, () -> Rechunker.from(source).to("x.png"));
        assertThrows(StoreException.class, () -> Rechunker.from(source).to("ftp://host/x.zarr"));
        assertThrows(
                IllegalArgumentException.class, () -> Rechunker.from(source).to(""));
    }

    @Test
    void theEndingSelectsOmeZarr() throws IOException, InterruptedException {
        Data image = Data.of(
                RAMP.data().spec().toBuilder().dimensionNames(List.of("y", "x")).build());
        try (ChunkStore store = Zarr.create(directory.resolve("named.zarr"))) {
            image.write(store, "");
        }
        Rechunker.copy(directory.resolve("named.zarr"), directory.resolve("d.ome.zarr"));
        try (ChunkStore copied = Zarr.open(directory.resolve("d.ome.zarr"))) {
            image.check(copied, "0");
            assertTrue(((ChunkStore.GroupNode) copied.node("").orElseThrow())
                    .attributes()
                    .containsKey("ome"));
        }
    }

    private static String refusal(String from) {
        return assertThrows(StoreException.class, () -> Rechunker.from(from)).toString();
    }

    @Test
    void messagesSayWhatWasNotFound() throws IOException, InterruptedException {
        assertTrue(refusal(directory.resolve("none.zarr").toString()).contains("does not exist"));
        String nothing = refusal(directory.toString());
        assertTrue(nothing.contains("zarr.json") && nothing.contains("attributes.json"), nothing);
        String unknown = refusal("ftp://host/x.zarr");
        assertTrue(unknown.contains("az, file, gs, hdfs, http, https") && unknown.contains("but not ftp"), unknown);
        StoreException format =
                assertThrows(StoreException.class, () -> Rechunker.copy(zarr(), directory.resolve("x.png")));
        assertTrue(format.toString().contains(".ome.zarr"), format.toString());
        assertFalse(Files.exists(directory.resolve("x.png")));
        assertThrows(
                StoreException.class, () -> Rechunker.copy(directory.resolve("a.zarr"), directory.resolve("a.zarr")));
    }
}
