package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.array.GroupSpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Partition;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.json.Json;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversions between {@code attributes.json} and specs, and the handling of properties that N5 lacks. */
class MetadataTest {
    private static final String ARRAY =
            "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'raw'}";

    @TempDir
    Path temporary;

    private static void write(Path file, String json) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, json.replace('\'', '"'));
    }

    private ChunkStore container(String root, String array) throws IOException {
        write(temporary.resolve("attributes.json"), root);
        write(temporary.resolve("x/attributes.json"), array);
        return N5.open(temporary);
    }

    private static void assertRefused(String why, Executable call) {
        StoreException e = assertThrows(StoreException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains(why), e.getMessage());
    }

    // ---- versions ------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(strings = {"'1.0.0'", "'2.5.1'", "'4.0.0'", "'4'", "'4.1.0-SNAPSHOT'", "null"})
    void supportedVersionsAreRead(String version) throws IOException {
        ChunkStore store = container("{'n5': " + version + ", 'title': 't'}", "{" + ARRAY + "}");
        assertEquals(
                new GroupNode(GroupSpec.of(Map.of("title", "t")), false),
                store.node("").orElseThrow());
        Data.of(N5Specs.found(store, "x")).write(store, "y");
        assertTrue(Files.readString(temporary.resolve("attributes.json"))
                .contains(version.equals("null") ? "\"2.0.0\"" : version.replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'5.0.0'", "'17'", "4", "{}", "'new'", "'99999999999999999999'", "''"})
    void otherVersionsAreRefused(String version) throws IOException {
        assertRefused("attributes.json", () -> container("{'n5': " + version + "}", "{" + ARRAY + "}"));
        ChunkStore store = N5.create(temporary);
        ArraySpec spec = N5Specs.cube(DataType.INT8).build();
        assertRefused("attributes.json", () -> store.create("y", spec, true));
        assertRefused("attributes.json", () -> store.writeGroup("y", Map.of()));
        assertRefused("attributes.json", () -> store.node("x"));
    }

    @Test
    void containersOfOtherFormatsAreRefused() throws IOException {
        write(temporary.resolve(".zgroup"), "{'zarr_format': 2}");
        assertRefused("it is Zarr, not N5", () -> N5.open(temporary));
        ChunkStore store = N5.create(temporary);
        assertRefused("it is Zarr, not N5", () -> store.writeGroup("", Map.of()));
        assertRefused("does not exist", () -> N5.open(temporary.resolve("nowhere")));
        write(temporary.resolve("foreign/file.txt"), "x");
        assertRefused(
                "contains the file \"file.txt\", but no N5 group",
                () -> N5.create(temporary.resolve("foreign")).writeGroup("", Map.of()));
    }

    /** Listing a root with thousands of arrays takes long, and must not be done for each of them. */
    @Test
    void theRootIsListedOnlyUntilItsVersionIsRead() throws IOException {
        KeyStore keys = new DirectoryKeys(temporary);
        List<String> listed = new ArrayList<>();
        ChunkStore store = N5.create((KeyStore) Proxy.newProxyInstance(
                KeyStore.class.getClassLoader(), new Class<?>[] {KeyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("list")) {
                        listed.add((String) arguments[0]);
                    }
                    return method.invoke(keys, arguments);
                }));
        for (int i = 0; i < 20; i++) {
            Data.of(N5Specs.cube(DataType.INT8).build()).write(store, "a" + i);
        }
        assertTrue(Collections.frequency(listed, "") < 4, () -> "listed " + listed);
    }

    // ---- reading -------------------------------------------------------------------------------------------------

    @Test
    void axesAreReversed() throws IOException {
        ChunkStore store = container("{}", "{" + ARRAY + ", 'axes': ['x', 'y'], 'mine': [1, 2]}");
        ArraySpec spec = N5Specs.found(store, "x");
        assertEquals(Shape.of(4, 6), spec.shape());
        assertEquals(Shape.of(2, 3), spec.chunks().chunkShape());
        assertEquals(List.of("y", "x"), spec.dimensionNames());
        assertEquals(Map.of("mine", List.of(1L, 2L)), spec.attributes(), "the user's attributes are not changed");
        Data.of(spec).write(store, "y");
        assertTrue(Files.exists(temporary.resolve("y/1/0")) && !Files.exists(temporary.resolve("y/2")));
        assertTrue(Files.readString(temporary.resolve("y/attributes.json")).contains("\"axes\": [\"x\", \"y\"]"));
        byte[] block = Files.readAllBytes(temporary.resolve("y/1/0"));
        assertEquals(List.of((byte) 3, (byte) 2), List.of(block[7], block[11]), "the header is x first");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'dimensions':[6,4],'blockSize':[3,2],'compression':{'type':'raw'} | no \"dataType\"",
                "'blockSize':[3,2],'dataType':'uint8' | no \"dimensions\"",
                "'dimensions':[6,4],'dataType':'uint8','compression':{'type':'raw'} | no \"blockSize\"",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8' | no \"compression\"",
                "'dimensions':[6,4],'blockSize':[3],'dataType':'uint8','compression':{'type':'raw'} | same length",
                "'dimensions':[],'blockSize':[],'dataType':'uint8','compression':{'type':'raw'} | at least 1",
                "'dimensions':[6,-4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'raw'} | dimensions",
                "'dimensions':[6,4],'blockSize':[3,0],'dataType':'uint8','compression':{'type':'raw'} | blockSize",
                "'dimensions':[6,4],'blockSize':[3,1.5],'dataType':'uint8','compression':{'type':'raw'} | blockSize",
                "'dimensions':[6,4],'blockSize':[3,4e9],'dataType':'uint8','compression':{'type':'raw'} | blockSize",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'int128','compression':{'type':'raw'} | int128",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'bool','compression':{'type':'raw'} | bool",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'jpeg'} | jpeg",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':{'level':1} | type",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':'gzip' | not an object",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compressionType':'jpeg' | jpeg",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'lz4',"
                        + "'acceleration':1} | acceleration",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'blosc',"
                        + "'shuffle':3} | shuffle",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'blosc',"
                        + "'cname':'new'} | new",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'gzip',"
                        + "'level':77} | 77",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'lz4',"
                        + "'blockSize':2000000000} | 2000000000",
                "'dimensions':[6,4],'blockSize':[3,2],'dataType':'uint8','codecs':[] | codecs",
                "'dimensions':[1e18,4],'blockSize':[3,2],'dataType':'uint8','compression':{'type':'raw'} | dimensions",
                "'dimensions':[6,4],'blockSize':[2147483647,2],'dataType':'uint8','compression':{'type':'raw'} | bytes",
                "'dimensions':[6,4],'blockSize':[2147483647,2147483647],'dataType':'uint64',"
                        + "'compression':{'type':'raw'} | 2^63"
            })
    void invalidDocumentsAreRefused(String membersAndWhy) throws IOException {
        int bar = membersAndWhy.indexOf(" | ");
        ChunkStore store = container("{}", "{" + membersAndWhy.substring(0, bar) + "}");
        assertRefused(membersAndWhy.substring(bar + 3), () -> store.openReader("x"));
    }

    @Test
    void aGroupMayHaveDimensions() throws IOException {
        ChunkStore store = container("{}", "{'dimensions': 3, 'axes': ['x']}");
        assertEquals(
                new GroupNode(GroupSpec.of(Map.of("dimensions", 3L, "axes", List.of("x"))), false),
                store.node("x").orElseThrow());
    }

    @Test
    void anArrayMayBeTheRoot() throws IOException {
        Path place = temporary.resolve("root.n5");
        ArraySpec spec =
                N5Specs.cube(DataType.UINT16).attributes(Map.of("a", 1L)).build();
        Data.of(N5.create(place).resolve(spec)).write(N5.create(place), "");
        assertTrue(Files.readString(place.resolve("attributes.json")).startsWith("{\n  \"n5\": \"2.0.0\""));
        assertEquals(Map.of("a", 1L), N5Specs.found(N5.open(place), "").attributes());
        assertEquals(List.of(), N5.open(place).children(""));
    }

    // ---- writing -------------------------------------------------------------------------------------------------

    @Test
    void attributesOfAllKindsAreKept() throws IOException {
        Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
        attributes.put("resolution", List.of(0.5, 2L));
        attributes.put("nested", Map.of("a", Map.of("b", List.of("c"))));
        attributes.put("nothing", null);
        attributes.put("a/b", true);
        attributes.put("n5", "not the root");
        ChunkStore store = N5.create(temporary.resolve("a.n5"));
        ArraySpec spec = store.resolve(N5Specs.cube(DataType.INT8)
                .attributes(attributes)
                .dimensionNames(Arrays.asList("z", null, "x"))
                .build());
        assertEquals(attributes, spec.attributes());
        assertEquals(Arrays.asList("z", null, "x"), spec.dimensionNames());
        Data.of(spec).write(store, "x");
        assertEquals(spec, N5Specs.found(store, "x"));
        assertTrue(Files.readString(temporary.resolve("a.n5/x/attributes.json"))
                .contains("\"axes\": [\"x\", \"\", \"z\"]"));
    }

    @Test
    void dimensionNamesAreTheAttributeAxes() throws IOException {
        ChunkStore store = N5.create(temporary.resolve("a.n5"));
        ArraySpec.Builder spec = N5Specs.cube(DataType.INT8).dimensionNames(List.of("z", "y", "x"));
        ArraySpec other = store.resolve(
                spec.attributes(Map.of("axes", List.of("a", "b", "c"))).build());
        assertEquals(List.of("z", "y", "x"), other.dimensionNames(), "the attribute axes with a name for each axis");
        assertEquals(Map.of(), other.attributes());
        List<Map<String, String>> objects = List.of(Map.of("name", "x"));
        ArraySpec kept = store.resolve(spec.attributes(Map.of("axes", objects)).build());
        assertEquals(List.of(), kept.dimensionNames(), "resolve does not return names that cannot be stored");
        assertEquals(Map.of("axes", objects), kept.attributes());
    }

    @Test
    void unsupportedArraysAreNamed() throws IOException {
        ChunkStore store = N5.create(temporary.resolve("a.n5"));
        ArraySpec.Builder ok = N5Specs.cube(DataType.INT16);
        for (DataType type : List.of(
                DataType.BOOL,
                DataType.FLOAT16,
                DataType.COMPLEX64,
                DataType.bytes(2),
                DataType.unicode(1),
                DataType.datetime64("s"),
                DataType.opaque(2, ""))) {
            assertRefused(
                    type.toString(),
                    () -> store.resolve(store.rules().adopt(N5Specs.cube(type).build())));
        }
        assertRefused(
                "shards",
                () -> store.resolve(ok.shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 8, 10)))
                        .build()));
        ok.shards(null);
        assertRefused(
                "fill value",
                () -> store.resolve(
                        ok.fillValue(FillValue.of((byte) 0, (byte) 1)).build()));
        ok.fillValue(FillValue.UNDEFINED);
        assertRefused(
                "delta",
                () -> store.resolve(
                        ok.codecs(CodecSpec.parse("delta:dtype=<i2+zstd")).build()));
        assertRefused(
                "lz4", () -> store.resolve(ok.codecs(CodecSpec.parse("lz4")).build()));
        assertRefused(
                "\"blockSize\"",
                () -> store.resolve(
                        ok.codecs(List.of()).attributes(Map.of("blockSize", 3L)).build()));
        assertRefused(
                "the same size",
                () -> store.resolve(ArraySpec.builder(ChunkGrid.of(List.of(Partition.ofSizes(1, 3, 2))), DataType.INT16)
                        .build()));
        assertRefused(
                "axes",
                () -> store.resolve(ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), DataType.INT16)
                        .build()));
        assertRefused(
                "zarr2",
                () -> store.resolve(N5Specs.cube(DataType.INT16)
                        .hints(Map.of(ArraySpec.FORMAT_HINT, "zarr2"))
                        .build()));
        assertEquals(
                Map.of(),
                store.resolve(N5Specs.cube(DataType.INT16)
                                .hints(Map.of(ArraySpec.FORMAT_HINT, "n5"))
                                .build())
                        .hints());
        for (Map<String, Object> attributes : List.<Map<String, Object>>of(
                Map.of("dimensions", 1L, "dataType", 2L),
                Map.of("dimensions", 1L, "blockSize", 2L),
                Map.of("dataType", "int8", "blockSize", 2L),
                Map.of("dataType", "int8", "compressionType", "gzip"))) {
            assertRefused(
                    "#g cannot be a group with the attributes "
                            + Json.compact(attributes.keySet().stream().sorted().toList())
                            + ", which describe an array in N5; rename or remove them",
                    () -> store.writeGroup("g", attributes));
        }
        assertRefused("\"n5\"", () -> store.writeGroup("", Map.of("n5", "x")));
        assertTrue(Files.notExists(temporary.resolve("a.n5")), "the directory exists");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none | []",
                "gzip:level=3 | [gzip{level=3}]",
                "zlib:level=2 | [zlib{level=2}]",
                "zstd:level=7,checksum=true | [zstd{level=7}]",
                "bz2:level=4 | [bz2{level=4}]",
                "lz4:acceleration=3 | [lz4block{blocksize=65536}]",
                "lzma:preset=2,format=1,check=-1 | [lzma{preset=2}]",
                "lzma:preset=2,format=2 | [lzma{preset=2}]",
                "blosc:cname=zstd,clevel=3,shuffle=bitshuffle,typesize=1"
                        + " | [blosc{cname=zstd, clevel=3, shuffle=bitshuffle, typesize=2, blocksize=0}]",
                "shuffle:elementsize=2+zlib:level=5 | [gzip{level=6}]",
                "delta:dtype=<i2+zstd | [gzip{level=6}]",
                "transpose:order=F+zstd:level=1 | [zstd{level=1}]",
                "transpose:order=F | []",
                "packbits | [gzip{level=6}]"
            })
    void codecsOfOtherFormatsAreConverted(String foreign, String adopted) throws IOException {
        ChunkStore store = N5.create(temporary.resolve("a.n5"));
        ArraySpec spec = N5Specs.cube(DataType.INT16)
                .codecs(CodecSpec.parse(foreign))
                .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 8, 10)))
                .byteOrder(ByteOrder.LITTLE_ENDIAN)
                .fillValue(FillValue.of((byte) 7, (byte) 0))
                .attributes(Map.of("dataType", "mine", "kept", 1L))
                .build();
        ArraySpec result = store.resolve(store.rules().adopt(spec));
        assertEquals(adopted, result.codecs().toString());
        assertEquals(result, store.resolve(store.rules().adopt(result)), "adopt changes a spec of N5");
        assertEquals(ByteOrder.BIG_ENDIAN, result.byteOrder());
        assertEquals(FillValue.zero(2), result.fillValue());
        assertTrue(result.shards().isEmpty());
        assertEquals(Map.of("kept", 1L), result.attributes());
    }

    // ---- publication ---------------------------------------------------------------------------------------------

    @Test
    void anUnfinishedArrayIsNotANode() throws IOException {
        Path place = temporary.resolve("a.n5");
        ChunkStore store = N5.create(place);
        Data data = Data.of(store.resolve(N5Specs.cube(DataType.UINT16).build()));
        try (ArrayWriter writer = store.create("g/x", data.spec(), false)) {
            data.writeUnit(writer, 0);
            assertTrue(store.node("g/x").isEmpty() && store.node("g/x/0").isEmpty());
            assertEquals(List.of(), store.children("g"));
            assertEquals(List.of(), store.children("g/x"));
            assertRefused("is being written", () -> store.writeGroup("g/x", Map.of()));
        }
        assertRefused(
                "another array",
                () -> store.create(
                        "g/x", store.resolve(N5Specs.cube(DataType.INT8).build()), false));
        data.write(store, "g/x");
        data.check(store, "g/x");
        assertTrue(Files.notExists(place.resolve("g/x/.rechunker-pending")));
        assertEquals(List.of("x"), store.children("g"));
    }

    @Test
    void overwritingRemovesBlocksAndNothingElse() throws IOException {
        Path place = temporary.resolve("a.n5");
        ChunkStore store = N5.create(place);
        Data.of(store.resolve(N5Specs.cube(DataType.UINT16).build())).write(store, "x");
        write(place.resolve("x/notes.txt"), "mine");
        ArraySpec spec = store.resolve(
                N5Specs.spec(DataType.INT8, new long[] {4, 4}, 4, 4).build());
        try (ArrayWriter writer = store.create("x", spec, true)) {
            writer.commit();
        }
        assertTrue(Files.exists(place.resolve("x/notes.txt")) && Files.notExists(place.resolve("x/0")));
        assertEquals(spec, N5Specs.found(store, "x"));
    }
}
