package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.testing.Cases;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * zarr-python, and an independent reader in a few lines of Python, read files that we write; and we read files that
 * zarr-python writes. Every element is compared.
 */
@ReferenceTest
class N5ReferenceTest {
    @TempDir
    Path temporary;

    private void python(String command, Path container) throws IOException, InterruptedException {
        String dumps = temporary.resolve("dumps").toString();
        ReferencePrograms.python(temporary, "n5/reference_n5.py", command, container.toString(), dumps);
    }

    /** {@return the elements that the reference implementation read, big-endian and in C order} */
    private byte[] dump(String path) throws IOException {
        return Files.readAllBytes(temporary.resolve("dumps").resolve(path.replace('/', '~') + ".bin"));
    }

    private static byte[] read(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return Data.readAll(reader);
        }
    }

    /** {@return the elements of arrays with all types and codecs and many shapes, which are written to a container} */
    private static Map<String, byte[]> write(Path container, boolean lz4) throws IOException {
        Map<String, byte[]> expected = new TreeMap<>();
        ChunkStore store = N5.create(container);
        List<ArraySpec> specs = new ArrayList<>();
        for (DataType type : N5Specs.TYPES) {
            specs.add(N5Specs.cube(type).codecs(CodecSpec.parse("gzip")).build());
        }
        for (List<CodecSpec> codecs : N5Specs.codecs()) {
            specs.add(N5Specs.cube(DataType.UINT16).codecs(codecs).build());
        }
        specs.add(N5Specs.spec(DataType.INT32, new long[] {40, 30, 50}, 40, 30, 50)
                .codecs(CodecSpec.parse("lz4block:blocksize=4096"))
                .build());
        for (long seed = 0; seed < 40; seed++) {
            ArraySpec spec = N5Specs.random(Cases.of(seed));
            if (!spec.shape().isEmpty()) {
                specs.add(spec);
            }
        }
        for (ArraySpec spec : specs) {
            String codecs = spec.codecs().toString();
            if (!codecs.contains("snappy") && (lz4 || !codecs.contains("lz4block"))) {
                Data data = N5Specs.ramp(store.resolve(spec));
                String path = "g/a" + expected.size();
                data.write(store, path, unit -> unit % 5 != 3);
                expected.put(path, read(store, path));
            }
        }
        store.writeGroup("g", Map.of("title", "caf\u00e9"));
        return expected;
    }

    @Test
    void zarrPythonReadsOurFiles() throws Exception {
        Path container = temporary.resolve("ours.n5");
        Map<String, byte[]> expected = write(container, false);
        python("read", container);
        for (Map.Entry<String, byte[]> array : expected.entrySet()) {
            assertArrayEquals(array.getValue(), dump(array.getKey()), array.getKey());
        }
        assertTrue(expected.size() > 40);
    }

    @Test
    void anIndependentReaderReadsOurFiles() throws Exception {
        Path container = temporary.resolve("ours.n5");
        Map<String, byte[]> expected = write(container, true);
        python("plain", container);
        for (Map.Entry<String, byte[]> array : expected.entrySet()) {
            assertArrayEquals(array.getValue(), dump(array.getKey()), array.getKey());
        }
        assertTrue(expected.size() > 40);
    }

    @Test
    void filesOfZarrPythonAreRead() throws Exception {
        Path container = temporary.resolve("python.n5");
        python("write", container);
        ChunkStore store = N5.open(container);
        List<String> arrays = store.children("g");
        for (String name : arrays) {
            assertArrayEquals(dump("g/" + name), read(store, "g/" + name), name);
            assertEquals(
                    Map.of("units", "nm"), N5Specs.found(store, "g/" + name).attributes());
        }
        assertTrue(arrays.size() > 30, "only " + arrays);
        assertEquals(Map.of("title", "caf\u00e9"), ((GroupNode) store.node("g").orElseThrow()).attributes());
    }
}
