package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads stores that n5-zarr wrote, and compares every element. */
class FixtureTest {
    @TempDir
    Path temporary;

    /**
     * Checks that the elements are v(x, y, z) = x + 26 (y + 19 z).
     *
     * @param missing the value of the elements of chunk (1, 1, 1); null if that chunk exists
     */
    private static void checkRamp(ChunkStore store, String path, @Nullable Integer missing) throws IOException {
        ArraySpec spec = ((ArrayNode) store.node(path).orElseThrow()).spec();
        assertEquals(List.of(11L, 19L, 26L), V3Metadata.list(spec.shape()), path);
        ByteBuffer elements = ByteBuffer.wrap(Elements.read(store, path)).order(spec.byteOrder());
        Region hole = spec.writeUnits().region(1, 1, 1);
        for (int z = 0; z < 11; z++) {
            for (int y = 0; y < 19; y++) {
                for (int x = 0; x < 26; x++) {
                    boolean isHole =
                            missing != null && hole.contains(Region.of(new long[] {z, y, x}, Shape.of(1, 1, 1)));
                    int expected = isHole && missing != null ? missing : x + 26 * (y + 19 * z);
                    assertEquals(expected, elements.getShort() & 0xffff, path + " at " + z + ", " + y + ", " + x);
                }
            }
        }
    }

    /** Checks that the elements are the ramp, except for one inner chunk of zeros. */
    private static void checkWithHole(ChunkStore store, String path) throws IOException {
        ByteBuffer elements = ByteBuffer.wrap(Elements.read(store, path)).order(ByteOrder.LITTLE_ENDIAN);
        int zeros = 0;
        for (int i = 0; elements.hasRemaining(); i++) {
            int value = elements.getShort() & 0xffff;
            zeros += value == 0 && i > 0 ? 1 : 0;
            assertEquals(value == 0 ? 0 : i, value, path + " at " + i);
        }
        assertEquals(4 * 8 * 8, zeros);
    }

    private static void checkTypes(ChunkStore store) throws IOException {
        for (String name : store.children("dtype")) {
            ArraySpec spec = ((ArrayNode) store.node("dtype/" + name).orElseThrow()).spec();
            assertEquals(name, spec.dataType().name());
            ByteBuffer elements =
                    ByteBuffer.wrap(Elements.read(store, "dtype/" + name)).order(spec.byteOrder());
            for (int y = 0; y < 5; y++) {
                for (int x = 0; x < 7; x++) {
                    long b = x + 10L * y;
                    String at = name + " at " + y + ", " + x;
                    switch (name) {
                        case "int8" -> assertEquals((byte) (b - 20), elements.get(), at);
                        case "uint8" -> assertEquals((byte) (b + 200), elements.get(), at);
                        case "int16" -> assertEquals((short) (b * -500), elements.getShort(), at);
                        case "uint16" -> assertEquals((short) (b * 1300), elements.getShort(), at);
                        case "int32" -> assertEquals((int) (b * -100000), elements.getInt(), at);
                        case "uint32" -> assertEquals((int) (b * 80000000), elements.getInt(), at);
                        case "int64" -> assertEquals(b * -10_000_000_000L, elements.getLong(), at);
                        case "uint64" ->
                            assertEquals(
                                    new BigDecimal(b)
                                            .multiply(new BigDecimal("3e17"))
                                            .toBigInteger()
                                            .longValue(),
                                    elements.getLong(),
                                    at);
                        case "float32" -> assertEquals((float) (b * 0.25 - 3), elements.getFloat(), at);
                        case "float64" -> assertEquals(b * 0.1 - 3, elements.getDouble(), at);
                        default -> throw new AssertionError(name);
                    }
                }
            }
        }
        assertEquals(9, store.children("dtype").size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsVersion2(boolean unpack) throws IOException {
        try (ChunkStore store = Zarr.open(Fixtures.copy("zarr/zarr2-dot.zarr", temporary, unpack))) {
            assertEquals(List.of("c", "dtype", "fill7_missing", "le_gzip", "quirk"), store.children(""));
            for (String path : Elements.arrays(store, "")) {
                if (path.startsWith("c/") || path.equals("le_gzip")) {
                    checkRamp(store, path, null);
                }
            }
            checkRamp(store, "fill7_missing", 7);
            checkTypes(store);
            ArraySpec quirk = ((ArrayNode) store.node("quirk/order_F_bad").orElseThrow()).spec();
            assertEquals("transpose", quirk.codecs().get(0).name());
            assertEquals(unpack, store.capabilities().writable());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsVersion3(boolean unpack) throws IOException {
        try (ChunkStore store = Zarr.open(Fixtures.copy("zarr/zarr3-all.zarr", temporary, unpack))) {
            for (String path : Elements.arrays(store, "")) {
                switch (path) {
                    case "fill7_missing" -> checkRamp(store, path, 7);
                    case "shard_zstd_start_missing" -> checkWithHole(store, path);
                    case "quirk/transpose_lost" -> assertEquals(11 * 19 * 26 * 2, Elements.read(store, path).length);
                    default -> {
                        if (!path.startsWith("dtype/")) {
                            checkRamp(store, path, null);
                        }
                    }
                }
            }
            checkTypes(store);
            GroupNode root = (GroupNode) store.node("").orElseThrow();
            assertFalse(root.consolidated());
            ArraySpec gzip = ((ArrayNode) store.node("c/gzip").orElseThrow()).spec();
            assertEquals(Map.of("resolution", List.of(2.0, 0.5, 0.5)), gzip.attributes());
            assertEquals(List.of("dim_2", "dim_1", "dim_0"), gzip.dimensionNames());
            ArraySpec nested = ((ArrayNode) store.node("shard_nested").orElseThrow()).spec();
            assertEquals(List.of(2L, 4L, 4L), V3Metadata.list(nested.chunks().chunkShape()));
            assertEquals(
                    List.of(8L, 16L, 16L), V3Metadata.list(nested.writeUnits().chunkShape()));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsOmeNgff(boolean unpack) throws IOException {
        try (ChunkStore store = Zarr.open(Fixtures.copy("zarr/ngff-ome05.ome.zarr", temporary, unpack))) {
            for (String path : List.of("s0", "s1")) {
                ArraySpec spec = ((ArrayNode) store.node(path).orElseThrow()).spec();
                assertEquals(List.of("t", "c", "z", "y", "x"), spec.dimensionNames());
                ByteBuffer elements =
                        ByteBuffer.wrap(Elements.read(store, path)).order(spec.byteOrder());
                for (int i = 0; elements.hasRemaining(); i++) {
                    assertEquals(i & 0xffff, elements.getShort() & 0xffff, path + " at " + i);
                }
            }
            GroupNode root = (GroupNode) store.node("").orElseThrow();
            assertTrue(root.attributes().get("ome") instanceof Map<?, ?> ome && "0.5".equals(ome.get("version")));
        }
    }
}
