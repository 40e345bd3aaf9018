package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.Loss;
import dev.rechunker.run.Report;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import dev.rechunker.testing.Data;
import dev.rechunker.testing.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A copy is refused if source and target are the same place, or one contains the other, in any formats. */
class ApartTest {
    @TempDir
    Path directory = Path.of("");

    private final MemoryStore memory = new MemoryStore();

    @BeforeEach
    void write() throws IOException, InterruptedException {
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(6, 4), Shape.of(3, 4)), DataType.INT32)
                .fillValue(FillValue.zero(4))
                .build();
        Data.of(spec).write(memory, "");
        for (String place :
                new String[] {"s.zarr#", "g.zarr#sub", "round.zarr#sub/inner", "s.n5#", "s.zarr/x.n5#", "s.h5#data"}) {
            copy(memory.at(""), create(place));
        }
        Files.createDirectory(directory.resolve("s.n5/3"));
        Files.copy(directory.resolve("s.h5"), directory.resolve("s.n5/3/7"));
        Files.createSymbolicLink(directory.resolve("chunk.h5"), directory.resolve("s.n5/3/7"));
        Files.createSymbolicLink(directory.resolve("link.zarr"), directory.resolve("s.zarr"));
        Files.createSymbolicLink(directory.resolve("sub.zarr"), directory.resolve("g.zarr/sub"));
        Files.createSymbolicLink(directory.resolve("g.zarr/link"), directory.resolve("g.zarr/sub"));
    }

    private static void copy(StoreLocation from, StoreLocation to) throws IOException, InterruptedException {
        Rechunker.from(from).to(to).chunks(2, 2).maxMem("5MB").overwrite().execute();
        to.store().close();
    }

    private Path file(String place) {
        return directory.resolve(place.substring(0, place.indexOf('#')));
    }

    private static String node(String place) {
        return place.substring(place.indexOf('#') + 1);
    }

    private StoreLocation create(String place) {
        Path file = file(place);
        ChunkStore store = switch (place.substring(place.lastIndexOf('.'), place.indexOf('#'))) {
            case ".h5" -> Hdf5.create(file);
            case ".n5" -> N5.create(file);
            default -> Zarr.create(file);
        };
        return store.at(node(place));
    }

    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        FileTrees.files(directory)
                .forEach((name, bytes) -> contents.put(name, HexFormat.of().formatHex(bytes)));
        return contents;
    }

    @ParameterizedTest
    @CsvSource({
        "s.n5/3/7#data, s.n5#",
        "chunk.h5#data, s.n5#",
        "s.n5#, s.n5/inner.zarr#",
        "s.n5#, s.n5/3/7.h5#data",
        "s.zarr#, s.zarr/y.n5#",
        "s.zarr#, s.zarr/y.h5#data",
        "link.zarr#, s.zarr/y.h5#data",
        "s.zarr#, link.zarr/y.n5#",
        "s.zarr#, g.zarr/../link.zarr/../s.zarr/y.n5#",
        "g.zarr#, g.zarr/sub/y.n5#",
        "g.zarr#sub, g.zarr/sub/y.n5#",
        "g.zarr#link, g.zarr#sub",
        "g.zarr#sub, g.zarr#link/y",
        "sub.zarr#, g.zarr/sub/y.n5#",
        "s.zarr/x.n5#, s.zarr#",
        "s.zarr/x.n5#, link.zarr#",
        "s.h5#data, s.h5#other"
    })
    void aPlaceInsideTheOtherIsRefused(String from, String to) throws IOException {
        Map<String, String> before = contents();
        try (ChunkStore source = Stores.open(file(from))) {
            StoreException refused = assertThrows(StoreException.class, () -> copy(source.at(node(from)), create(to)));
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .startsWith("source and target are the same place, or one is inside the other: "),
                    refused.getMessage());
        }
        assertEquals(before, contents());
    }

    /** Links to a group above make a tree without an end. */
    @Test
    void groupsThatLinksLeadBackToAreLeftOut() throws IOException, InterruptedException {
        for (String link : new String[] {"up", "again", "sub/up"}) {
            Files.createSymbolicLink(directory.resolve("round.zarr").resolve(link), directory.resolve("round.zarr"));
        }
        try (ChunkStore source = Zarr.open(directory.resolve("round.zarr"));
                ChunkStore target = new MemoryStore()) {
            Report report =
                    Rechunker.from(source).to(target).chunks(3, 2).maxMem("5MB").execute();
            assertEquals(List.of("sub"), target.children(""));
            assertEquals(List.of("inner"), target.children("sub"));
            assertEquals(3, Loss.sentences(report.losses()).size(), Loss.sentences(report.losses())::toString);
            assertTrue(Loss.sentences(report.losses()).get(0).endsWith("leads back to a group above it"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "s.n5/3/7#data, s.n5/3/8.h5#data",
        "s.zarr#, s.zarr2.zarr#",
        "s.zarr/x.n5#, s.zarr/x.n5.zarr#",
        "g.zarr#sub, g.zarr/sub2.n5#",
        "g.zarr#sub, g.zarr#sub2",
        "sub.zarr#, g.zarr/beside.h5#data"
    })
    void placesNextToEachOtherAreAccepted(String from, String to) throws IOException, InterruptedException {
        try (ChunkStore source = Stores.open(file(from))) {
            copy(source.at(node(from)), create(to));
        }
        try (ChunkStore copied = Stores.open(file(to))) {
            assertTrue(copied.node(node(to)).isPresent());
        }
    }
}
