package dev.rechunker.io.hdf5.read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.FillValue;
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

/** Tests that files written by h5py and netCDF4-python are read as these libraries read them. */
@ReferenceTest
class Hdf5SourceReferenceTest {
    @TempDir
    static Path directory;

    private static final Map<String, ChunkStore> STORES = new HashMap<>();

    /** An array or group as read by the reference implementation; see reference_read.py. */
    private record Expected(Map<String, @Nullable Object> values) {
        String text(String key) {
            return String.valueOf(values.get(key));
        }

        List<?> list(String key) {
            return (List<?>) Objects.requireNonNull(values.get(key), key);
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
    Stream<DynamicTest> everyArrayAndGroup() throws IOException {
        String json = "{\"all\": " + Files.readString(directory.resolve("expected.json")) + "}";
        Map<String, @Nullable Object> all = JsonParser.object("expected", json.getBytes(StandardCharsets.UTF_8));
        return ((List<?>) Objects.requireNonNull(all.get("all"))).stream().map(item -> {
            @SuppressWarnings("unchecked") // as reference_read.py writes it
            Expected expected = new Expected((Map<String, @Nullable Object>) item);
            return DynamicTest.dynamicTest(expected.text("file") + " " + expected.text("path"), () -> check(expected));
        });
    }

    private static void check(Expected expected) throws IOException {
        Hdf5Store store = (Hdf5Store) store(expected.text("file"));
        String path = expected.text("path");
        if (expected.values().containsKey("refused")) {
            String word = expected.text("refused");
            String message = String.valueOf(
                    assertThrows(StoreException.class, () -> store.node(path)).getMessage());
            assertTrue(message.contains(word) && message.contains("#" + path), message);
            assertThrows(StoreException.class, () -> store.openReader(path));
        } else if (expected.values().containsKey("children")) {
            // h5py lists names in order, also those of groups that know in which order their members were created.
            assertEquals(
                    expected.list("children"),
                    store.children(path).stream().sorted().toList());
            GroupNode group = (GroupNode) store.node(path).orElseThrow();
            assertEquals(expected.values().get("attributes"), group.attributes());
            assertEquals(sentences(expected), store.omissions(path));
        } else {
            checkArray(expected, store, path);
        }
    }

    private static void checkArray(Expected expected, Hdf5Store store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            ArraySpec spec = reader.spec();
            assertArrayEquals(expected.shape("shape"), spec.shape().toArray());
            boolean big = expected.text("dtype").startsWith(">");
            assertEquals(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, spec.byteOrder());
            checkMetadata(expected, spec, store.omissions(path));
            byte[] elements = Files.readAllBytes(directory.resolve(expected.text("bytes")));
            assertArrayEquals(elements, Data.readAll(reader));
            if (reader.traits().granularity() == Granularity.BYTES) {
                Data data = Data.of(
                        spec,
                        (position, element) -> System.arraycopy(
                                elements, Math.toIntExact(position * element.length), element, 0, element.length));
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

    private static List<String> sentences(Expected expected) {
        List<String> sentences = new ArrayList<>();
        expected.list("omitted")
                .forEach(name -> sentences.add("the attribute \"" + name
                        + "\" has a type that cannot be represented as plain data, and is left out"));
        return sentences;
    }

    private static void checkMetadata(Expected expected, ArraySpec spec, List<String> omitted) {
        Map<String, @Nullable Object> values = expected.values();
        if (values.containsKey("chunks")) {
            assertArrayEquals(
                    expected.shape("chunks"), spec.chunks().chunkShape().toArray());
        }
        if (values.containsKey("names")) {
            assertEquals(expected.list("names"), spec.dimensionNames());
        }
        if (values.containsKey("attributes")) {
            assertEquals(values.get("attributes"), spec.attributes());
        }
        if (values.containsKey("omitted")) {
            assertEquals(sentences(expected), omitted);
        }
        if (values.containsKey("fill")) {
            byte[] fill = HexFormat.of().parseHex(expected.text("fill"));
            assertTrue(Arrays.equals(fill, spec.fillValue().element(fill.length)));
        }
        if (values.containsKey("missing")) {
            byte[] missing = HexFormat.of().parseHex(expected.text("missing"));
            assertEquals(FillValue.of(missing), spec.missingValue());
        }
        if (values.containsKey("type")) {
            assertEquals(
                    expected.text("type"),
                    spec.dataType() + " " + spec.dataType().detail());
        }
        if (values.containsKey("codecs")) {
            assertEquals(
                    expected.list("codecs"),
                    spec.codecs().stream().map(CodecSpec::name).toList());
        }
        if (values.get("hints") instanceof Map<?, ?> hints) {
            hints.forEach((key, value) -> assertEquals(value, spec.hints().get(key)));
        }
        if (values.get("nohints") instanceof List<?> none) {
            none.forEach(key -> assertFalse(spec.hints().containsKey(key), () -> key + " of " + spec.hints()));
        }
    }
}
