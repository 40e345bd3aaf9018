package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.run.InfeasiblePlanException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Cases;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Texts of N5. A block of n5 has mode 1, its size, x first, the number of bytes of its texts, and then the texts joined
 * by zero bytes, with one at the end, through the compression.
 */
class N5TextTest {
    @TempDir
    Path directory;

    private Path dataset(String dimensions, String blockSize) throws IOException {
        Path dataset = Files.createDirectories(directory.resolve("x.n5/texts"));
        Files.writeString(directory.resolve("x.n5/attributes.json"), "{\"n5\": \"4.0.0\"}");
        Files.writeString(
                dataset.resolve("attributes.json"),
                "{\"dimensions\": " + dimensions + ", \"blockSize\": " + blockSize
                        + ", \"dataType\": \"string\", \"compression\": {\"type\": \"raw\"}}");
        return dataset;
    }

    /** {@return a block as n5 writes it; {@code content} is its number of bytes, or -1 for mode 0} */
    private static byte[] block(int content, byte[] texts, int... size) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeShort(content < 0 ? 0 : 1);
            out.writeShort(size.length);
            for (int extent : size) {
                out.writeInt(extent);
            }
            if (content >= 0) {
                out.writeInt(content);
            }
            out.write(texts);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] block(String texts, int... size) {
        byte[] bytes = texts.getBytes(StandardCharsets.UTF_8);
        return block(bytes.length, bytes, size);
    }

    private static void put(Path dataset, String key, byte[] block) throws IOException {
        Path file = dataset.resolve(key);
        Files.createDirectories(file.getParent());
        Files.write(file, block);
    }

    private List<String> read() throws Exception {
        MemoryStore read = new MemoryStore();
        try (ChunkStore store = N5.open(directory.resolve("x.n5"))) {
            Rechunker.from(store.at("texts"))
                    .to(read)
                    .chunks("keep")
                    .maxMem("32MB")
                    .execute();
        }
        return texts(read);
    }

    private static List<String> texts(MemoryStore read) {
        int itemSize =
                ((ArrayNode) read.node("").orElseThrow()).spec().dataType().itemSize();
        ByteBuffer elements = ByteBuffer.wrap(read.elements("")).order(ByteOrder.LITTLE_ENDIAN);
        List<String> texts = new ArrayList<>();
        for (int at = 0; at < elements.limit(); at += itemSize) {
            byte[] text = new byte[elements.getInt(at)];
            elements.get(at + DataType.LENGTH_SIZE, text);
            texts.add(new String(text, StandardCharsets.UTF_8));
        }
        return texts;
    }

    /** Reads what n5 has written, as {@code MANIFEST} of the fixtures says. */
    @Test
    void readsTheFixtureOfN5() throws Exception {
        MemoryStore read = new MemoryStore();
        try (ChunkStore store = N5.open(Fixtures.copy("n5/n5-all.n5", directory, true))) {
            Rechunker.from(store.at("mode/string"))
                    .to(read)
                    .chunks("keep")
                    .maxMem("32MB")
                    .execute();
        }
        assertEquals(List.of("alpha", "β", "", "last"), texts(read));
    }

    /**
     * Three rows of five in blocks of two by two: cropped, nominal and missing blocks, and missing texts at the end.
     */
    @Test
    void readsBlocksOfN5() throws Exception {
        Path dataset = dataset("[5, 3]", "[2, 2]");
        put(dataset, "0/0", block("a\0béé\0\0d\0", 2, 2));
        put(dataset, "1/0", block("e\0", 2, 2)); // without the empty texts at the end
        put(dataset, "2/0", block("f\0g\0", 1, 2)); // cropped
        put(dataset, "0/1", block("h\0i\0j\0k\0", 2, 2)); // larger than the array
        put(dataset, "2/1", block(-1, "\0\0\0\0".getBytes(StandardCharsets.UTF_8), 2, 2)); // mode 0
        assertEquals(List.of("a", "béé", "e", "", "f", "", "d", "", "", "g", "h", "i", "", "", ""), read());
    }

    @Test
    void writesBlocksOfN5() throws Exception {
        DataType type = DataType.text().upTo(6);
        String[] texts = {"a", "", "béé", "d", "e", "ffffff"};
        ByteBuffer elements = ByteBuffer.allocate(6 * type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 6; i++) {
            byte[] bytes = texts[i].getBytes(StandardCharsets.UTF_8);
            elements.position(i * type.itemSize()).putInt(bytes.length).put(bytes);
        }
        ArraySpec spec = ArraySpec.builder(ChunkGrid.regular(Shape.of(2, 3), Shape.of(2, 3)), type)
                .build();
        try (ChunkStore store = N5.create(directory.resolve("x.n5"))) {
            Rechunker.from(MemoryStore.of(spec, elements.array()))
                    .to(store.at("texts"))
                    .chunks(2, 2)
                    .maxMem("32MB")
                    .verify()
                    .execute();
        }
        Path dataset = directory.resolve("x.n5/texts");
        assertArrayEquals(block("a\0\0d\0e\0", 2, 2), Files.readAllBytes(dataset.resolve("0/0")));
        assertArrayEquals(block("béé\0ffffff\0", 1, 2), Files.readAllBytes(dataset.resolve("1/0")));
        assertTrue(Files.readString(dataset.resolve("attributes.json")).contains("\"dataType\":\"string\"")
                || Files.readString(dataset.resolve("attributes.json")).contains("\"dataType\": \"string\""));
        assertEquals(List.of(texts), read());
    }

    /** Texts of random lengths in random blocks, with each codec, from N5 to Zarr and back, and appended. */
    @Test
    void keepsTexts() {
        Cases.check(8, cases -> {
            int rows = (int) cases.between(1, 40);
            int columns = (int) cases.between(1, 30);
            int longest = (int) cases.between(1, 400);
            DataType type = DataType.text().upTo(longest);
            ByteBuffer elements =
                    ByteBuffer.allocate(rows * columns * type.itemSize()).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < rows * columns; i++) {
                int length = i == 0 ? longest : (int) cases.between(0, Math.min(longest, i % 50 == 0 ? 400 : 9));
                byte[] text = (i + "y".repeat(longest)).substring(0, length).getBytes(StandardCharsets.US_ASCII);
                elements.position(i * type.itemSize()).putInt(length).put(text);
            }
            String codec = cases.oneOf("gzip", "zstd", "blosc", "lz4block", "bzip2");
            ArraySpec spec = ArraySpec.builder(
                            ChunkGrid.regular(
                                    Shape.of(rows, columns),
                                    Shape.of(cases.between(1, rows), cases.between(1, columns))),
                            type)
                    .codecs(List.of(CodecSpec.of(codec)))
                    .attributes(Map.of("units", "names"))
                    .build();
            Path place = directory.resolve("case" + System.nanoTime());
            try (ChunkStore n5 = N5.create(place.resolve("a.n5"));
                    ChunkStore zarr = Zarr.create(place.resolve("a.zarr"))) {
                Rechunker.from(MemoryStore.of(spec, elements.array()))
                        .to(n5)
                        .chunks("keep")
                        .maxMem("64MB")
                        .verify()
                        .execute();
                Rechunker.from(n5)
                        .to(zarr)
                        .chunks(cases.between(1, rows), cases.between(1, columns))
                        .maxMem("64MB")
                        .verify()
                        .execute();
                Rechunker.from(zarr)
                        .into(n5.at(""))
                        .append(0)
                        .maxMem("64MB")
                        .verify()
                        .execute();
                MemoryStore read = new MemoryStore();
                Rechunker.from(n5).to(read).chunks("keep").maxMem("64MB").execute();
                byte[] twice = Arrays.copyOf(elements.array(), 2 * elements.capacity());
                System.arraycopy(elements.array(), 0, twice, elements.capacity(), elements.capacity());
                assertArrayEquals(twice, read.elements(""));
            }
        });
    }

    @Test
    void readsALongTextAmongShortOnes() throws Exception {
        Path dataset = dataset("[100000]", "[100000]");
        put(dataset, "0", block("1\0".repeat(50_000) + "z".repeat(2000) + "\0" + "2\0".repeat(49_999), 100_000));
        try (ChunkStore store = N5.open(directory.resolve("x.n5"));
                ChunkStore target = N5.create(directory.resolve("y.n5"))) {
            long measured = Rechunker.from(store.at("texts"))
                    .to(target.at("texts"))
                    .chunks(1000)
                    .maxMem("32MB")
                    .verify()
                    .execute()
                    .measuredMemory();
            assertTrue(measured <= 32_000_000);
            assertThrows(
                    InfeasiblePlanException.class,
                    () -> Rechunker.from(store.at("texts"))
                            .to(target.at("more"))
                            .chunks("keep")
                            .maxMem("32MB")
                            .execute());
        }
    }

    @Test
    void refusesWhatCannotBeTexts() throws Exception {
        Path dataset = dataset("[4]", "[4]");
        Map<byte[], String> wrong = Map.of(
                block("a\0b\0c\0d\0e\0", 4), "more than 4 texts",
                block("a\0b\0c", 4), "has no end",
                block("a\0b\0c\0d\0", 5), "at most 4 elements",
                block(9, "a\0b\0c\0d\0".getBytes(StandardCharsets.UTF_8), 4), "are not 9 bytes",
                block(Integer.MAX_VALUE, "a\0b\0c\0d\0".getBytes(StandardCharsets.UTF_8), 4), "bytes of texts");
        for (Map.Entry<byte[], String> block : wrong.entrySet()) {
            put(dataset, "0", block.getKey());
            StoreException refused = assertThrows(StoreException.class, this::read);
            assertTrue(String.valueOf(refused.getMessage()).contains(block.getValue()), refused.toString());
        }
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(Shape.of(1), Shape.of(1)),
                        DataType.text().upTo(3))
                .build();
        try (ChunkStore store = N5.create(directory.resolve("zero.n5"))) {
            IOException refused = assertThrows(
                    IOException.class,
                    () -> Rechunker.from(MemoryStore.of(spec, new byte[] {3, 0, 0, 0, 'a', 0, 'b'}))
                            .to(store)
                            .chunks(1)
                            .maxMem("32MB")
                            .execute());
            assertTrue(refused.toString().contains("U+0000"), refused.toString());
        }
    }

    @Test
    void damagedBlocks() throws Exception {
        Path dataset = dataset("[5, 3]", "[3, 2]");
        List<byte[]> seeds = List.of(
                block("a\0béé\0\0d\0e\0f\0", 3, 2),
                block(-1, "a\0b\0\0\0".getBytes(StandardCharsets.UTF_8), 3, 2),
                block("g\0h\0", 2, 1));
        Fuzz.check(
                "n5 texts",
                2000,
                1 << 20,
                directory.resolve("x.n5").toString(),
                random -> ByteMutator.mutate(seeds, random),
                input -> {
                    put(dataset, "0/0", input);
                    try (ChunkStore store = N5.open(directory.resolve("x.n5"))) {
                        Walk.from(store, "texts", 1);
                    }
                });
    }
}
