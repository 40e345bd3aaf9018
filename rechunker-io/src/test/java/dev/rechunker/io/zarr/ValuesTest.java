package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.json.Document;
import dev.rechunker.io.json.Json;
import dev.rechunker.io.json.JsonParser;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Codecs that convert values, {@code cast_value}, {@code scale_offset} and {@code packbits}, in arrays of zarr-python
 * and zarrs: see {@code make_values.py}.
 */
class ValuesTest {
    @TempDir
    Path temporary;

    private static List<Document> entries() throws IOException {
        try (InputStream in = new GZIPInputStream(Objects.requireNonNull(
                ValuesTest.class.getResourceAsStream("/zarr/values.json.gz"), "values.json.gz"))) {
            Document document = new Document("values", JsonParser.object("values", in.readAllBytes()));
            List<Document> entries = new ArrayList<>();
            for (Object entry : document.list("entries")) {
                entries.add(Document.object("entry", entry));
            }
            return entries;
        }
    }

    private static byte[] bytes(Document entry, String name) throws StoreException {
        return HexFormat.of().parseHex(entry.string(name));
    }

    /** Writes the document of an array of {@code count} elements, all in one chunk. */
    private void writeDocument(Path array, Document entry, long count) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("zarr_format", 3L);
        document.put("node_type", "array");
        document.put("shape", List.of(count));
        document.put("data_type", entry.require("data_type"));
        document.put("fill_value", entry.require("fill_value"));
        document.put("chunk_grid", Map.of("name", "regular", "configuration", Map.of("chunk_shape", List.of(count))));
        document.put("chunk_key_encoding", Map.of("name", "default"));
        document.put("codecs", entry.require("codecs"));
        Files.createDirectories(array.resolve("c"));
        Files.write(array.resolve("zarr.json"), Json.document(document));
    }

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    /** {@return elements in another byte order, if that is not the order of the spec} */
    private static byte[] ordered(ArraySpec spec, byte[] elements) {
        int word = spec.dataType().wordSize();
        return spec.byteOrder() == ByteOrder.BIG_ENDIAN && word > 1 && elements.length > 0
                ? FillValue.of(elements).swapped(word).element(elements.length)
                : elements;
    }

    @TestFactory
    Stream<DynamicTest> chunksOfOtherWriters() throws IOException {
        List<Document> entries = entries();
        assertTrue(entries.size() > 100, "only " + entries.size());
        return entries.stream()
                .map(entry -> DynamicTest.dynamicTest(
                        entry.get("data_type") + " " + entry.get("codecs"), () -> check(entry)));
    }

    private void check(Document entry) throws IOException {
        Path source = Files.createTempDirectory(temporary, "source");
        byte[] elements = bytes(entry, "elements");
        byte[] decoded = bytes(entry, "decoded");
        Map<String, Object> typed = new LinkedHashMap<>(entry.members());
        DataType type = V3Types.parse(new Document("entry", typed), ByteOrder.LITTLE_ENDIAN);
        writeDocument(source, entry, elements.length / type.itemSize());
        Files.write(source.resolve("c").resolve("0"), bytes(entry, "chunk"));
        ChunkStore store = Zarr.open(source);
        ArraySpec spec = spec(store, "");
        assertArrayEquals(decoded, ordered(spec, Elements.read(store, "")), "decoded");

        Path target = Files.createTempDirectory(temporary, "target");
        ChunkStore written = Zarr.create(target);
        Elements.write(written, "x", spec, ordered(spec, elements));
        Path array = target.resolve("x");
        assertArrayEquals(
                bytes(entry, "chunk"), Files.readAllBytes(array.resolve("c").resolve("0")), "encoded");
        Document document = new Document("x", JsonParser.object("x", Files.readAllBytes(array.resolve("zarr.json"))));
        assertEquals(names(entry), names(document));
        byte[] refused = bytes(entry, "refused");
        for (int at = 0; at < refused.length; at += type.itemSize()) {
            byte[] one = Arrays.copyOfRange(refused, at, at + type.itemSize());
            ArraySpec single = spec.toBuilder()
                    .chunks(ChunkGrid.regular(Shape.of(1), Shape.of(1)))
                    .build();
            IOException e = assertThrows(
                    IOException.class,
                    () -> Elements.write(
                            Zarr.create(Files.createTempDirectory(temporary, "refused")),
                            "x",
                            single,
                            ordered(spec, one)),
                    () -> HexFormat.of().formatHex(one));
            assertTrue(
                    String.valueOf(e.getMessage()).contains("cast_value")
                            || String.valueOf(e.getMessage()).contains("scale_offset"),
                    e.getMessage());
        }
    }

    private static List<Object> names(Document array) throws StoreException {
        List<Object> names = new ArrayList<>();
        for (Object codec : array.list("codecs")) {
            names.add(((Map<?, ?>) codec).get("name"));
        }
        return names;
    }

    private static ArraySpec numbers(DataType type, FillValue fill, CodecSpec... codecs) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(10), Shape.of(4)), type)
                .fillValue(fill)
                .codecs(List.of(codecs))
                .build();
    }

    private static final CodecSpec CAST = CodecSpec.of("cast_value").with("data_type", "int16");

    /** A copy keeps the codecs, also in shards, and in bytes of another order. */
    @Test
    void copiesKeepTheCodecs() throws Exception {
        FillValue fill = FillValue.of(new byte[] {0, 0, 0, 0, 0, 0, (byte) 0xf0, 0x3f});
        CodecSpec scale = CodecSpec.of("scale_offset").with("offset", 1L).with("scale", 4L);
        ArraySpec spec = numbers(DataType.FLOAT64, fill, scale, CAST, CodecSpec.of("zarr3.packbits"));
        ByteBuffer elements = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 10; i++) {
            elements.putDouble(i < 4 ? 1 : i / 4.0);
        }
        Path source = temporary.resolve("source.zarr");
        Elements.write(Zarr.create(source), "x", spec, elements.array());
        for (String shards : List.of("none", "9")) {
            Path copy = temporary.resolve("copy" + shards + ".zarr");
            Rechunker.from(Zarr.open(source))
                    .to(Zarr.create(copy))
                    .chunks(3)
                    .maxMem("10MB")
                    .shards(shards)
                    .verify()
                    .execute();
            ChunkStore reopened = Zarr.open(copy);
            assertEquals(spec.codecs(), spec(reopened, "x").codecs());
            assertArrayEquals(elements.array(), Elements.read(reopened, "x"));
        }
        Path two = temporary.resolve("two.zarr");
        Rechunker.from(Zarr.open(source))
                .to(Zarr.create(two, ZarrFormat.V2))
                .chunks("keep")
                .maxMem("10MB")
                .execute();
        assertArrayEquals(elements.array(), Elements.read(Zarr.open(two), "x"));
        assertFalse(spec(Zarr.open(two), "x").codecs().contains(CAST));
    }

    /** zarr-python opens no array whose fill value it cannot encode. */
    @ParameterizedTest
    @CsvSource({"7ff8000000000000, NaN", "40e0000000000000, 32768.0"})
    void fillValuesThatCannotBeEncodedAreRefused(String bits, String text) {
        FillValue fill = FillValue.of(HexFormat.of().parseHex(bits)).swapped(8);
        ChunkStore store = Zarr.create(temporary.resolve("x.zarr"));
        StoreException e =
                assertThrows(StoreException.class, () -> store.resolve(numbers(DataType.FLOAT64, fill, CAST)));
        assertTrue(String.valueOf(e.getMessage()).contains("with its fill value"), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains(text), e.getMessage());
    }
}
