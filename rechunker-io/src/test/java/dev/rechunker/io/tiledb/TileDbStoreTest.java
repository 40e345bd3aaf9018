package dev.rechunker.io.tiledb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.Stores;
import dev.rechunker.io.StoresByUri;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reading a group that tiledb-py wrote: {@code tiledb_arrays.py fixtures}. */
class TileDbStoreTest {
    private static final Shape SHAPE = Shape.of(11, 10);

    @TempDir
    Path temporary;

    private Path small = Path.of("");

    @BeforeEach
    void unpack() throws IOException {
        small = Fixtures.copy("tiledb/small", temporary, true);
        for (String array : List.of("both", "part", "odd", "sparse")) {
            for (String empty : List.of("__commits", "__fragments", "__meta", "__fragment_meta", "__labels")) {
                Files.createDirectories(small.resolve(array).resolve(empty));
            }
        }
    }

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    /** {@return all elements, read chunk by chunk into direct and other buffers in turn} */
    private static ByteBuffer read(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            ArraySpec spec = reader.spec();
            int size = spec.dataType().itemSize();
            ByteBuffer all = ByteBuffer.allocate((int) spec.bytes()).order(spec.byteOrder());
            Region whole = Region.whole(spec.shape());
            for (long chunk = 0; chunk < spec.chunks().count(); chunk++) {
                Region region = spec.chunks().regionAt(chunk);
                int bytes = (int) region.elements() * size;
                ByteBuffer target = chunk % 2 == 0 ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
                assertTrue(reader.read(region, target, Scratch.allocate(0)));
                for (int i = 0; i < region.elements(); i++) {
                    long[] index = {region.start(0) + i / region.extent(1), region.start(1) + i % region.extent(1)};
                    for (int b = 0; b < size; b++) {
                        all.put((int) whole.ordinal(index) * size + b, target.get(i * size + b));
                    }
                }
            }
            return all;
        }
    }

    private static double[] doubles(int count, IntFunction<Number> element) {
        return IntStream.range(0, count)
                .mapToDouble(i -> element.apply(i).doubleValue())
                .toArray();
    }

    @Test
    void attributesOfAnArrayAreArraysOfAGroup() throws IOException {
        try (ChunkStore store = Stores.open(small.resolve("both"))) {
            assertEquals(List.of("i2", "f4"), store.children(""));
            GroupNode group = (GroupNode) store.node("").orElseThrow();
            assertEquals(Map.of("title", "\u00fc", "list", List.of(1L, 2L), "empty", ""), group.attributes());
            ArraySpec shorts = spec(store, "i2");
            assertEquals(DataType.INT16, shorts.dataType());
            assertEquals(SHAPE, shorts.shape());
            assertEquals(Shape.of(4, 3), shorts.chunks().chunkShape());
            assertEquals(List.of("y", "x"), shorts.dimensionNames());
            assertEquals(Map.of("units", "m", TileDb.DOMAIN_START, List.of(-2L, 1L)), shorts.attributes());
            assertEquals(
                    List.of(
                            CodecSpec.of("transpose").with("order", List.of(1L, 0L)),
                            CodecSpec.of("shuffle").with("elementsize", 2L),
                            CodecSpec.of("zstd").with("level", 3L)),
                    shorts.codecs());
            ByteBuffer found = read(store, "i2");
            assertArrayEquals(doubles(110, i -> i), doubles(110, i -> found.getShort(2 * i)));
            ByteBuffer floats = read(store, "f4");
            assertArrayEquals(doubles(110, i -> i), doubles(110, i -> floats.getFloat(4 * i)));
            assertEquals(
                    7.5f,
                    ByteBuffer.wrap(spec(store, "f4").fillValue().bytes().orElseThrow())
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getFloat());
        }
    }

    @Test
    void anArrayIsReadAsOfATime() throws IOException {
        URI now = small.resolve("part").toUri();
        assertEquals(20, third(now.toString()));
        assertEquals(10, third(now + "?timestamp=10"));
        assertEquals(10, third(now + "?timestamp=1970-01-01T00:00:00.015Z"));
        assertEquals(-9, third(now + "?timestamp=0"));
        for (String wrong : List.of("timestamp=soon", "timestamp=-1", "time=10")) {
            assertThrows(StoreException.class, () -> third(now + "?" + wrong), wrong);
        }
    }

    /** {@return an element that was written twice} The store is opened again by its descriptor. */
    private static int third(String uri) throws IOException {
        try (ChunkStore store = new StoresByUri().open(URI.create(uri));
                ChunkStore again =
                        new StoresByUri().open(store.descriptor().orElseThrow()).orElseThrow()) {
            assertEquals(store.identity(), again.identity());
            return read(again, "").getInt(4 * (2 * 10 + 2));
        }
    }

    @Test
    void whatIsNotExpressedIsSaid() throws IOException {
        try (ChunkStore store = TileDb.open(small)) {
            assertEquals(List.of("both", "odd", "part", "sparse"), store.children(""));
            assertTrue(store.omissions("").get(0).contains("is outside of the group"), store.omissions("")::toString);
            assertEquals(List.of("whole", "three"), store.children("odd"));
            assertEquals(Shape.of(11, 10, 3), spec(store, "odd/three").shape());
            assertEquals(
                    List.of(
                            "the attribute \"text\" has values of variable length (STRING_ASCII), and is left out",
                            "the attribute \"maybe\" is nullable, and is left out"),
                    store.omissions("odd"));
            StoreException sparse = assertThrows(StoreException.class, () -> store.node("sparse"));
            assertTrue(sparse.problem().contains("is a sparse array of TileDB"), sparse.problem());
        }
    }

    @Test
    void arraysOfNewerVersionsAreRefused() throws IOException {
        Path newer = Fixtures.copy("tiledb/newer", temporary, true);
        StoreException e = assertThrows(StoreException.class, () -> Stores.open(newer));
        assertTrue(e.problem().contains("was written by a newer TileDB, in version 22"), e.problem());
    }

    /** Cuts each file, and changes some of its bytes in turn: the JVM does not crash. */
    @Test
    void damageIsRefused() throws IOException {
        Path array = small.resolve("both");
        List<Path> files;
        try (Stream<Path> found = Files.walk(array)) {
            files = found.filter(Files::isRegularFile).sorted().toList();
        }
        int refused = 0;
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            for (int at = 0; at < Math.min(bytes.length, 24); at += 5) {
                byte[] changed = bytes.clone();
                changed[at] = (byte) ~changed[at];
                Files.write(file, changed);
                refused += isRefused(array) ? 1 : 0;
            }
            for (int length : new int[] {0, bytes.length / 2}) {
                Files.write(file, Arrays.copyOf(bytes, Math.max(0, length)));
                refused += isRefused(array) ? 1 : 0;
            }
            Files.write(file, bytes);
        }
        assertTrue(refused > files.size(), refused + " were refused");
    }

    private static boolean isRefused(Path array) throws IOException {
        try (ChunkStore store = Stores.open(array)) {
            for (String child : store.children("")) {
                read(store, child);
            }
            return false;
        } catch (StoreException e) {
            assertTrue(e.problem().contains(array.toString()), e.problem());
            return true;
        }
    }
}
