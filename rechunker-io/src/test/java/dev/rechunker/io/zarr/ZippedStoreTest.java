package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Zarr that is written to zip files. */
class ZippedStoreTest {
    @TempDir
    Path temporary;

    private Path source = Path.of("");

    @BeforeEach
    void writeSource() throws Exception {
        source = temporary.resolve("source.zarr");
        ChunkGrid chunks = ChunkGrid.regular(Shape.of(40, 64, 64), Shape.of(10, 32, 32));
        ArraySpec spec = ArraySpec.builder(chunks, DataType.UINT16)
                .dimensionNames(List.of("z", "y", "x"))
                .build();
        copy(RampSource.of(spec), Zarr.create(source));
    }

    private static void copy(ChunkStore from, ChunkStore to) throws Exception {
        try (from;
                to) {
            Rechunker.from(from)
                    .to(to)
                    .chunks(16, 16, 32)
                    .maxMem("32MB")
                    .verify()
                    .execute();
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> entries(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return zip.stream().map(ZipEntry::getName).toList();
        }
    }

    @Test
    void bothVersionsAreReadBack() throws Exception {
        for (ZarrFormat format : ZarrFormat.values()) {
            Path file = temporary.resolve(format + ".zip");
            copy(Zarr.open(source), Zarr.createZip(file, format));
            copy(Stores.open(file), Zarr.create(temporary.resolve(format + ".zarr")));
            assertEquals(
                    format == ZarrFormat.V2 ? ".zarray" : "zarr.json",
                    entries(file).get(0));
        }
        assertEquals(List.of("V2.zarr", "V2.zip", "V3.zarr", "V3.zip", "source.zarr"), names());
    }

    @Test
    void aFinishedFileIsReplacedAsAWholeOrNotAtAll() throws Exception {
        Path file = temporary.resolve("a.zarr.zip");
        copy(Zarr.open(source), Stores.create(file));
        byte[] before = Files.readAllBytes(file);
        try (ChunkStore from = Zarr.open(source);
                ChunkStore to = Stores.create(file)) {
            Rechunker.Job job = Rechunker.from(from).to(to).chunks(40, 64, 64).maxMem("32MB");
            assertThrows(RefusedException.class, job::execute);
            RefusedException other = assertThrows(
                    RefusedException.class,
                    () -> Rechunker.from(from)
                            .to(to.at("other"))
                            .chunks(40, 64, 64)
                            .maxMem("32MB")
                            .execute());
            assertTrue(
                    String.valueOf(other.getMessage()).contains("nothing can be added to a zip file"), other::toString);
            assertEquals(before.length, Files.size(file));
            job.overwrite().verify().execute();
        }
        assertEquals(List.of("zarr.json", "c/0/0/0"), entries(file));
        assertEquals(List.of("a.zarr.zip", "source.zarr"), names());
    }

    @Test
    void aFailedCopyLeavesTheFileThatExists() throws Exception {
        Path file = temporary.resolve("a.zarr.zip");
        copy(Zarr.open(source), Stores.create(file));
        long size = Files.size(file);
        Path damaged = temporary.resolve("damaged.zarr");
        copy(Zarr.open(source), Zarr.create(damaged));
        Files.write(damaged.resolve("c/1/1/1"), new byte[3]);
        try (ChunkStore from = Zarr.open(damaged);
                ChunkStore to = Stores.create(file)) {
            Rechunker.Job job = Rechunker.from(from)
                    .to(to)
                    .chunks(40, 64, 64)
                    .maxMem("32MB")
                    .overwrite();
            assertThrows(IOException.class, job::execute);
        }
        assertEquals(size, Files.size(file));
        assertEquals(1 + 3 * 4 * 2, entries(file).size());
    }

    @Test
    void levelsAreInOzx() throws Exception {
        Path file = temporary.resolve("a.ozx");
        try (ChunkStore from = Zarr.open(source);
                ChunkStore to = OmeZarr.createZip(file)) {
            Rechunker.from(from)
                    .to(to)
                    .chunks(16, 16, 32)
                    .maxMem("32MB")
                    .levels(Levels.auto().count(3))
                    .verify()
                    .execute();
        }
        assertEquals(
                List.of("zarr.json", "0/zarr.json", "1/zarr.json", "2/zarr.json", "0/c/0/0/0"),
                entries(file).subList(0, 5));
        String comment = "{\"ome\":{\"version\":\"0.5\",\"zipFile\":{\"centralDirectory\":{\"jsonFirst\":true}}}}";
        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertEquals(comment, zip.getComment());
        }
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length - comment.length() - 22;
        assertEquals("PK\6\7", new String(bytes, end - 20, 4, StandardCharsets.ISO_8859_1), "the locator of zip64");
    }

    @Test
    void ozxIsAnImageAtItsRoot() throws Exception {
        Path file = temporary.resolve("a.ozx");
        try (ChunkStore from = Zarr.open(source);
                ChunkStore to = Zarr.createZip(file)) {
            Rechunker.Job job = Rechunker.from(from).to(to).chunks(40, 64, 64).maxMem("32MB");
            String message = String.valueOf(
                    assertThrows(RefusedException.class, job::execute).getMessage());
            assertTrue(message.contains("would not be OME-Zarr 0.5 at its root"), message);
        }
        assertFalse(Files.exists(file));
    }

    @Test
    void zipFilesAreNotWrittenElsewhere() {
        String message =
                String.valueOf(assertThrows(StoreException.class, () -> Stores.create("s3://bucket/a.zarr.zip"))
                        .getMessage());
        assertTrue(message.startsWith("zip files are written on this machine only"), message);
        assertThrows(
                StoreException.class,
                () -> Stores.format("n5")
                        .orElseThrow()
                        .create(temporary.resolve("a.zip").toString()));
    }
}
