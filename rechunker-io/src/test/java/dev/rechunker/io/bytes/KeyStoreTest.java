package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What directories and zip files promise in addition to the contract. */
class KeyStoreTest {
    @TempDir
    Path temporary;

    private static byte[] read(KeyStore store, String key) throws IOException {
        try (ByteSource source = store.open(key).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(0, bytes);
            return bytes.array();
        }
    }

    private static long files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).count();
        }
    }

    @Test
    void directoriesOfRunsAreHidden() throws IOException {
        Path root = Files.createDirectories(temporary.resolve("root"));
        Files.createDirectories(root.resolve("new/.rechunker-run"));
        Files.createDirectories(root.resolve("old/.rechunker-run"));
        Files.createDirectories(root.resolve("old/array"));
        Files.createDirectories(root.resolve("empty"));
        KeyStore store = new DirectoryKeys(root);
        assertEquals(List.of("empty", "old"), store.list("").directories(), "new contains only files of a run");
        assertEquals(List.of("array"), store.list("old").directories());
        assertEquals(List.of(), store.list("new").directories());
    }

    @Test
    void linksOutOfTheStoreAreRefused() throws IOException {
        Path root = Files.createDirectories(temporary.resolve("root"));
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "x");
        Files.createSymbolicLink(root.resolve("out"), outside);
        Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret"));
        Files.writeString(root.resolve("value"), "v");
        Files.createSymbolicLink(root.resolve("inside"), root.resolve("value"));
        KeyStore store = new DirectoryKeys(root);
        assertThrows(StoreException.class, () -> store.open("out/secret"));
        assertThrows(StoreException.class, () -> store.open("file"));
        assertThrows(StoreException.class, () -> store.list("out"));
        assertThrows(StoreException.class, () -> store.put("out/new", ByteBuffer.allocate(1)));
        assertThrows(StoreException.class, () -> store.put("out/deep/new", ByteBuffer.allocate(1)));
        assertThrows(StoreException.class, () -> store.delete("out/secret"));
        assertThrows(StoreException.class, () -> store.deleteTree("out/secret"));
        assertThrows(StoreException.class, () -> store.deleteBelow("out", name -> true));
        assertEquals(1, read(store, "inside").length);
        store.deleteTree("out");
        assertTrue(Files.exists(outside.resolve("secret")));
        assertFalse(Files.exists(outside.resolve("new")));
        assertFalse(Files.exists(root.resolve("out")));
    }

    /** Files of a process on another machine are not deleted as if that process had ended. */
    @Test
    void onlyFilesOfEndedProcessesAreDeleted() throws IOException {
        Path root = temporary.resolve("d");
        KeyStore store = new DirectoryKeys(root);
        try (ByteSink living = store.create("a/k", 1, Scratch.allocate(0))) {
            living.write(0, ByteBuffer.allocate(1));
            String name;
            try (Stream<Path> files = Files.list(root.resolve("a"))) {
                name = String.valueOf(files.findAny().orElseThrow().getFileName());
            }
            String dead = name.replace("-" + ProcessHandle.current().pid() + "-", "-" + (1L << 40) + "-");
            String elsewhere = dead.replace(Keys.TEMPORARY, Keys.TEMPORARY + "0");
            for (String other : List.of(dead, elsewhere, Keys.TEMPORARY + "unit-0-0-0", Keys.TEMPORARY + "units")) {
                Files.createFile(root.resolve("a").resolve(other));
            }
            store.deleteAbandoned("");
            assertEquals(4, files(root));
            assertFalse(Files.exists(root.resolve("a").resolve(dead)));
            store.deleteUncommitted("");
            assertEquals(1, files(root));
            living.commit();
        }
        assertEquals(1, read(store, "a/k").length);
        store.deleteUncommitted("");
        assertEquals(1, read(store, "a/k").length);
    }

    @Test
    void deletingRemovesUncommittedFiles() throws IOException {
        Path root = temporary.resolve("d");
        KeyStore store = new DirectoryKeys(root);
        try (ByteSink sink = store.create("a/k", 1, Scratch.allocate(0))) {
            sink.write(0, ByteBuffer.allocate(1));
        }
        assertEquals(0, files(root));
        for (String key : List.of("a/c/0/0", "a/c/0/1", "a/keep", "ab/x")) {
            store.put(key, ByteBuffer.allocate(1));
        }
        Files.writeString(root.resolve("a").resolve(Keys.TEMPORARY + "1"), "left");
        store.put("a/c/0/notes", ByteBuffer.allocate(1));
        store.put("a/c/mine/0", ByteBuffer.allocate(1));
        store.deleteBelow("a", name -> name.matches("c|[0-9]+"));
        assertEquals(new Listing(List.of("keep"), List.of("c")), store.list("a"));
        assertEquals(new Listing(List.of("notes"), List.of()), store.list("a/c/0"));
        assertEquals(new Listing(List.of("0"), List.of()), store.list("a/c/mine"));
        store.delete("a/c/0/notes");
        store.delete("a/c/mine/0");
        store.deleteBelow("a", name -> name.matches("c|mine|[0-9]+"));
        assertEquals(new Listing(List.of("keep"), List.of()), store.list("a"));
        assertEquals(2, files(root));
    }

    @Test
    void otherFilesThanZipFilesAreRefused() throws IOException {
        Path file = Files.writeString(temporary.resolve("x.zip"), "no");
        assertThrows(StoreException.class, () -> ZipKeys.open(file));
    }

    @Test
    void pipesAndDevicesAreNotOpened() throws IOException {
        KeyStore devices = new DirectoryKeys(Path.of("/dev"));
        if (Files.exists(Path.of("/dev/zero"))) {
            StoreException e = assertThrows(StoreException.class, () -> devices.open("zero"));
            assertTrue(String.valueOf(e.getMessage()).contains("/dev/zero"));
        }
    }

    /**
     * The header of an entry gives its position; the directory at the end of the file gives its length and checksum.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void zipEntriesMustMatchTheirDirectory(boolean stored) throws IOException {
        byte[] value = new byte[1000];
        new Random(2).nextBytes(value);
        byte[] zip = zip("k", value, stored);
        ByteBuffer bytes = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
        int directory = bytes.getInt(zip.length - 6);
        assertArrayEquals(value, readZip(zip));
        for (int change : new int[] {directory + 16, directory + 24, directory + 20, directory + 42}) {
            int honest = bytes.getInt(change);
            for (int lie : new int[] {honest - 1, honest + 1, honest + 100_000}) {
                bytes.putInt(change, lie);
                try {
                    assertArrayEquals(value, readZip(zip));
                    assertTrue(!stored && change == directory + 20 && lie > honest, "the rest is not needed");
                } catch (StoreException e) {
                    assertTrue(String.valueOf(e.getMessage()).contains("lie.zip"), e::toString);
                }
            }
            bytes.putInt(change, honest);
        }
        bytes.put(600, (byte) (bytes.get(600) + 1));
        assertThrows(StoreException.class, () -> readZip(zip));
    }

    private static byte[] zip(String name, byte[] value, boolean stored) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            ZipEntry entry = new ZipEntry(name);
            CRC32 sum = new CRC32();
            sum.update(value);
            entry.setMethod(stored ? ZipEntry.STORED : ZipEntry.DEFLATED);
            entry.setSize(value.length);
            entry.setCrc(sum.getValue());
            out.putNextEntry(entry);
            out.write(value);
        }
        return bytes.toByteArray();
    }

    private byte[] readZip(byte[] zip) throws IOException {
        try (KeyStore store = ZipKeys.open(Files.write(temporary.resolve("lie.zip"), zip))) {
            return read(store, "k");
        }
    }

    /** Names by which a zip file would write outside of the directory that it is unpacked to. */
    @ParameterizedTest
    @ValueSource(strings = {"../x", "/x", "a/../../x", "a\\x", "a//x"})
    void zipEntriesWithHostileNamesAreNotListed(String name) throws IOException {
        Path file = Files.write(temporary.resolve("lie.zip"), zip(name, new byte[1], true));
        try (KeyStore store = ZipKeys.open(file)) {
            assertThrows(StoreException.class, () -> store.open(name));
        }
        try (ChunkStore store = Zarr.open(file)) {
            for (String child : store.children("")) {
                if (!child.matches("\\w+")) {
                    assertThrows(StoreException.class, () -> store.node(child), child);
                }
            }
        }
    }

    /** A directory that was packed while a run was writing there, or after it was killed. */
    @ParameterizedTest
    @ValueSource(strings = {".rechunker-run/journal", ".rechunker-tmp-1", ".rechunker-tmp-2/x"})
    void filesOfRunsAreNotListed(String name) throws IOException {
        Path file = Files.write(temporary.resolve("packed.zip"), zip(name, new byte[1], true));
        try (KeyStore store = ZipKeys.open(file)) {
            assertTrue(store.list("").isEmpty());
        }
    }

    /** The JDK keeps the list of entries as long as the file is open, and a piece of each entry that is inflated. */
    @Test
    void memoryOfAZipFileIsDeclaredByItsReaders() throws IOException {
        ArraySpec.Builder spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(60, 4), Shape.of(1, 2)), DataType.INT32);
        Path zarr = temporary.resolve("zarr");
        try (ChunkStore store = Zarr.create(zarr)) {
            Data.of(spec.build()).write(store, "raw");
            Data.of(spec.codecs(CodecSpec.parse("zstd")).build()).write(store, "encoded");
            Data.of(spec.codecs(CodecSpec.parse("blosc")).build()).write(store, "streams");
            spec.shards(ChunkGrid.regular(Shape.of(60, 4), Shape.of(2, 2)));
            Data.of(spec.build()).write(store, "shards");
        }
        Path n5 = temporary.resolve("n5");
        try (ChunkStore store = N5.create(n5)) {
            Data.of(spec.shards(null).codecs(List.of()).build()).write(store, "blocks");
        }
        requireHeld(zarr, Zarr::open);
        requireHeld(n5, N5::open);
    }

    private interface Open {
        ChunkStore at(Path path) throws IOException;
    }

    private void requireHeld(Path directory, Open open) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes);
                Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
                out.write(Files.readAllBytes(file));
            }
        }
        byte[] zip = bytes.toByteArray();
        int end = zip.length - 22;
        int list = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN).getInt(end + 12);
        assertTrue(list > 46 * 30, "size of the list: " + list);
        try (ChunkStore store = open.at(Files.write(temporary.resolve("held.zip"), zip))) {
            for (String name : store.children("")) {
                try (ArrayReader reader = store.openReader(name)) {
                    assertTrue(reader.traits().heldBytes() >= list, () -> name + ": " + reader.traits());
                    assertTrue(reader.traits().nativeBytes() >= (64 + 32) << 10, () -> name + ": " + reader.traits());
                }
            }
        }
    }
}
