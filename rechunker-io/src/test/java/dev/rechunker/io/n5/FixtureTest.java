package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A container that n5 4.0.2 wrote, as a directory and as a zip file: every array is read correctly or refused with its
 * name.
 */
class FixtureTest {
    private static final String CONTAINER = "n5/n5-all.n5";
    private static final Shape SHAPE = Shape.of(11, 19, 26);

    /** The factor of b = x + 10 y in each element, and the constant that is added. */
    private static final Map<String, String[]> TYPES = Map.of(
            "int8", new String[] {"1", "-20"},
            "uint8", new String[] {"1", "200"},
            "int16", new String[] {"-500", "0"},
            "uint16", new String[] {"1300", "0"},
            "int32", new String[] {"-100000", "0"},
            "uint32", new String[] {"80000000", "0"},
            "int64", new String[] {"-1e10", "0"},
            "uint64", new String[] {"3e17", "0"},
            "float32", new String[] {"0.25", "-3"},
            "float64", new String[] {"0.1", "-3"});

    @TempDir
    Path temporary;

    /** v(x, y, z) = x + 26 (y + 19 z), which is the index of the element in C order. */
    private static byte[] ramp() {
        ByteBuffer ramp = ByteBuffer.allocate(Math.toIntExact(SHAPE.elements() * Short.BYTES));
        while (ramp.hasRemaining()) {
            ramp.putShort((short) (ramp.position() / Short.BYTES));
        }
        return ramp.array();
    }

    private static byte[] read(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return Data.readAll(reader);
        }
    }

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyCodecIsRead(boolean unpack) throws IOException {
        try (ChunkStore store = N5.open(Fixtures.copy(CONTAINER, temporary, unpack))) {
            Set<String> codecs = new TreeSet<>();
            for (String name : store.children("c")) {
                ArraySpec spec = spec(store, "c/" + name);
                assertEquals(SHAPE, spec.shape());
                assertEquals(Shape.of(4, 8, 8), spec.chunks().chunkShape());
                assertEquals(DataType.UINT16, spec.dataType());
                assertEquals(ByteOrder.BIG_ENDIAN, spec.byteOrder());
                assertEquals(FillValue.zero(2), spec.fillValue());
                spec.codecs().forEach(codec -> codecs.add(codec.name()));
                assertArrayEquals(ramp(), read(store, "c/" + name), name);
            }
            assertEquals(27, store.children("c").size());
            assertEquals(Set.of("blosc", "bz2", "gzip", "lz4block", "lzma", "zlib", "zstd"), codecs);
            assertEquals(
                    List.of(CodecSpec.of("blosc")
                            .with("cname", "zstd")
                            .with("clevel", 5L)
                            .with("shuffle", "bitshuffle")
                            .with("typesize", 2L)
                            .with("blocksize", 0L)),
                    spec(store, "c/blosc_zstd_2").codecs());
            assertEquals(
                    Map.of("resolution", List.of(0.5, 0.5, 2.0), "nested", Map.of("k", 5L)),
                    spec(store, "c/gzip").attributes());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyTypeIsRead(boolean unpack) throws IOException {
        try (ChunkStore store = N5.open(Fixtures.copy(CONTAINER, temporary, unpack))) {
            assertEquals(TYPES.keySet(), new TreeSet<>(store.children("dtype")));
            for (String name : store.children("dtype")) {
                ArraySpec spec = spec(store, "dtype/" + name);
                assertEquals(name, spec.dataType().name());
                assertEquals(Shape.of(5, 7), spec.shape());
                assertArrayEquals(expected(spec.dataType()), read(store, "dtype/" + name), name);
            }
        }
    }

    private static byte[] expected(DataType type) {
        String[] line = Objects.requireNonNull(TYPES.get(type.name()));
        BigDecimal factor = new BigDecimal(line[0]);
        BigDecimal offset = new BigDecimal(line[1]);
        ByteBuffer bytes = ByteBuffer.allocate(35 * type.itemSize());
        for (int y = 0; y < 5; y++) {
            for (int x = 0; x < 7; x++) {
                BigDecimal value =
                        factor.multiply(BigDecimal.valueOf(x + 10 * y)).add(offset);
                if (type.equals(DataType.FLOAT32)) {
                    bytes.putFloat(value.floatValue());
                } else if (type.equals(DataType.FLOAT64)) {
                    bytes.putDouble((x + 10 * y) * factor.doubleValue() + offset.doubleValue());
                } else {
                    BigInteger integer = value.toBigIntegerExact();
                    byte[] word = ByteBuffer.allocate(Long.BYTES)
                            .putLong(integer.longValue())
                            .array();
                    bytes.put(word, Long.BYTES - type.itemSize(), type.itemSize());
                }
            }
        }
        return bytes.array();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void edgesAndOldMetadataAreRead(boolean unpack) throws IOException {
        try (ChunkStore store = N5.open(Fixtures.copy(CONTAINER, temporary, unpack))) {
            assertArrayEquals(ramp(), read(store, "edge/full_edge_blocks"));
            assertArrayEquals(ramp(), read(store, "legacy/v0_compressionType"));
            assertEquals(
                    List.of(CodecSpec.of("gzip").with("level", 6L)),
                    spec(store, "legacy/v0_compressionType").codecs());
            try (ArrayReader reader = store.openReader("edge/missing_chunk")) {
                Region missing = reader.spec().chunks().region(1, 1, 1);
                assertTrue(!Data.read(reader, missing, new byte[512]));
                byte[] expected = ramp();
                for (int z = 4; z < 8; z++) {
                    for (int y = 8; y < 16; y++) {
                        int from = (8 + 26 * (y + 19 * z)) * 2;
                        Arrays.fill(expected, from, from + 16, (byte) 0);
                    }
                }
                assertArrayEquals(expected, Data.readAll(reader));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void groupsAreRead(boolean unpack) throws IOException {
        try (ChunkStore store = N5.open(Fixtures.copy(CONTAINER, temporary, unpack))) {
            assertEquals(List.of("c", "dtype", "edge", "legacy", "mode"), store.children(""));
            assertEquals(new GroupNode(GroupSpec.EMPTY, false), store.node("").orElseThrow());
            assertEquals(new GroupNode(GroupSpec.EMPTY, false), store.node("c").orElseThrow());
            assertEquals(List.of(), store.children("c/raw"));
            assertTrue(store.node("c/raw/0").isEmpty(), "a directory of blocks is not a group");
            assertEquals(List.of(), store.children("c/raw/0"));
            assertTrue(store.node("d").isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void blocksWithoutNumbersAreNamed(boolean unpack) throws IOException {
        try (ChunkStore store = N5.open(Fixtures.copy(CONTAINER, temporary, unpack))) {
            assertRefused("\"object\"", () -> store.openReader("mode/object_serialized"));
            assertRefused("mode 1, variable length", () -> read(store, "mode/varlength_uint8"));
            try (ArrayReader reader = store.openReader("mode/varlength_uint8")) {
                Region block = reader.spec().chunks().region(0, 0);
                assertRefused(
                        "mode 1, variable length",
                        () -> reader.encoded().orElseThrow().openEncoded(block));
            }
        }
    }

    private interface Call {
        Object run() throws Exception;
    }

    private static void assertRefused(String why, Call call) {
        StoreException e = assertThrows(StoreException.class, call::run);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains(why) && message.contains("n5-all.n5"), message);
    }

    /**
     * Arrays of the fixture that we write have the same size as those of n5, and the same metadata except for Blosc's
     * type size.
     */
    @Test
    void blocksAreCroppedAsN5CropsThem() throws IOException {
        Path container = Fixtures.copy(CONTAINER, temporary, true);
        Path copy = temporary.resolve("copy.n5");
        try (ChunkStore source = N5.open(container);
                ChunkStore target = N5.create(copy)) {
            for (String name : List.of("raw", "lz4", "gzip", "xz", "bzip2")) {
                ArraySpec spec = spec(source, "c/" + name);
                assertEquals(spec, target.resolve(spec));
                byte[] elements = read(source, "c/" + name);
                Data data = Data.of(
                        spec, (position, element) -> System.arraycopy(elements, (int) position * 2, element, 0, 2));
                data.write(target, name);
            }
        }
        for (String block : List.of("0/0/0", "3/0/0", "3/2/2")) {
            assertArrayEquals(
                    Files.readAllBytes(container.resolve("c/raw/" + block)),
                    Files.readAllBytes(copy.resolve("raw/" + block)),
                    block);
            assertArrayEquals(
                    Arrays.copyOf(Files.readAllBytes(container.resolve("c/lz4/" + block)), 37),
                    Arrays.copyOf(Files.readAllBytes(copy.resolve("lz4/" + block)), 37),
                    "head, and head of the first LZ4 block, of " + block);
        }
        assertEquals("{\n  \"n5\": \"2.0.0\"\n}\n", Files.readString(copy.resolve("attributes.json")));
    }

    /** Every array is copied to other chunks. */
    @Test
    void everyArrayIsRechunked() throws Exception {
        try (ChunkStore source = N5.open(Fixtures.copy(CONTAINER, temporary, false));
                ChunkStore target = N5.create(temporary.resolve("copy.n5"))) {
            for (String name : source.children("c")) {
                Rechunker.from(source.at("c/" + name))
                        .to(target.at(name))
                        .chunks(5, 7, 26)
                        .maxMem("32MB")
                        .execute();
                assertEquals(
                        spec(source, "c/" + name).codecs(), spec(target, name).codecs());
                assertArrayEquals(ramp(), read(target, name), name);
            }
            Rechunker.from(source.at("edge"))
                    .to(target.at("edge"))
                    .chunks(3, 3, 3)
                    .maxMem("32MB")
                    .execute();
            assertArrayEquals(ramp(), read(target, "edge/full_edge_blocks"));
            assertArrayEquals(read(source, "edge/missing_chunk"), read(target, "edge/missing_chunk"));
        }
    }
}
