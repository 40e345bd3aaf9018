package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Executor;
import dev.rechunker.run.ForkJoinExecutor;
import dev.rechunker.run.SerialExecutor;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups of many small arrays, which several threads copy at the same time. */
class ManyArraysTest {
    private static final int GROUPS = 8;
    private static final int ARRAYS = 25;
    private static final int THREADS = 8;

    @TempDir
    Path directory;

    /** Numbers in every other array; the rest are of types and lengths that only a note in their group can tell. */
    private static ArraySpec spec(int array) {
        ArraySpec.Builder spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(6, 4), Shape.of(2, 4)),
                        array % 2 == 0 ? DataType.INT16 : DataType.datetime64("s"))
                .dimensionNames(List.of("time", "x" + array % 3))
                .attributes(Map.of("number", (long) array));
        return array % 5 == 0 ? spec.unlimitedAxes(Set.of(0)).build() : spec.build();
    }

    /** A group whose arrays are not in the order of their names. */
    private static MemoryStore source() {
        MemoryStore source = new MemoryStore();
        for (int group = 0; group < GROUPS; group++) {
            String path = group % 3 == 0 ? "g" + group : "g0/below" + group;
            for (int array = 0; array < ARRAYS; array++) {
                ArraySpec spec = spec(array);
                ByteBuffer elements = ByteBuffer.allocate((int) spec.bytes());
                for (int i = 0; elements.hasRemaining(); i++) {
                    elements.put((byte) (group * 31 + array * 7 + i));
                }
                source.put(path + "/a" + (array * 11) % ARRAYS, spec, elements.array());
            }
        }
        return source;
    }

    private void copy(ChunkStore source, Path to, ZarrFormat format, Executor executor) throws Exception {
        Rechunker.from(source)
                .to(Zarr.create(to, format))
                .chunks(6, 2)
                .maxMem("10MB")
                .executor(executor)
                .execute();
    }

    private static Map<String, byte[]> files(Path root) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static void assertSameFiles(Path expected, Path actual) throws IOException {
        Map<String, byte[]> wanted = files(expected);
        Map<String, byte[]> found = files(actual);
        assertEquals(wanted.keySet(), found.keySet());
        for (Map.Entry<String, byte[]> file : wanted.entrySet()) {
            assertArrayEquals(file.getValue(), found.get(file.getKey()), file.getKey());
        }
    }

    @ParameterizedTest
    @EnumSource
    void becomeTheSameFilesWithOneThreadAndWithSeveral(ZarrFormat format) throws Exception {
        MemoryStore source = source();
        Path one = directory.resolve("one");
        copy(source, one, format, new SerialExecutor());
        assertTrue(files(one).size() > 3 * GROUPS * ARRAYS);
        for (int round = 0; round < 2; round++) {
            Path several = directory.resolve("several" + round);
            copy(source, several, format, new ForkJoinExecutor(THREADS));
            assertSameFiles(one, several);
        }
    }

    /** Several threads read the headers of one file at the same time. */
    @Test
    void comeFromOneFile() throws Exception {
        Path file = directory.resolve("source.h5");
        try (ChunkStore to = Hdf5.create(file)) {
            Rechunker.from(source())
                    .to(to)
                    .chunks("keep")
                    .maxMem("10MB")
                    .executor(new ForkJoinExecutor(THREADS))
                    .execute();
        }
        Path one = directory.resolve("one");
        copy(Hdf5.open(file), one, ZarrFormat.V3, new SerialExecutor());
        for (int round = 0; round < 2; round++) {
            Path several = directory.resolve("several" + round);
            copy(Hdf5.open(file), several, ZarrFormat.V3, new ForkJoinExecutor(THREADS));
            assertSameFiles(one, several);
        }
    }

    /** The metadata of a consolidated group above the target is removed, and written again. */
    @ParameterizedTest
    @EnumSource
    void goIntoAConsolidatedGroup(ZarrFormat format) throws Exception {
        MemoryStore source = source();
        Path one = directory.resolve("one");
        Path several = directory.resolve("several");
        for (Path place : List.of(one, several)) {
            copy(
                    new MemoryStore().put("first", spec(0), new byte[(int) spec(0).bytes()]),
                    place,
                    format,
                    new SerialExecutor());
            boolean isOne = place.equals(one);
            try (ChunkStore store = Zarr.create(place, format)) {
                store.writeGroup("", Map.of("title", "many"));
                store.finish(true);
                Rechunker.from(source)
                        .to(new StoreLocation(store, "more/of/it"))
                        .chunks(6, 2)
                        .maxMem("10MB")
                        .executor(isOne ? new SerialExecutor() : new ForkJoinExecutor(THREADS))
                        .execute();
            }
        }
        assertSameFiles(one, several);
    }

    /** A run that fails in the middle is resumed, and the result is the same. */
    @ParameterizedTest
    @EnumSource
    void areResumed(ZarrFormat format) throws Exception {
        Path from = directory.resolve("from");
        copy(source(), from, ZarrFormat.V3, new SerialExecutor());
        Path one = directory.resolve("one");
        copy(Zarr.open(from), one, format, new SerialExecutor());
        Path broken =
                from.resolve("g6").resolve("a12").resolve("c").resolve("0").resolve("0");
        byte[] chunk = Files.readAllBytes(broken);
        Files.write(broken, new byte[3]);
        Path several = directory.resolve("several");
        assertThrows(IOException.class, () -> copy(Zarr.open(from), several, format, new ForkJoinExecutor(THREADS)));
        Files.write(broken, chunk);
        Rechunker.from(Zarr.open(from))
                .to(Zarr.create(several, format))
                .chunks(6, 2)
                .maxMem("10MB")
                .executor(new ForkJoinExecutor(THREADS))
                .resume()
                .execute();
        assertSameFiles(one, several);
    }
}
