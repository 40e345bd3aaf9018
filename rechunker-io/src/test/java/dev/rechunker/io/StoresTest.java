package dev.rechunker.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.s3.S3Server;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Formats are recognised by contents, and anything else is refused. */
class StoresTest {
    @TempDir
    Path directory = Path.of("");

    private static void write(ChunkStore created) throws IOException {
        try (created) {
            created.writeGroup("", Map.of("who", "root"));
            created.writeGroup("inner", Map.of("who", "inner"));
            created.finish(false);
        }
    }

    private static void assertOpens(String format, Path path) throws IOException {
        assertTrue(Stores.isStore(path), path.toString());
        try (ChunkStore store = Stores.open(path)) {
            assertEquals(format, store.identity().substring(0, store.identity().indexOf(' ')));
            assertTrue(store.node("").isPresent());
        }
    }

    private static String refusal(Path path) {
        return String.valueOf(
                assertThrows(StoreException.class, () -> Stores.open(path)).getMessage());
    }

    @Test
    void everyFormatIsRecognisedByItsContents() throws IOException {
        Path zarr2 = directory.resolve("a");
        Path zarr3 = directory.resolve("b.h5"); // names do not matter
        Path n5 = directory.resolve("c.zarr");
        Path hdf5 = directory.resolve("d.n5");
        write(Zarr.create(zarr2, ZarrFormat.V2));
        write(Zarr.create(zarr3, ZarrFormat.V3));
        write(N5.create(n5));
        write(Hdf5.create(hdf5));
        assertOpens("zarr", zarr2);
        assertOpens("zarr", zarr3);
        assertOpens("n5", n5);
        assertOpens("hdf5", hdf5);
    }

    @Test
    void documentsInSubdirectoriesAreRecognised() throws IOException {
        Path zarr = directory.resolve("outer");
        write(Zarr.create(zarr.resolve("in").resolve("side")));
        assertOpens("zarr", zarr);
        Path n5 = directory.resolve("outer2");
        Files.createDirectories(n5.resolve("in"));
        Files.writeString(
                n5.resolve("in").resolve("attributes.json"),
                "{\"dimensions\":[1],\"blockSize\":[1],\"dataType\":\"uint8\",\"compression\":{\"type\":\"raw\"}}");
        assertOpens("n5", n5);
    }

    @Test
    void zipFilesAreRecognisedByTheDocumentNearestToTheRoot() throws IOException {
        Path zarr = zip("a.zip", "attributes/zarr.json", ".zgroup", "x/attributes.json");
        try (ChunkStore store = Stores.open(zarr)) {
            assertTrue(store.identity().startsWith("zarr "), store.identity());
        }
        Path n5 = zip("b.zip", "attributes.json", "x/y/zarr.json");
        try (ChunkStore store = Stores.open(n5)) {
            assertTrue(store.identity().startsWith("n5 "), store.identity());
        }
    }

    private Path zip(String name, String... entries) throws IOException {
        Path file = directory.resolve(name);
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                zip.write("{\"zarr_format\":2}".getBytes(StandardCharsets.US_ASCII));
                zip.closeEntry();
            }
        }
        return file;
    }

    @Test
    void hdf5MayStartWithAUserBlock() throws IOException {
        Path file = directory.resolve("user-block");
        byte[] bytes = new byte[4096];
        System.arraycopy(new byte[] {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'}, 0, bytes, 2048, 8);
        Files.write(file, bytes);
        assertTrue(Stores.isStore(file));
        System.arraycopy(new byte[8], 0, bytes, 2048, 8);
        bytes[700] = (byte) 0x89;
        Files.write(file, bytes);
        assertFalse(Stores.isStore(file));
    }

    @Test
    void otherContentsAreRefusedWithWhatWasLookedFor() throws IOException {
        Path missing = directory.resolve("missing");
        assertTrue(refusal(missing).contains("missing does not exist"), refusal(missing));
        assertFalse(Stores.isStore(missing));
        String empty = refusal(Files.createDirectory(directory.resolve("empty")));
        assertTrue(empty.contains("zarr.json") && empty.contains("attributes.json (N5)"), empty);
        String text = refusal(Files.writeString(directory.resolve("note.txt"), "hello"));
        assertTrue(text.contains("note.txt is not a store") && text.contains("signature of HDF5"), text);
        assertTrue(refusal(zip("c.zip", "hello")).contains("zip file"));
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aPipeIsRefusedWithoutWaiting() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> assertTrue(refusal(pipe).contains("pipe is neither a file nor a directory, but a pipe")));
    }

    @Test
    void pathsOfOtherFileSystemsAreRefused() throws IOException {
        Path zip = directory.resolve("own.zip");
        try (FileSystem own = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
            Path inside = own.getPath("/a.zarr");
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Zarr.create(inside));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("by the path of the file itself"),
                    refused.getMessage());
        }
    }

    @Test
    void starsMatchNamesInABucket() throws Exception {
        try (S3Server server = S3Server.startUnsigned()) {
            String bucket = server.bucket();
            try (KeyStore keys = server.keys(bucket, "")) {
                for (String key : List.of(
                        "days/ssh-10.nc",
                        "days/ssh-2.nc",
                        "days/ssh-1.zarr/zarr.json",
                        "days/ssh",
                        "days/in/ssh-3.nc")) {
                    keys.put(key, ByteBuffer.allocate(1));
                }
                String days = "s3://" + bucket + "/days";
                String settings = "?endpoint=" + server.address() + "&anonymous=true";
                assertEquals(
                        List.of(
                                days + "/ssh-1.zarr" + settings,
                                days + "/ssh-2.nc" + settings,
                                days + "/ssh-10.nc" + settings),
                        Stores.matching(days + "/ssh-*" + settings));
                assertEquals(List.of(days + "/ssh-2.nc" + settings), Stores.matching(days + "/*2.nc" + settings));
                assertEquals(List.of(days + settings), Stores.matching("s3://" + bucket + "/*" + settings));
                assertRefused(days + "/s.h*" + settings, "matches \"s.h*\"");
                assertRefused("s3://" + bucket + "/*/ssh-2.nc" + settings, "in the last name of the URI");
                keys.put("days/what?.nc", ByteBuffer.allocate(1));
                assertRefused(days + "/what*" + settings, "\"what?.nc\"");
            }
            assertRefused("http://127.0.0.1:1/ssh-*.nc", "name the files one by one");
        }
    }

    private static void assertRefused(String pattern, String why) {
        StoreException refused = assertThrows(StoreException.class, () -> Stores.matching(pattern));
        assertTrue(String.valueOf(refused.getMessage()).contains(why), refused.getMessage());
    }
}
