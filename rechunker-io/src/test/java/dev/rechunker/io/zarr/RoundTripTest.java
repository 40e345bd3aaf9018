package dev.rechunker.io.zarr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayReader.EncodedSource;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.WriteTraits.EncodedTraits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays that were written are read back bit for bit, with the spec that {@code resolve} returned. */
class RoundTripTest {
    @TempDir
    Path temporary;

    private ArraySpec roundTrip(ChunkStore store, String path, ArraySpec wanted) throws IOException {
        ArraySpec resolved = store.resolve(wanted);
        assertEquals(resolved, store.resolve(resolved), "resolve changes what it returned");
        byte[] elements = Elements.random(resolved, path.hashCode());
        Elements.write(store, path, wanted, elements);
        ArraySpec found = ((ArrayNode) store.node(path).orElseThrow()).spec();
        assertEquals(resolved, found, path);
        assertArrayEquals(elements, Elements.read(store, path), path);
        return found;
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void everyTypeAndByteOrderIsReadBack(ZarrFormat format) throws IOException {
        ChunkStore store = Zarr.create(temporary.resolve("a.zarr"), format);
        for (DataType type : Specs.TYPES) {
            for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                ArraySpec spec = Specs.cube(type)
                        .byteOrder(order)
                        .fillValue(FillValue.zero(type.itemSize()))
                        .codecs(List.of(Specs.codec("zstd", "level", 1L)))
                        .build();
                String path = type.name().replaceAll("[\\[\\]]", "_") + "/" + order;
                ArraySpec found = roundTrip(store, path, spec);
                assertEquals(type, found.dataType());
                assertEquals(type.wordSize() > 1 ? order : ByteOrder.LITTLE_ENDIAN, found.byteOrder());
            }
        }
    }

    @Test
    void recordsAreReadBackInVersion2() throws IOException {
        ChunkStore store = Zarr.create(temporary.resolve("a.zarr"), ZarrFormat.V2);
        ArraySpec spec = Specs.cube(Specs.RECORD)
                .codecs(List.of(Specs.codec("blosc", "cname", "lz4")))
                .build();
        assertEquals(Specs.RECORD, roundTrip(store, "records", spec).dataType());
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void everyCodecIsReadBack(ZarrFormat format) throws IOException {
        ChunkStore store = Zarr.create(temporary.resolve("a.zarr"), format);
        for (Map.Entry<String, List<CodecSpec>> codecs : Specs.shared().entrySet()) {
            ArraySpec found = roundTrip(
                    store,
                    codecs.getKey(),
                    Specs.cube(DataType.UINT16).codecs(codecs.getValue()).build());
            assertEquals(codecs.getValue().size(), found.codecs().size());
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void everyShapeAndSeparatorIsReadBack(ZarrFormat format) throws IOException {
        long[][][] shapes = {
            {{}, {}},
            {{0}, {3}},
            {{5}, {1}},
            {{5}, {9}},
            {{4, 0, 3}, {2, 2, 2}},
            {{1, 1}, {1, 1}},
            {{6, 7}, {7, 5}},
            {{3, 4, 5, 6}, {2, 3, 4, 5}}
        };
        int n = 0;
        ChunkStore store = Zarr.create(temporary.resolve("a.zarr"), format);
        for (long[][] shape : shapes) {
            for (String separator : List.of(".", "/")) {
                for (List<CodecSpec> codecs :
                        List.of(List.<CodecSpec>of(), List.of(Specs.codec("gzip", "level", 1L)))) {
                    Map<String, String> hints = new HashMap<>();
                    hints.put(Hints.FORMAT, format.number());
                    hints.put(Hints.SEPARATOR, separator);
                    if (n % 3 == 0 && format == ZarrFormat.V3) {
                        hints.put(Hints.KEYS, "v2");
                    }
                    ArraySpec spec = Specs.spec(DataType.INT32, shape[0], shape[1])
                            .codecs(codecs)
                            .hints(hints)
                            .build();
                    if (shape[0].length == 0 && format == ZarrFormat.V3) {
                        hints.put(ArraySpec.NO_AXES_HINT, "");
                    }
                    assertEquals(hints, roundTrip(store, "a" + n++, spec).hints());
                }
            }
        }
    }

    @Test
    void everyShardLayoutIsReadBack() throws IOException {
        ChunkStore store = Zarr.create(temporary.resolve("a.zarr"));
        for (String index : List.of("end,little,crc32c", "start,little,crc32c", "end,big", "start,big,crc32c")) {
            for (List<CodecSpec> codecs : List.of(
                    List.<CodecSpec>of(),
                    List.of(Specs.codec("zstd", "level", 1L)),
                    List.of(V2Codecs.reversed(3), Specs.codec("gzip", "level", 1L), Specs.codec("crc32c")))) {
                ArraySpec spec = Specs.cube(DataType.UINT16)
                        .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 4, 15)))
                        .fillValue(FillValue.of((byte) 1, (byte) 2))
                        .codecs(codecs)
                        .hints(Map.of(Hints.INDEX, index))
                        .build();
                String path = index.replace(',', '_') + codecs.size();
                assertEquals(index, roundTrip(store, path, spec).hints().get(Hints.INDEX));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ZarrFormat.class)
    void chunksThatWereNotWrittenAreMissing(ZarrFormat format) throws IOException {
        ChunkStore store = Zarr.create(temporary.resolve("a.zarr"), format);
        ArraySpec spec = store.resolve(Specs.cube(DataType.INT16)
                .fillValue(FillValue.of((byte) 5, (byte) 6))
                .build());
        try (ArrayWriter writer = store.create("x", spec, false)) {
            Elements.write(writer, new byte[(int) spec.bytes()], unit -> unit % 2 == 0);
        }
        try (ArrayReader reader = store.openReader("x")) {
            for (long i = 0; i < spec.chunks().count(); i++) {
                Region region = spec.chunks().regionAt(i);
                ByteBuffer target = ByteBuffer.allocateDirect((int) region.elements() * 2);
                Scratch scratch = Scratch.allocate((int) reader.traits().scratchBytes());
                assertEquals(i % 2 == 0, reader.read(region, target, scratch));
            }
        }
    }

    @Test
    void anyPartOfARawChunkIsRead() throws IOException {
        ChunkStore store = Zarr.create(temporary.resolve("a.zarr"));
        ArraySpec spec = store.resolve(
                Specs.spec(DataType.INT32, new long[] {9, 70, 80}, 5, 60, 70).build());
        byte[] elements = Elements.random(spec, 3);
        Elements.write(store, "x", spec, elements);
        try (ArrayReader reader = store.openReader("x")) {
            assertTrue(Elements.isByteGranular(reader));
            assertFalse(reader.traits().paddedEdges());
            Random random = new Random(7);
            Scratch scratch = Scratch.allocate((int) reader.traits().scratchBytes());
            for (int trial = 0; trial < 300; trial++) {
                Region chunk = spec.chunks()
                        .regionAt(random.nextInt((int) spec.chunks().count()));
                long[] origin = new long[3];
                long[] extents = new long[3];
                for (int axis = 0; axis < 3; axis++) {
                    int extent = (int) chunk.extent(axis);
                    int skip = random.nextBoolean() ? 0 : random.nextInt(extent);
                    origin[axis] = chunk.start(axis) + skip;
                    extents[axis] = random.nextBoolean() ? extent - skip : 1 + random.nextInt(extent - skip);
                }
                Region region = Region.of(origin, Shape.of(extents));
                ByteBuffer target = ByteBuffer.allocateDirect((int) region.elements() * 4);
                assertTrue(reader.read(region, target, scratch));
                target.clear();
                ByteBuffer whole = ByteBuffer.wrap(elements);
                for (long z = region.start(0); z < region.end(0); z++) {
                    for (long y = region.start(1); y < region.end(1); y++) {
                        for (long x = region.start(2); x < region.end(2); x++) {
                            int at = (int) ((z * 70 + y) * 80 + x) * 4;
                            assertEquals(whole.getInt(at), target.getInt(), region + " at " + z + " " + y + " " + x);
                        }
                    }
                }
            }
        }
    }

    @Test
    void encodedUnitsAreCopiedUnchanged() throws IOException {
        ChunkStore store = Zarr.create(temporary.resolve("a.zarr"));
        ArraySpec sharded = Specs.cube(DataType.UINT16)
                .shards(ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(6, 8, 10)))
                .codecs(List.of(Specs.codec("zstd", "level", 1L)))
                .build();
        for (ArraySpec wanted :
                List.of(sharded, sharded.toBuilder().shards(null).build())) {
            String path = "s" + wanted.shards().isPresent();
            byte[] elements = Elements.random(wanted, 5);
            Elements.write(store, path, wanted, elements);
            try (ArrayReader reader = store.openReader(path);
                    ArrayWriter writer = store.create(path + "-copy", reader.spec(), false)) {
                EncodedSource source = reader.encoded().orElseThrow();
                EncodedTraits traits = writer.traits().encoded().orElseThrow();
                assertEquals(source.encodingIdentity(), traits.identity());
                Scratch scratch = Scratch.allocate((int) traits.scratchBytes());
                ChunkGrid units = reader.spec().writeUnits();
                for (long i = 0; i < units.count(); i++) {
                    try (EncodedUnit unit =
                            source.openEncoded(units.regionAt(i)).orElseThrow()) {
                        writer.encoded().orElseThrow().writeEncoded(units.regionAt(i), unit, scratch);
                    }
                }
                writer.commit();
            }
            assertArrayEquals(elements, Elements.read(store, path + "-copy"));
        }
    }

    @Test
    void dimensionNamesAreKeptBetweenVersions() throws IOException {
        ChunkStore two = Zarr.create(temporary.resolve("2.zarr"), ZarrFormat.V2);
        ChunkStore three = Zarr.create(temporary.resolve("3.zarr"), ZarrFormat.V3);
        ArraySpec spec = Specs.cube(DataType.UINT16)
                .dimensionNames(List.of("z", "y", "x"))
                .fillValue(FillValue.zero(2))
                .attributes(Map.of("units", "K"))
                .codecs(List.of(Specs.codec("blosc", "cname", "lz4")))
                .build();
        ArraySpec in2 = roundTrip(two, "a", spec);
        ArraySpec in3 = roundTrip(three, "a", in2);
        ArraySpec back = roundTrip(two, "b", in3);
        for (ArraySpec found : List.of(in2, in3, back)) {
            assertEquals(List.of("z", "y", "x"), found.dimensionNames());
            assertEquals(Map.of("units", "K"), found.attributes());
            assertEquals(in2.codecs(), found.codecs());
        }
        assertEquals("/", in3.hints().get(Hints.SEPARATOR));
        assertEquals(in2, back);
    }
}
