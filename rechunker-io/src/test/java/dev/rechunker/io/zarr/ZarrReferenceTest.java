package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.copy.StridedCopy;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.ReferencePrograms;
import dev.rechunker.io.ReferenceTest;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.WriteTraits.PartTraits;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * zarr-python and zarrita read arrays that this library writes, and this library reads arrays that zarr-python writes.
 * Every element is compared.
 */
@ReferenceTest
class ZarrReferenceTest {
    @TempDir
    Path temporary;

    private void python(String command, Path container) throws IOException, InterruptedException {
        String dumps = temporary.resolve("dumps").toString();
        ReferencePrograms.python(temporary, "zarr/reference.py", command, container.toString(), dumps);
    }

    private void zarrita(Path container, Iterable<String> paths) throws IOException, InterruptedException {
        String modules = Objects.requireNonNull(
                System.getenv("RECHUNKER_NODE_MODULES"),
                "RECHUNKER_NODE_MODULES is not set; set it to the directory whose node_modules contains zarrita");
        Path link = Files.createSymbolicLink(
                temporary.resolve("node_modules"), Path.of(modules).resolve("node_modules"));
        Files.createDirectories(temporary.resolve("dumps"));
        List<String> command = new ArrayList<>(List.of(
                "node",
                ReferencePrograms.script("zarr/reference.mjs", temporary).toString(),
                container.toString(),
                temporary.resolve("dumps").toString()));
        paths.forEach(command::add);
        try {
            ReferencePrograms.run(temporary, command);
        } finally {
            Files.delete(link);
        }
    }

    private byte[] dump(String path) throws IOException {
        return Files.readAllBytes(temporary.resolve("dumps").resolve(path.replace('/', '~') + ".bin"));
    }

    @Test
    void arraysOfZarrPythonAreRead() throws Exception {
        Path container = temporary.resolve("python.zarr");
        python("write", container);
        ChunkStore store = Zarr.open(container);
        List<String> arrays = Elements.arrays(store, "");
        for (String path : arrays) {
            assertArrayEquals(dump(path), Elements.read(store, path), path);
        }
        assertTrue(arrays.size() > 100, "only " + arrays);
        GroupNode root = (GroupNode) store.node("").orElseThrow();
        assertTrue(root.consolidated());
        assertEquals("caf\u00e9 \ud83d\udd2c", root.attributes().get("title"));
        assertEquals(1.0, root.attributes().get("one"));
        assertEquals(Double.NaN, root.attributes().get("nan"));
        assertEquals(BigInteger.TWO.pow(70), root.attributes().get("big"));
        ArraySpec named = ((ArrayNode) store.node("layout/sep46").orElseThrow()).spec();
        assertEquals(List.of("z", "y", "x"), named.dimensionNames());
    }

    /** Copies all arrays that zarr-python wrote; zarr-python reads the copies. */
    @Test
    void zarrPythonReadsOurArrays() throws Exception {
        Path container = temporary.resolve("python.zarr");
        python("write", container);
        ChunkStore source = Zarr.open(container);
        Path copy = temporary.resolve("copy.zarr");
        ChunkStore target = Zarr.create(copy);
        List<String> arrays = Elements.arrays(source, "");
        Map<String, byte[]> expected = new TreeMap<>();
        for (String path : arrays) {
            ArraySpec spec = ((ArrayNode) source.node(path).orElseThrow()).spec();
            assertEquals(spec, target.resolve(spec), path);
            byte[] elements = Elements.read(source, path);
            Elements.write(target, path, spec, elements);
            expected.put(path, elements);
            Files.delete(temporary.resolve("dumps").resolve(path.replace('/', '~') + ".bin"));
        }
        target.writeGroup("", ((GroupNode) source.node("").orElseThrow()).attributes());
        target.finish(true);
        assertTrue(Files.exists(copy.resolve(".zmetadata")));
        python("read", copy);
        for (String path : arrays) {
            assertArrayEquals(expected.get(path), dump(path), path);
        }
    }

    @Test
    void zarrPythonReadsRecordsWithPadding() throws Exception {
        Path container = temporary.resolve("padded.zarr");
        ChunkStore store = Zarr.create(container, ZarrFormat.V2);
        Map<String, byte[]> expected = new TreeMap<>();
        for (String field : List.of("b", "f1")) {
            String fields = "[[\"f0\",\"|i1\"],[\"\",\"|V7\"],[\"" + field + "\",\"<f8\"]]";
            ArraySpec spec = Specs.cube(DataType.opaque(16, fields)).build();
            expected.put(field, Elements.random(spec, 3));
            Elements.write(store, field, spec, expected.get(field));
        }
        store.writeGroup("", Map.of());
        store.finish(false);
        python("read", container);
        for (Map.Entry<String, byte[]> array : expected.entrySet()) {
            assertArrayEquals(array.getValue(), dump(array.getKey()), array.getKey());
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void zarritaReadsOurArrays(ZarrFormat format) throws Exception {
        Path container = temporary.resolve("ours.zarr");
        ChunkStore store = Zarr.create(container, format);
        Map<String, byte[]> expected = new TreeMap<>();
        for (DataType type : Specs.TYPES) {
            boolean readable = switch (type.kind()) {
                case BOOL, INT, UINT -> true;
                case FLOAT -> type.itemSize() > 2;
                default -> false;
            };
            for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                if (readable) {
                    put(store, "types/" + type + order, Specs.cube(type).byteOrder(order), expected);
                }
            }
        }
        for (Map.Entry<String, List<CodecSpec>> codecs : Specs.shared().entrySet()) {
            boolean readable = !codecs.getKey().equals("bz2")
                    && (format == ZarrFormat.V2
                            || !List.of("zlib", "lz4", "shuffle", "delta").contains(codecs.getKey()));
            if (readable) {
                put(store, codecs.getKey(), Specs.cube(DataType.UINT16).codecs(codecs.getValue()), expected);
            }
        }
        for (String separator : List.of(".", "/")) {
            Map<String, String> hints = Map.of(Hints.FORMAT, format.number(), Hints.SEPARATOR, separator);
            put(
                    store,
                    "sep" + separator.codePointAt(0),
                    Specs.cube(DataType.INT16).hints(hints),
                    expected);
        }
        if (format == ZarrFormat.V3) {
            Map<String, String> keys = Map.of(Hints.FORMAT, "3", Hints.KEYS, "v2", Hints.SEPARATOR, ".");
            put(store, "keys", Specs.cube(DataType.INT16).hints(keys), expected);
            for (String index : List.of("end,little,crc32c", "end,little")) {
                for (List<CodecSpec> codecs : List.of(
                        List.<CodecSpec>of(),
                        List.of(Specs.codec("zstd", "level", 1L)),
                        List.of(V2Codecs.reversed(3), Specs.codec("blosc"), Specs.codec("crc32c")))) {
                    ArraySpec.Builder spec = Specs.cube(DataType.UINT16)
                            .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 4, 15)))
                            .codecs(codecs)
                            .hints(Map.of(Hints.INDEX, index));
                    put(store, "shards/" + index.replace(',', '_') + codecs.size(), spec, expected);
                }
            }
        }
        store.writeGroup("", Map.of());
        zarrita(container, expected.keySet());
        for (Map.Entry<String, byte[]> array : expected.entrySet()) {
            assertArrayEquals(array.getValue(), dump(array.getKey()), array.getKey());
        }
    }

    /** Chunks and shards that were assembled from parts, whose bytes have an unusual order. */
    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void othersReadUnitsThatWereAssembledFromParts(ZarrFormat format) throws Exception {
        Path container = temporary.resolve("parts.zarr");
        Map<String, byte[]> expected = new TreeMap<>();
        try (ChunkStore store = Zarr.create(container, format)) {
            for (String codec : List.of("lz4", "zstd", "zlib")) {
                for (boolean noise : new boolean[] {false, true}) {
                    for (int shuffle = 0; shuffle < 3; shuffle++) {
                        ArraySpec spec = Specs.spec(DataType.UINT16, new long[] {150, 40, 50}, 140, 40, 45)
                                .codecs(List.of(
                                        Specs.codec("blosc", "cname", codec, "clevel", 1L, "shuffle", (long) shuffle)))
                                .fillValue(FillValue.of(new byte[] {1, 0}))
                                .build();
                        parts(store, codec + shuffle + (noise ? "noise" : "data"), spec, noise, expected);
                    }
                }
            }
            if (format == ZarrFormat.V3) {
                for (String index : List.of("end,little,crc32c", "end,big")) {
                    ArraySpec spec = Specs.cube(DataType.UINT16)
                            .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 8, 15)))
                            .codecs(List.of(Specs.codec("zstd", "level", 1L)))
                            .fillValue(FillValue.of(new byte[] {1, 0}))
                            .hints(Map.of(Hints.INDEX, index))
                            .build();
                    parts(store, "shards-" + index.length(), spec, true, expected);
                }
            }
            store.writeGroup("", Map.of());
        }
        zarrita(container, expected.keySet());
        for (Map.Entry<String, byte[]> array : expected.entrySet()) {
            assertArrayEquals(array.getValue(), dump(array.getKey()), array.getKey());
        }
        if (format == ZarrFormat.V2) {
            python("read", container);
            for (Map.Entry<String, byte[]> array : expected.entrySet()) {
                assertArrayEquals(array.getValue(), dump(array.getKey()), array.getKey());
            }
        }
    }

    /** Writes an array part by part, in reverse order, and omits every fifth part. */
    private static void parts(
            ChunkStore store, String path, ArraySpec spec, boolean noise, Map<String, byte[]> expected)
            throws IOException {
        Data data = noise
                ? Data.of(spec, path.hashCode())
                : Data.of(spec, (place, element) -> element[0] = (byte) (place / 37));
        ArraySpec resolved = store.resolve(spec);
        PartTraits traits = store.writeTraits(resolved).parts().orElseThrow();
        Scratch scratch = Data.scratch(traits.scratchBytes());
        byte[] all = data.elements();
        try (ArrayWriter writer = store.create(path, resolved, false)) {
            for (long part = traits.grid().count() - 1; part >= 0; part--) {
                Region region = traits.grid().regionAt(part);
                if (part % 5 == 3) {
                    writer.parts().orElseThrow().omitPart(region, scratch);
                    StridedCopy.fill(
                            ByteBuffer.wrap(all),
                            Elements.offset(spec, region),
                            StridedCopy.denseStrides(spec.shape().toArray(), 2),
                            region.shape().toArray(),
                            spec.fillValue().element(2));
                } else {
                    byte[] elements = data.elements(region);
                    ByteBuffer direct = ByteBuffer.allocateDirect(elements.length);
                    writer.parts()
                            .orElseThrow()
                            .writePart(region, direct.put(elements).flip(), scratch);
                }
            }
            writer.commit();
        }
        expected.put(path, all);
    }

    /** Writes an array, and adds its elements in little-endian order to {@code expected}. */
    private static void put(ChunkStore store, String path, ArraySpec.Builder builder, Map<String, byte[]> expected)
            throws IOException {
        int size = builder.build().dataType().itemSize();
        ArraySpec spec = builder.fillValue(FillValue.zero(size)).build();
        byte[] elements = Elements.random(spec, path.hashCode());
        boolean swap = spec.byteOrder() == ByteOrder.BIG_ENDIAN;
        if (spec.dataType().kind() == DataType.Kind.FLOAT) {
            for (int i = swap ? 0 : size - 1; i < elements.length; i += size) {
                elements[i] &= (byte) 0xbf; // avoids NaN, whose payload JavaScript does not keep
            }
        }
        Elements.write(store, path, spec, elements);
        expected.put(
                path,
                swap
                        ? FillValue.of(elements)
                                .swapped(spec.dataType().wordSize())
                                .element(elements.length)
                        : elements);
    }
}
