package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.Stores;
import dev.rechunker.io.StoresByUri;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.MemoryKeys;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tests virtual datasets and external storage with files of the HDF5 library; see make_virtual.py. */
class VirtualDatasetTest {
    @TempDir
    static Path fixtures;

    @TempDir
    Path temporary;

    private static Path directory = Path.of("");

    @BeforeAll
    static void unpack() throws IOException {
        directory = Fixtures.copy("hdf5/virtual", fixtures, true);
    }

    private static ChunkStore open() throws IOException {
        return Hdf5.open(directory.resolve("virtual.h5"));
    }

    @TestFactory
    Stream<DynamicTest> everyDataset() throws IOException {
        return tests(open());
    }

    /** The sources are values of the same key store. */
    @TestFactory
    Stream<DynamicTest> everyDatasetOfAKeyStore() throws IOException {
        KeyStore keys = new MemoryKeys();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String key = "in/" + directory.relativize(file).toString().replace('\\', '/');
                keys.put(key, ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        }
        return tests(Hdf5.open(keys, "in/virtual.h5"));
    }

    private static Stream<DynamicTest> tests(ChunkStore store) throws IOException {
        List<String> names = store.children("expected");
        assertEquals(42, names.size());
        return names.stream()
                .map(name -> DynamicTest.dynamicTest(name, () -> VirtualFiles.check(store, name)))
                .onClose(() -> {
                    try {
                        store.close();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void chunksAreThoseOfTheSources() throws IOException {
        Map<String, String> chunks = Map.of(
                "whole", "CHUNK 2x3",
                "joined", "CHUNK 2x8",
                "stacked", "CHUNK 1x4x8",
                "lines", "CHUNK 1x3",
                "whole plain", "BYTES 6x8",
                "numbered", "CHUNK 3x5",
                "same file", "CHUNK 2x4",
                "interleaved", "CHUNK 4x3",
                "none", "BYTES 3x4");
        try (ChunkStore store = open()) {
            for (Map.Entry<String, String> entry : chunks.entrySet()) {
                try (ArrayReader reader = store.openReader("virtual/" + entry.getKey())) {
                    Shape largest = reader.spec().chunks().largestChunk();
                    assertEquals(
                            entry.getValue(),
                            reader.traits().granularity() + " "
                                    + String.join(
                                            "x",
                                            Arrays.stream(largest.toArray())
                                                    .mapToObj(Long::toString)
                                                    .toList()),
                            entry.getKey());
                }
            }
        }
    }

    @Test
    void missingSourcesAreLosses() throws IOException {
        try (ChunkStore store = open()) {
            assertEquals(List.of(), store.omissions("virtual/tiles"));
            for (String name : List.of("missing file", "missing dataset", "grows from nothing")) {
                String source = name.equals("missing dataset") ? "virtual_a.h5#no" : "virtual_no.h5#";
                String loss = String.join("", store.omissions("virtual/" + name));
                assertTrue(loss.contains("do not exist") && loss.contains(source), loss);
            }
            String loss = String.join("", store.omissions("external/short"));
            assertTrue(loss.contains("virtual_raw.bin lacks 300 bytes"), loss);
        }
    }

    @Test
    void whatCannotBeReadIsRefusedByName() throws IOException {
        Map<String, String> refused = Map.of(
                "refused/reshaped", "a change of shape is not supported",
                "refused/itself", "more than 8 in a row",
                "refused/converted", "its elements are of type int16, and not float32",
                "refused/too long", "of the shape [9, 8]",
                "refused/group", "virtual_a.h5#in: it is not a dataset",
                "refused/outside", "",
                "external/missing", "virtual_no.bin (external storage), which does not exist");
        try (ChunkStore store = open()) {
            for (Map.Entry<String, String> entry : refused.entrySet()) {
                if (entry.getKey().equals("refused/outside")) { // there is no such file
                    assertEquals(1, store.omissions(entry.getKey()).size());
                    continue;
                }
                String message = String.valueOf(assertThrows(StoreException.class, () -> store.node(entry.getKey()))
                        .getMessage());
                assertTrue(message.contains(entry.getValue()) && message.contains("#" + entry.getKey()), message);
                assertThrows(StoreException.class, () -> store.openReader(entry.getKey()));
            }
        }
    }

    /** {@return a copy of the files in a directory below the temporary one} */
    private Path copy() throws IOException {
        Path copy = Files.createDirectory(temporary.resolve("in"));
        for (String name : List.of("virtual.h5", "virtual_a.h5", "virtual_raw.bin")) {
            Files.copy(directory.resolve(name), copy.resolve(name));
        }
        return copy;
    }

    @Test
    void filesOutsideOfTheDirectoryNeedAnOption() throws IOException {
        Path file = copy().resolve("virtual.h5");
        Files.move(file.resolveSibling("virtual_a.h5"), temporary.resolve("virtual_a.h5"));
        Files.move(file.resolveSibling("virtual_raw.bin"), temporary.resolve("raw.bin"));
        Files.createSymbolicLink(file.resolveSibling("virtual_a.h5"), temporary.resolve("virtual_a.h5"));
        Files.createSymbolicLink(file.resolveSibling("virtual_raw.bin"), temporary.resolve("raw.bin"));
        List<String> names = List.of("virtual/whole", "refused/outside", "external/one");
        try (ChunkStore store = Stores.open(file)) {
            for (String name : names) {
                String message = String.valueOf(assertThrows(StoreException.class, () -> store.openReader(name))
                        .getMessage());
                assertTrue(message.contains("--follow-links") && message.contains(file.toString()), message);
            }
        }
        try (ChunkStore store = Stores.openFollowingLinks(file);
                ChunkStore again =
                        new StoresByUri().open(store.descriptor().orElseThrow()).orElseThrow()) {
            for (String name : names) {
                for (ChunkStore each : List.of(store, again)) {
                    try (ArrayReader reader = each.openReader(name);
                            ArrayReader expected = store.openReader(
                                    "expected/" + (name.startsWith("external") ? "external one" : "whole"))) {
                        assertArrayEquals(Data.readAll(expected), Data.readAll(reader));
                    }
                }
            }
        }
    }

    @Test
    void damagedSourcesAreNamed() throws IOException {
        Path file = copy().resolve("virtual.h5");
        Path source = file.resolveSibling("virtual_a.h5");
        byte[] whole = Files.readAllBytes(source);
        Files.write(source, Arrays.copyOf(whole, whole.length - 1));
        try (ChunkStore store = Hdf5.open(file)) {
            String message = String.valueOf(assertThrows(StoreException.class, () -> store.openReader("virtual/whole"))
                    .getMessage());
            assertTrue(message.contains(source + " is cut off"), message);
        }
        Files.write(source, new byte[0]);
        try (ChunkStore store = Hdf5.open(file)) {
            assertThrows(StoreException.class, () -> store.openReader("virtual/whole"));
        }
    }

    @Test
    void placesAreThoseOfAllFiles() throws IOException {
        try (ChunkStore store = open()) {
            DataPlace source = DataPlace.ofFile(directory.resolve("virtual_a.h5"));
            assertTrue(store.places("virtual/whole").contains(source));
            assertTrue(store.places("external/one").contains(DataPlace.ofFile(directory.resolve("virtual_raw.bin"))));
            assertEquals(1, store.places("expected/whole").size());
            assertTrue(store.places("virtual").contains(source));
            List<DataPlace> all = store.places("");
            assertTrue(all.contains(source) && all.contains(DataPlace.ofFile(directory.resolve("virtual_raw.bin"))));
            assertEquals(1, store.places("expected").size());
        }
    }

    @Test
    void sourceFileIsNotReplacedByACopyOfItsGroup() throws IOException {
        try (ChunkStore source = open();
                ChunkStore target = Hdf5.create(directory.resolve("virtual_a.h5"))) {
            StoreException refused = assertThrows(
                    StoreException.class,
                    () -> Rechunker.from(source.at("virtual"))
                            .to(target)
                            .chunks("keep")
                            .maxMem("16MB")
                            .overwrite()
                            .plan());
            assertTrue(refused.toString().contains("are the same place"), refused.toString());
        }
    }

    @Test
    void copiesStayInTheBound() throws IOException, InterruptedException {
        for (String name : List.of("tiles", "strided", "numbered with gaps", "nested", "holes", "missing file")) {
            Path copied = temporary.resolve(name + ".zarr");
            try (ChunkStore source = open();
                    ChunkStore target = Zarr.create(copied);
                    ArrayReader reader = source.openReader("virtual/" + name)) {
                Plan plan = Rechunker.from(source.at("virtual/" + name))
                        .to(target)
                        .chunks("...=4")
                        .maxMem("16MB")
                        .plan();
                Report report = plan.execute();
                assertTrue(report.measuredMemory() <= report.projectedMemory(), report.toString());
                assertEquals(
                        name.equals("missing file") ? 1 : 0,
                        report.losses().stream()
                                .filter(loss -> loss.toString().contains("do not exist"))
                                .count());
                byte[] expected = Data.readAll(reader);
                try (ArrayReader copy = target.openReader("")) {
                    assertArrayEquals(expected, Data.readAll(copy), name);
                }
            }
        }
    }
}
