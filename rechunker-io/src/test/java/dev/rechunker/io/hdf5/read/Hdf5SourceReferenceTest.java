package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What h5py and netCDF4-python write is read as they read it themselves. */
@ReferenceTest
class Hdf5SourceReferenceTest {
    @TempDir
    static Path directory;

    private static final Map<String, ChunkStore> STORES = new HashMap<>();

    /** An array or group as described by the reference implementation; see reference_read.py. */
    private record Verdict(Map<String, @Nullable Object> said) {
        String text(String key) {
            return String.valueOf(said.get(key));
        }

        List<?> list(String key) {
            return (List<?>) Objects.requireNonNull(said.get(key), key);
        }

        long[] shape(String key) {
            return list(key).stream().mapToLong(n -> ((Number) n).longValue()).toArray();
        }
    }

    @BeforeAll
    static void writeFiles() throws IOException, InterruptedException {
        ReferencePrograms.python(directory, "hdf5/reference_read.py", directory.toString());
    }

    @AfterAll
    static void close() throws IOException {
        for (ChunkStore store : STORES.values()) {
            store.close();
        }
    }

    private static ChunkStore store(String file) throws IOException {
        ChunkStore store = STORES.get(file);
        if (store == null) {
            store = Hdf5.open(directory.resolve(file));
            STORES.put(file, store);
        }
        return store;
    }

    @TestFactory
    Stream<DynamicTest> everyVerdict() throws IOException {
        String json = "{\"all\": " + Files.readString(directory.resolve("expected.json")) + "}";
        Map<String, @Nullable Object> all = JsonParser.object("expected", json.getBytes(StandardCharsets.UTF_8));
        return ((List<?>) Objects.requireNonNull(all.get("all"))).stream().map(item -> {
            @SuppressWarnings("unchecked") // as reference_read.py writes it
            Verdict verdict = new Verdict((Map<String, @Nullable Object>) item);
            return DynamicTest.dynamicTest(verdict.text("file") + " " + verdict.text("path"), () -> check(verdict));
        });
    }

    private static void check(Verdict verdict) throws IOException {
        Hdf5Store store = (Hdf5Store) store(verdict.text("file"));
        String path = verdict.text("path");
        if (verdict.said().containsKey("refused")) {
            String word = verdict.text("refused");
            String message = String.valueOf(
                    assertThrows(StoreException.class, () -> store.node(path)).getMessage());
            assertTrue(message.contains(word) && message.contains("#" + path), message);
            assertThrows(StoreException.class, () -> store.openReader(path));
        } else if (verdict.said().containsKey("children")) {
            assertEquals(verdict.list("children"), store.children(path));
            GroupNode group = (GroupNode) store.node(path).orElseThrow();
            assertEquals(verdict.said().get("attributes"), group.attributes());
            assertEquals(sentences(verdict), store.omissions(path));
        } else {
            checkArray(verdict, store, path);
        }
    }

    private static void checkArray(Verdict verdict, Hdf5Store store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            ArraySpec spec = reader.spec();
            assertArrayEquals(verdict.shape("shape"), spec.shape().toArray());
            boolean big = verdict.text("dtype").startsWith(">");
            assertEquals(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, spec.byteOrder());
            checkSaid(verdict, spec, store.omissions(path));
            byte[] expected = Files.readAllBytes(directory.resolve(verdict.text("bytes")));
            assertArrayEquals(expected, Data.readAll(reader));
            if (reader.traits().granularity() == Granularity.BYTES) {
                Data data = Data.of(
                        spec,
                        (position, element) -> System.arraycopy(
                                expected, Math.toIntExact(position * element.length), element, 0, element.length));
                if (spec.chunks().count() < 1000 && isWritten(reader)) {
                    data.checkParts(reader, new Random(path.hashCode()));
                }
            }
        }
    }

    private static boolean isWritten(ArrayReader reader) throws IOException {
        ArraySpec spec = reader.spec();
        for (long i = 0; i < spec.chunks().count(); i++) {
            var region = spec.chunks().regionAt(i);
            if (!Data.read(
                    reader,
                    region,
                    new byte[(int) region.elements() * spec.dataType().itemSize()])) {
                return false;
            }
        }
        return true;
    }

    private static List<String> sentences(Verdict verdict) {
        List<String> sentences = new ArrayList<>();
        verdict.list("omitted")
                .forEach(name -> sentences.add(
                        "the attribute \"" + name + "\" is of a type that plain data cannot say, and is left out"));
        if (verdict.said().containsKey("integers")) {
            verdict.list("integers")
                    .forEach(name ->
                            sentences.add("the names of values in the attribute \"" + name + "\" are left out"));
        }
        return sentences;
    }

    private static void checkSaid(Verdict verdict, ArraySpec spec, List<String> omitted) {
        Map<String, @Nullable Object> said = verdict.said();
        if (said.containsKey("chunks")) {
            assertArrayEquals(
                    verdict.shape("chunks"), spec.chunks().chunkShape().toArray());
        }
        if (said.containsKey("names")) {
            assertEquals(verdict.list("names"), spec.dimensionNames());
        }
        if (said.containsKey("attributes")) {
            assertEquals(said.get("attributes"), spec.attributes());
        }
        if (said.containsKey("omitted")) {
            assertEquals(sentences(verdict), omitted);
        }
        if (said.containsKey("unnamed")) {
            assertEquals(
                    verdict.list("unnamed").stream()
                            .map(field ->
                                    "the names of values in the field \"" + field + "\" of its records are left out")
                            .toList(),
                    omitted);
        }
        if (said.containsKey("fill")) {
            byte[] fill = HexFormat.of().parseHex(verdict.text("fill"));
            assertTrue(Arrays.equals(fill, spec.fillValue().element(fill.length)));
        }
        if (said.containsKey("type")) {
            assertEquals(
                    verdict.text("type"),
                    spec.dataType() + " " + spec.dataType().detail());
        }
        if (said.containsKey("codecs")) {
            assertEquals(
                    verdict.list("codecs"),
                    spec.codecs().stream().map(CodecSpec::name).toList());
        }
        if (said.get("hints") instanceof Map<?, ?> hints) {
            hints.forEach((key, value) -> assertEquals(value, spec.hints().get(key)));
        }
        if (said.get("nohints") instanceof List<?> none) {
            none.forEach(key -> assertFalse(spec.hints().containsKey(key), () -> key + " of " + spec.hints()));
        }
    }
}
