package dev.rechunker.io.n5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.ChunkRule;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies from Zarr to N5 and back: elements, names of axes and attributes are kept. */
class CopyTest {
    @TempDir
    Path temporary;

    private static byte[] read(ChunkStore store, String path) throws IOException {
        try (ArrayReader reader = store.openReader(path)) {
            return Data.readAll(reader);
        }
    }

    private static byte[] swapped(byte[] elements, int wordSize) {
        return FillValue.of(elements).swapped(wordSize).element(elements.length);
    }

    /** Writes an array with features that N5 lacks: little-endian, a fill value, other codecs; one chunk is missing. */
    private static void source(ChunkStore store) throws IOException {
        store.writeGroup("", Map.of("title", "t", "multiscales", List.of(Map.of("version", "0.4"))));
        store.writeGroup("g/empty", Map.of());
        store.writeGroup("g", Map.of("nested", Map.of("a", List.of(1L, 2.5))));
        ArraySpec filled = N5Specs.cube(DataType.UINT16)
                .fillValue(FillValue.of((byte) 7, (byte) 1))
                .codecs(CodecSpec.parse("shuffle:elementsize=2+zlib:level=1"))
                .dimensionNames(List.of("z", "y", "x"))
                .attributes(Map.of("units", "nm"))
                .build();
        Data.of(store.resolve(filled), 1).write(store, "g/filled", unit -> unit != 4);
        ArraySpec floats = N5Specs.spec(DataType.FLOAT64, new long[] {20, 30}, 7, 30)
                .codecs(CodecSpec.parse("zstd:level=2"))
                .build();
        Data.of(store.resolve(floats), 2).write(store, "floats");
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void zarrToN5AndBack(ZarrFormat format) throws Exception {
        try (ChunkStore zarr = Zarr.create(temporary.resolve("a.zarr"), format);
                ChunkStore n5 = N5.create(temporary.resolve("b.n5"));
                ChunkStore back = Zarr.create(temporary.resolve("c.zarr"), format)) {
            source(zarr);
            Rechunker.from(zarr)
                    .to(n5)
                    .chunks(ChunkRule.named("*filled", "5, 5, 5").orElseKeep())
                    .maxMem("16MB")
                    .execute();
            Rechunker.from(n5)
                    .to(back)
                    .chunks(ChunkRule.named("*filled", "3, 4, 5").orElseKeep())
                    .maxMem("16MB")
                    .execute();
            for (String group : List.of("", "g", "g/empty")) {
                GroupNode wanted = (GroupNode) zarr.node(group).orElseThrow();
                assertEquals(wanted.attributes(), ((GroupNode) n5.node(group).orElseThrow()).attributes());
                assertEquals(wanted.attributes(), ((GroupNode) back.node(group).orElseThrow()).attributes());
            }
            ArraySpec between = N5Specs.found(n5, "g/filled");
            assertEquals(List.of(CodecSpec.of("gzip").with("level", 6L)), between.codecs());
            assertEquals(
                    List.of(CodecSpec.of("zstd").with("level", 2L)),
                    N5Specs.found(n5, "floats").codecs());
            for (String path : List.of("g/filled", "floats")) {
                ArraySpec wanted = N5Specs.found(zarr, path);
                ArraySpec found = N5Specs.found(back, path);
                assertEquals(wanted.dimensionNames(), N5Specs.found(n5, path).dimensionNames());
                assertEquals(wanted.attributes(), N5Specs.found(n5, path).attributes());
                assertEquals(wanted.dimensionNames(), found.dimensionNames());
                assertEquals(wanted.attributes(), found.attributes());
                assertEquals(wanted.chunks(), found.chunks());
                assertEquals(ByteOrder.BIG_ENDIAN, found.byteOrder());
                byte[] swapped = swapped(read(zarr, path), wanted.dataType().wordSize());
                assertArrayEquals(swapped, read(n5, path), path + " in N5: also where no chunk was written");
                assertArrayEquals(swapped, read(back, path), path + " in Zarr again");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void everyCodecOfN5IsConvertedToOneOfZarr(ZarrFormat format) throws Exception {
        try (ChunkStore n5 = N5.create(temporary.resolve("a.n5"));
                ChunkStore zarr = Zarr.create(temporary.resolve("b.zarr"), format);
                ChunkStore again = N5.create(temporary.resolve("c.n5"))) {
            int n = 0;
            for (List<CodecSpec> codecs : N5Specs.codecs()) {
                ArraySpec spec =
                        n5.resolve(N5Specs.cube(DataType.INT32).codecs(codecs).build());
                Data data = Data.of(spec, n);
                data.write(n5, "a" + n++);
            }
            Rechunker.from(n5).to(zarr).chunks("4, 6, 6").maxMem("32MB").execute();
            Rechunker.from(zarr).to(again).chunks("3, 4, 5").maxMem("32MB").execute();
            for (String path : n5.children("")) {
                assertArrayEquals(read(n5, path), read(zarr, path), path);
                assertArrayEquals(read(n5, path), read(again, path), path);
                ArraySpec wanted = N5Specs.found(n5, path);
                boolean shared = wanted.codecs().stream()
                        .map(CodecSpec::name)
                        .allMatch(name -> format == ZarrFormat.V2
                                ? !name.equals("lz4block")
                                : List.of("blosc", "gzip", "zstd").contains(name));
                if (shared) {
                    assertEquals(wanted, N5Specs.found(again, path), "codecs that N5 and Zarr share");
                }
            }
            ArraySpec theirs = N5Specs.cube(DataType.INT32)
                    .codecs(CodecSpec.parse("lz4block"))
                    .build();
            assertThrows(StoreException.class, () -> zarr.resolve(theirs));
        }
    }

    /** Requested codecs are refused instead of being converted. */
    @Test
    void requestedCodecsAreNotReplaced() throws Exception {
        try (ChunkStore zarr = Zarr.create(temporary.resolve("a.zarr"));
                ChunkStore n5 = N5.create(temporary.resolve("b.n5"))) {
            source(zarr);
            Rechunker.Job job =
                    Rechunker.from(zarr.at("floats")).to(n5).chunks("keep").maxMem("16MB");
            assertThrows(
                    StoreException.class,
                    () -> job.codec("delta:dtype=<f8+zstd").plan());
            assertThrows(StoreException.class, () -> job.shards("14, 30").plan());
            assertThrows(StoreException.class, () -> job.format("zarr3").plan());
            job.codec("blosc:cname=zstd").format("n5").execute();
            ArraySpec made = N5Specs.found(n5, "");
            assertTrue(made.codecs().toString().startsWith("[blosc{cname=zstd, clevel=5, shuffle=shuffle, typesize=8"));
            assertArrayEquals(swapped(read(zarr, "floats"), 8), read(n5, ""));
        }
    }

    @Test
    void invalidAttributesOfGroupsAreRefusedFirst() throws Exception {
        for (Map<String, Object> attributes : List.of(
                Map.<String, Object>of("n5", "hello"),
                Map.<String, Object>of("dataType", "int8", "blockSize", List.of(2L)),
                Map.<String, Object>of("dimensions", List.of(3L), "compression", "gzip"),
                Map.<String, Object>of("dimensions", List.of(3L), "dataType", "int8", "blockSize", List.of(2L)))) {
            MemoryStore source = new MemoryStore();
            source.writeGroup("", attributes);
            Data.of(N5Specs.cube(DataType.INT16).build()).write(source, "v");
            Path place = temporary.resolve("refused.n5");
            try (ChunkStore target = N5.create(place)) {
                Rechunker.Job job =
                        Rechunker.from(source).to(target).chunks("keep").maxMem("4MB");
                StoreException e = assertThrows(StoreException.class, job::plan);
                assertTrue(String.valueOf(e.getMessage()).contains("rename or remove"), e::getMessage);
            }
            assertFalse(Files.exists(place));
        }
    }

    @Test
    void aVersionInAGroupIsNotAnAttributeAndIsALoss() throws Exception {
        MemoryStore source = new MemoryStore();
        source.writeGroup("g", Map.of("n5", "3.0.0", "k", 1L));
        Data.of(N5Specs.cube(DataType.INT16).build()).write(source, "v");
        try (ChunkStore target = N5.create(temporary.resolve("said.n5"))) {
            List<String> losses = Loss.sentences(Rechunker.from(source)
                    .to(target)
                    .chunks("keep")
                    .maxMem("4MB")
                    .execute()
                    .losses());
            assertEquals(1, losses.size(), losses::toString);
            assertTrue(losses.get(0).contains("n5"), losses::toString);
            assertEquals(
                    Map.of("k", 1L), ((ChunkStore.GroupNode) target.node("g").orElseThrow()).attributes());
        }
    }
}
