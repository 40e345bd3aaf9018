package dev.rechunker.io.tiledb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.AttributeType;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.UnsupportedArrayException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests new directories of TileDB: what comes back, what is refused, and what is left of what is not finished. */
class TileDbTargetTest {
    @TempDir
    Path temporary;

    private static ArraySpec.Builder numbers(long... shape) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(shape), Shape.of(shape)), DataType.INT16);
    }

    private static void write(ChunkStore store, String path, ArraySpec wanted, int value) throws IOException {
        ArraySpec spec = store.resolve(wanted);
        try (ArrayWriter writer = store.create(path, spec, true)) {
            Region whole = Region.whole(spec.shape());
            ByteBuffer data = ByteBuffer.allocate((int) spec.bytes());
            while (data.hasRemaining()) {
                data.put((byte) value);
            }
            writer.write(whole, data.flip(), Scratch.allocate(0));
            writer.commit();
        }
    }

    private static ArraySpec spec(ChunkStore store, String path) throws IOException {
        return ((ArrayNode) store.node(path).orElseThrow()).spec();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> found = Files.list(temporary)) {
            return found.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void everythingThatTileDbHasComesBack() throws IOException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put("text", "\u00fc\ud83d\ude00");
        attributes.put("empty", "");
        attributes.put("whole", -3L);
        attributes.put("short", 7L);
        attributes.put("part", 0.1);
        attributes.put("nan", "NaN");
        attributes.put("flag", true);
        attributes.put("numbers", List.of(1L, 2L));
        attributes.put("floats", List.of(1.5, -2.5));
        attributes.put("one", List.of(1L));
        attributes.put("none", List.of());
        attributes.put("null", null);
        attributes.put("texts", List.of("a", "b"));
        attributes.put("nested", Map.of("a", List.of(1L, "b")));
        attributes.put(TileDb.DOMAIN_START, List.of(-5L, 3L));
        Map<String, AttributeType> types = Map.of(
                "short", AttributeType.of("int16", Shape.of()),
                "floats", AttributeType.of("float32", Shape.of(2)),
                "nan", AttributeType.of("float64", Shape.of()));
        Path place = temporary.resolve("a.tdb");
        ArraySpec resolved;
        try (ChunkStore store = Stores.create(place)) {
            ArraySpec wanted = numbers(4, 6)
                    .fillValue(FillValue.of((byte) 1, (byte) 2))
                    .missingValue(FillValue.of((byte) 3, (byte) 4))
                    .dimensionNames(List.of("y", "x"))
                    .codecs(CodecSpec.parse("shuffle:elementsize=2+zstd:level=5"))
                    .attributes(attributes)
                    .attributeTypes(types)
                    .build();
            resolved = store.resolve(wanted);
            assertEquals(wanted.missingValue(), resolved.missingValue());
            Map<String, @Nullable Object> kept = new LinkedHashMap<>(resolved.attributes());
            kept.put("nan", "NaN");
            assertEquals(attributes, kept);
            write(store, "b/c", wanted, 9);
            store.writeGroup("b", GroupSpec.of(attributes), false);
            store.finish(false);
        }
        assertEquals(List.of("a.tdb"), names());
        try (ChunkStore store = Stores.open(place)) {
            assertEquals(resolved, spec(store, "b/c"));
            assertEquals(attributes, ((GroupNode) store.node("b").orElseThrow()).attributes());
            assertEquals(List.of("b"), store.children(""));
            assertEquals(0x0909, first(store, "b/c"));
        }
    }

    private static int first(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            ByteBuffer data = ByteBuffer.allocate((int) reader.spec().bytes());
            reader.read(Region.whole(reader.spec().shape()), data, Scratch.allocate(0));
            return data.getShort(0);
        }
    }

    @Test
    void aDirectoryIsReplacedAsAWholeOrNotAtAll() throws IOException {
        Path place = temporary.resolve("a.tdb");
        for (int value : new int[] {1, 2}) {
            try (ChunkStore store = TileDb.create(place)) {
                write(store, "x", numbers(3).build(), value);
                if (value == 2) {
                    write(store, "y", numbers(3).build(), value);
                }
                store.finish(false);
                assertEquals(257 * value, first(store, "x"));
            }
        }
        try (ChunkStore store = TileDb.create(place)) {
            StoreException e = assertThrows(
                    StoreException.class,
                    () -> store.requireFree("x", store.resolve(numbers(3).build()), false));
            assertTrue(e.problem().contains("nothing can be added to a directory of TileDB"), e.problem());
            write(store, "x", numbers(3).build(), 3);
        }
        assertEquals(List.of("a.tdb"), names());
        try (ChunkStore store = Stores.open(place)) {
            assertEquals(List.of("x", "y"), store.children(""));
            assertEquals(0x0202, first(store, "x"));
        }
        Path other = Files.createDirectory(temporary.resolve("other.tdb"));
        Files.createFile(other.resolve("mine"));
        try (ChunkStore store = TileDb.create(other)) {
            StoreException e = assertThrows(
                    StoreException.class,
                    () -> store.requireFree("x", store.resolve(numbers(3).build()), true));
            assertTrue(e.problem().contains("neither an array nor a group of TileDB"), e.problem());
        }
    }

    @Test
    void whatTileDbDoesNotHaveIsRefusedOrChanged() throws IOException {
        try (ChunkStore store = TileDb.create(temporary.resolve("a.tdb"))) {
            List<ArraySpec> refused = new ArrayList<>();
            refused.add(numbers(3).dataType(DataType.FLOAT16).build());
            refused.add(numbers(3).dataType(DataType.text()).build());
            refused.add(ArraySpec.builder(ChunkGrid.regular(Shape.of(0), Shape.of(1)), DataType.INT8)
                    .build());
            for (ArraySpec spec : refused) {
                assertThrows(UnsupportedArrayException.class, () -> store.resolve(spec), spec::toString);
            }
            for (String codec : List.of("lzma", "zstd:level=99", "zstd+gzip")) {
                ArraySpec spec = numbers(3).codecs(CodecSpec.parse(codec)).build();
                assertThrows(StoreException.class, () -> store.resolve(spec), codec);
                store.resolve(store.rules().adopt(spec));
            }
            ArraySpec changed = store.resolve(numbers(3, 3, 3)
                    .dimensionNames(List.of("x", "x", "__own"))
                    .unlimitedAxes(Set.of(0))
                    .build());
            List<@Nullable String> names = new ArrayList<>(List.of("x"));
            names.add(null);
            names.add(null);
            assertEquals(names, changed.dimensionNames());
            assertEquals(Set.of(), changed.unlimitedAxes());
            assertEquals(
                    Shape.of(3),
                    store.resolve(ArraySpec.builder(ChunkGrid.regular(Shape.of(3), Shape.of(100)), DataType.INT8)
                                    .build())
                            .chunks()
                            .chunkShape());
            assertThrows(StoreException.class, () -> store.rules().requireName("a/__meta"));
        }
        assertFalse(Files.exists(temporary.resolve("a.tdb")));
    }
}
