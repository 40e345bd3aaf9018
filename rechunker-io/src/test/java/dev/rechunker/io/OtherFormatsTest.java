package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.WebServer;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A file or directory that is not a store is refused with what it is, and with what to do. */
class OtherFormatsTest {
    /** The first bytes of files, as ISO 8859-1, and parts of the message. */
    private static final Map<String, List<String>> FILES = new TreeMap<>(Map.ofEntries(
            Map.entry("noending", List.of("\16\3\23\1\0\0", "HDF4", "h4toh5convert")),
            Map.entry("a.grb", List.of("GRIB\0\0\0\2", "GRIB", "cdo -f nc4 copy")),
            Map.entry("a.hdf", List.of("\16\3\23\1\0\0", "HDF4", "h4toh5convert")),
            Map.entry("a.npy", List.of("\u0093NUMPY\1\0", "NumPy", "numpy.load('in.npy'")),
            Map.entry("a.gz", List.of("\u001f\u008b\10\0", "gzip", "gunzip")),
            Map.entry("a.tar", List.of(" ".repeat(257) + "ustar\0", "tar archive", "tar -xf")),
            Map.entry("a.png", List.of("\u0089PNG\r\n\32\n", "PNG", "bioformats2raw")),
            Map.entry("a.jpg", List.of("\u00ff\u00d8\u00ff\u00e0", "JPEG", "bioformats2raw")),
            Map.entry("a.mat", List.of("MATLAB 5.0 MAT-file, Platform", "MATLAB", "-v7.3")),
            Map.entry("p.json", List.of("{\"a\": 1}", "JSON", "name the directory")),
            Map.entry("a.html", List.of("\n<!DOCTYPE html><html>", "web page", "the address of the data")),
            Map.entry("lfs.h5", List.of("version https://git-lfs.github.com/spec/v1\n", "Git LFS", "git lfs pull")),
            Map.entry("notes.txt", List.of("hello\n", "it is a text", "the signature of HDF5")),
            Map.entry("empty.nc", List.of("", "it is empty", "the signature of HDF5"))));

    @TempDir
    Path directory = Path.of("");

    private static byte[] bytes(String name) {
        return FILES.getOrDefault(name, List.of()).get(0).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void assertRefused(Executable opening, List<String> parts) {
        String message =
                String.valueOf(assertThrows(StoreException.class, opening).getMessage());
        assertTrue(message.contains(" is not a store: "), message);
        parts.forEach(part -> assertTrue(message.contains(part), () -> part + " is not in: " + message));
    }

    private static List<String> parts(String name) {
        List<String> row = FILES.getOrDefault(name, List.of());
        return row.subList(1, row.size());
    }

    @Test
    void filesOnThisMachine() throws IOException {
        for (String name : FILES.keySet()) {
            Path file = Files.write(directory.resolve(name), bytes(name));
            assertRefused(() -> Stores.open(file), parts(name));
        }
    }

    @Test
    void filesOnAWebServer() throws Exception {
        try (WebServer web = new WebServer()) {
            for (String name : FILES.keySet()) {
                web.put("/in/" + name, bytes(name));
                assertRefused(() -> Stores.open(web.address() + "/in/" + name), parts(name));
            }
            web.put("/a.zip", "PK\3\4".getBytes(StandardCharsets.ISO_8859_1));
            assertRefused(() -> Stores.open(web.address() + "/a.zip"), List.of("zip", "download it"));
        }
    }

    @Test
    void filesInABucket() throws Exception {
        try (S3Server server = S3Server.startUnsigned()) {
            String bucket = server.bucket();
            String settings = "?endpoint=" + server.address() + "&anonymous=true";
            try (KeyStore keys = server.keys(bucket, "")) {
                for (String name : FILES.keySet()) {
                    keys.put("in/" + name, ByteBuffer.wrap(bytes(name)));
                    assertRefused(() -> Stores.open("s3://" + bucket + "/in/" + name + settings), parts(name));
                }
            }
            assertRefused(
                    () -> Stores.open("s3://" + bucket + "/in" + settings),
                    List.of("a directory of files such as a.hdf", "name one of them"));
        }
    }

    @Test
    void documentsOfAStore() throws IOException {
        Path document = Files.writeString(directory.resolve("zarr.json"), "{\"zarr_format\": 3}");
        assertRefused(() -> Stores.open(document), List.of("the document zarr.json", "the directory that contains it"));
    }

    @Test
    void zipFilesWithoutAStore() throws IOException {
        assertRefused(() -> Stores.open(zip("a.npz", "x.npy", "y.npy")), List.of("NumPy", "**numpy.load('in.npz')"));
        assertRefused(() -> Stores.open(zip("b.zip", "readme", "in/x.nc")), List.of("unpack it", "such as in/x.nc"));
        assertRefused(() -> Stores.open(zip("c.zip", "readme")), List.of("a zip file without a store", "zarr.json"));
    }

    private Path zip(String name, String... entries) throws IOException {
        Path file = directory.resolve(name);
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                zip.closeEntry();
            }
        }
        return file;
    }

    @Test
    void directoriesWithoutAStore() throws IOException {
        assertRefused(() -> Stores.open(directory("empty")), List.of("it is empty", "zarr.json"));
        Path files = directory("files");
        Files.writeString(files.resolve("readme.txt"), "hello");
        Files.write(files.resolve("x.grb"), bytes("a.grb"));
        assertRefused(() -> Stores.open(files), List.of("x.grb", "a GRIB file", "cdo -f nc4 copy"));
        Files.createFile(files.resolve("day1.nc"));
        assertRefused(() -> Stores.open(files), List.of("day1.nc", "name one of them", "*.nc"));
        Path ice = directory("ice");
        Arrays.asList("manifests", "snapshots")
                .forEach(name -> assertTrue(ice.resolve(name).toFile().mkdir()));
        assertRefused(() -> Stores.open(ice), List.of("Icechunk", "to_zarr('out.zarr')"));
        Path other = directory("other");
        Files.writeString(other.resolve("readme.txt"), "hello");
        assertRefused(() -> Stores.open(other), List.of("zarr.json"));
    }

    /** The metadata look like those of Zarr, but without its chunks every array would seem to be empty. */
    @Test
    void referencesOfKerchunkInParquet() throws IOException {
        Path references = directory("references.parq");
        Files.createDirectories(references.resolve("air"));
        Files.writeString(references.resolve("air/refs.0.parq"), "PAR1");
        Files.writeString(
                references.resolve(".zmetadata"),
                "{\"metadata\": {\".zgroup\": {\"zarr_format\": 2}, \"air/.zarray\": {\"chunks\": [2],"
                        + " \"compressor\": null, \"dtype\": \"<f8\", \"fill_value\": 0, \"filters\": null, \"order\":"
                        + " \"C\", \"shape\": [4], \"zarr_format\": 2}}, \"record_size\": 1000}");
        try (ChunkStore store = Stores.open(references)) {
            for (String path : List.of("", "air")) {
                StoreException refused = assertThrows(StoreException.class, () -> store.node(path));
                assertTrue(String.valueOf(refused.getMessage()).contains("kerchunk"), refused.getMessage());
            }
        }
    }

    private Path directory(String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }
}
