package dev.rechunker.io.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Zip files that are written. */
class ZippedKeysTest {
    private static final List<String> DOCUMENTS = List.of("zarr.json", "a/zarr.json");

    @TempDir
    Path temporary;

    private static Map<String, byte[]> values() {
        Map<String, byte[]> values = new TreeMap<>();
        for (String key :
                List.of("zarr.json", "a/zarr.json", "a/c/0", "a/c/1/0", "b", "gr\u00fcn/\ud83d\ude00", "z/e")) {
            values.put(key, key.repeat(3).getBytes(StandardCharsets.UTF_8));
        }
        values.put("z/empty", new byte[0]);
        values.put("z/large", new byte[200_000]);
        Arrays.fill(values.get("z/large"), (byte) 7);
        return values;
    }

    private static void put(KeyStore keys, Map<String, byte[]> values) throws IOException {
        for (Map.Entry<String, byte[]> value : values.entrySet()) {
            keys.put(value.getKey(), ByteBuffer.wrap(value.getValue()));
        }
    }

    private Path packed(String name) throws IOException {
        Path file = temporary.resolve(name);
        try (AssembledKeys keys = AssembledKeys.zip(file)) {
            keys.begin();
            put(keys, values());
            keys.pack(DOCUMENTS, "{}", false);
        }
        assertFalse(Files.exists(temporary.resolve(name + ".part")));
        return file;
    }

    @Test
    void documentsAreFirstAndOtherEntriesSorted() throws IOException {
        Path file = packed("a.zip");
        try (ZipFile zip = new ZipFile(file.toFile())) {
            List<String> names = zip.stream().map(ZipEntry::getName).toList();
            assertEquals(
                    List.of(
                            "zarr.json",
                            "a/zarr.json",
                            "b",
                            "a/c/0",
                            "a/c/1/0",
                            "gr\u00fcn/\ud83d\ude00",
                            "z/e",
                            "z/empty",
                            "z/large"),
                    names);
            assertEquals("{}", zip.getComment());
            for (Map.Entry<String, byte[]> value : values().entrySet()) {
                ZipEntry entry = zip.getEntry(value.getKey());
                assertEquals(ZipEntry.STORED, entry.getMethod());
                assertArrayEquals(value.getValue(), zip.getInputStream(entry).readAllBytes());
            }
        }
    }

    @Test
    void equalValuesAreEqualFiles() throws IOException {
        assertEquals(-1, Files.mismatch(packed("a.zip"), packed("b.zip")));
    }

    /**
     * A process is killed after it has written any number of bytes, and deleted the files of any number of the entries
     * before; another one completes the same file.
     */
    @Test
    void aKilledAssemblyIsContinued() throws IOException {
        Path file = packed("a.zip");
        byte[] whole = Files.readAllBytes(file);
        List<Long> ends = new ArrayList<>();
        List<String> names = new ArrayList<>();
        try (var channel = FileChannel.open(file)) {
            for (var entry = ZipRecords.read(channel, 0); entry.isPresent(); ) {
                ends.add(entry.get().end());
                names.add(entry.get().name());
                entry = ZipRecords.read(channel, entry.get().end());
            }
        }
        assertEquals(values().size(), names.size());
        for (int cut = 0; cut <= whole.length; cut += cut < 1200 || cut > whole.length - 900 ? 23 : 40_000) {
            long length = cut;
            int complete = (int) ends.stream().filter(end -> end <= length).count();
            for (int deleted = DOCUMENTS.size(); deleted <= Math.max(complete, DOCUMENTS.size()); deleted++) {
                Path tree = temporary.resolve("tree-" + cut + "-" + deleted);
                put(new DirectoryKeys(tree), values());
                for (String name : names.subList(DOCUMENTS.size(), deleted)) {
                    Files.delete(tree.resolve(name));
                }
                Path part = temporary.resolve("part-" + cut + "-" + deleted);
                Files.write(part, Arrays.copyOf(whole, cut));
                try (ZipAssembly assembly = new ZipAssembly(tree, part, DOCUMENTS)) {
                    assembly.complete("{}".getBytes(StandardCharsets.UTF_8), false);
                }
                assertEquals(-1, Files.mismatch(file, part), "after " + cut + " bytes, " + deleted + " files deleted");
                Removal.deleteBelow(tree, name -> true);
                Files.delete(part);
            }
        }
    }

    /** Files of a directory are sorted in several passes if not all names may be held. */
    @Test
    void manyNamesAreSortedInPasses() throws IOException {
        Path tree = temporary.resolve("tree");
        Files.createDirectories(tree);
        int files = 12_000;
        for (int i = 0; i < files; i++) {
            Files.createFile(tree.resolve("chunk-with-a-rather-long-name-".repeat(4) + i));
        }
        Path zip = temporary.resolve("many.zip");
        try (ZipAssembly assembly = new ZipAssembly(tree, zip, List.of())) {
            assembly.complete(new byte[0], false);
        }
        try (ZipFile many = new ZipFile(zip.toFile())) {
            List<String> names = many.stream().map(ZipEntry::getName).toList();
            assertEquals(files, names.size());
            assertEquals(names.stream().sorted().toList(), names);
        }
    }

    @Test
    void largeEntriesAndPositionsAreInZip64() throws IOException {
        long large = 5L << 30;
        ByteBuffer local = ZipRecords.local("n", 1, large).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(45, local.getShort(4));
        assertEquals(-1, local.getInt(18));
        assertEquals(-1, local.getInt(22));
        assertEquals(large, local.getLong(31 + 4));
        assertEquals(large, local.getLong(31 + 12));
        ByteBuffer central =
                ZipRecords.central(new ZipRecords.Entry("n", 1, 3, large, 31)).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(3, central.getInt(20));
        assertEquals(-1, central.getInt(42));
        assertEquals(8, central.getShort(47 + 2));
        assertEquals(large, central.getLong(47 + 4));
        ByteBuffer end = ZipRecords.end(70_000, large, 9, new byte[0], false).order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(56 + 20 + 22, end.remaining());
        assertEquals(70_000, end.getLong(24));
        assertEquals(70_000, end.getLong(32));
        assertEquals(9, end.getLong(40));
        assertEquals(large, end.getLong(48));
        assertEquals(large + 9, end.getLong(56 + 8));
        assertEquals(-1, end.getShort(76 + 8));
        assertEquals(22, ZipRecords.end(3, 4, 5, new byte[0], false).remaining());
        assertEquals(98, ZipRecords.end(3, 4, 5, new byte[0], true).remaining());
    }

    @Test
    void otherFilesAndLinksAreNotReplaced() throws IOException {
        Path text = Files.writeString(temporary.resolve("a.zip"), "no zip file");
        assertThrows(StoreException.class, () -> AssembledKeys.zip(text).exists());
        Path link = Files.createSymbolicLink(temporary.resolve("b.zip"), packed("c.zip"));
        StoreException refused =
                assertThrows(StoreException.class, () -> AssembledKeys.zip(link).exists());
        assertTrue(refused.toString().contains("a link"), refused::toString);
        assertThrows(StoreException.class, () -> AssembledKeys.zip(temporary).exists());
    }

    @Test
    void whatIsNotFinishedIsDiscarded() throws IOException {
        Path file = temporary.resolve("a.zip");
        try (AssembledKeys keys = AssembledKeys.zip(file)) {
            keys.begin();
            put(keys, values());
            assertEquals(AssembledKeys.State.WRITING, keys.state());
        }
        try (var left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
    }
}
