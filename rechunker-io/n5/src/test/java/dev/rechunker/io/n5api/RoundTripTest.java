package dev.rechunker.io.n5api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonPrimitive;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.run.Report;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.MemoryStore;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.janelia.saalfeldlab.n5.Bzip2Compression;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.Lz4Compression;
import org.janelia.saalfeldlab.n5.N5FSReader;
import org.janelia.saalfeldlab.n5.N5FSWriter;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.N5Writer;
import org.janelia.saalfeldlab.n5.RawCompression;
import org.janelia.saalfeldlab.n5.XzCompression;
import org.janelia.saalfeldlab.n5.codec.DataCodecInfo;
import org.janelia.saalfeldlab.n5.zarr.N5ZarrWriter;
import org.janelia.scicomp.n5.zstandard.ZstandardCompression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Copies to and from live n5 objects, with the library API, and compares the results with those of n5 and of this
 * library's own readers.
 */
class RoundTripTest {
    private static final long[] SHAPE = {7, 9, 10};

    @TempDir
    Path temporary = Path.of("");

    private static ArraySpec.Builder spec(DataType type, long... chunk) {
        return ArraySpec.builder(ChunkGrid.regular(Shape.of(SHAPE), Shape.of(chunk)), type)
                .fillValue(FillValue.zero(type.itemSize()));
    }

    private static MemoryStore memory(Data data) throws IOException {
        MemoryStore store = new MemoryStore();
        data.write(store, "a");
        return store;
    }

    private static byte[] inOrder(byte[] elements, ByteOrder from, ByteOrder to, int itemSize) {
        return from == to ? elements : FillValue.of(elements).swapped(itemSize).element(elements.length);
    }

    private static void copy(ChunkStore source, String path, ChunkStore target, String chunks)
            throws IOException, InterruptedException {
        Rechunker.from(source.at(path))
                .to(target)
                .chunks(chunks)
                .maxMem("512MB")
                .execute();
    }

    /** Copies every type to every container, and back to memory, with n5 and with readers of this library. */
    @ParameterizedTest
    @EnumSource
    void everyTypeIsCopiedBothWays(Container container) throws Exception {
        Path place = temporary.resolve("place");
        for (DataType type : Container.TYPES) {
            Data data = Data.of(spec(type, 3, 4, 5).build());
            try (MemoryStore memory = memory(data);
                    N5Writer writer = container.writer(place)) {
                copy(memory, "a", N5Arrays.create(writer, "g/" + type), "...=4");
                assertArrayEquals(
                        data.elements(),
                        N5Datasets.readAll(writer, "g/" + type, ByteOrder.LITTLE_ENDIAN, new byte[type.itemSize()]),
                        () -> container + " " + type + " by n5");
            }
            assertSameAsOurs(container, place, "g/" + type, data);
            for (boolean alwaysByN5 : List.of(true, false)) {
                try (N5Reader reader = container.reader(place);
                        MemoryStore back = new MemoryStore()) {
                    ChunkStore source = new N5Source(new N5Location(reader, "/g/" + type + "/"), alwaysByN5);
                    copy(source, "", back, "2,9,3");
                    ArrayReader read = back.openReader("");
                    assertArrayEquals(
                            data.elements(),
                            inOrder(
                                    Data.readAll(read),
                                    read.spec().byteOrder(),
                                    ByteOrder.LITTLE_ENDIAN,
                                    type.itemSize()),
                            () -> container + " " + type + " back");
                }
            }
        }
    }

    static Stream<Compression> compressions() {
        return Stream.of(
                new RawCompression(),
                new GzipCompression(1),
                new GzipCompression(5, true),
                new Bzip2Compression(1),
                new Lz4Compression(),
                new XzCompression(0),
                new ZstandardCompression(3));
    }

    @ParameterizedTest
    @MethodSource("compressions")
    void everyCompressionOfN5IsWritten(Compression compression) throws Exception {
        Path place = temporary.resolve("place");
        Data data = Data.of(spec(DataType.UINT16, 3, 4, 5).build());
        try (MemoryStore memory = memory(data);
                N5Writer writer = Container.N5_DIRECTORY.writer(place)) {
            copy(memory, "a", N5Arrays.create(writer, "x", compression), "4,4,4");
            assertEquals(
                    compression instanceof RawCompression ? List.of() : List.of(compression.getType()),
                    Stream.of(writer.getDatasetAttributes("x").getDataCodecInfos())
                            .map(DataCodecInfo::getType)
                            .toList());
            assertArrayEquals(data.elements(), N5Datasets.readAll(writer, "x", ByteOrder.LITTLE_ENDIAN, new byte[2]));
        }
        assertSameAsOurs(Container.N5_DIRECTORY, place, "x", data);
    }

    /** Compares with the elements that this library's own reader of the format returns. */
    private static void assertSameAsOurs(Container container, Path place, String path, Data data) throws IOException {
        if (!Container.isN5()) {
            return;
        }
        try (ChunkStore ours = container.ours(place);
                ArrayReader reader = ours.openReader(path)) {
            int itemSize = reader.spec().dataType().itemSize();
            assertArrayEquals(
                    data.elements(),
                    inOrder(
                            Data.readAll(reader),
                            reader.spec().byteOrder(),
                            data.spec().byteOrder(),
                            itemSize),
                    () -> container + " " + path + " by the reader of this library");
        }
    }

    /** The shards have 2 x 2 x 1 chunks and extend beyond the array. */
    @Test
    void shardsAreWrittenAndRead() throws Exception {
        for (Compression compression :
                List.of(new RawCompression(), new GzipCompression(3), new ZstandardCompression(3))) {
            for (DataType type : Container.TYPES) {
                String path = type + compression.getType();
                Path place = temporary.resolve("place");
                Data data = Data.of(spec(type, 5, 5, 5).build());
                try (MemoryStore memory = memory(data);
                        N5Writer writer = Container.ZARR3.writer(place)) {
                    Report report = Rechunker.from(memory.at("a"))
                            .to(N5Arrays.create(writer, path, compression))
                            .chunks(2, 3, 4)
                            .maxMem("128MB")
                            .shards("4,6,4")
                            .execute();
                    assertTrue(report.measuredMemory() <= report.projectedMemory());
                    assertTrue(writer.getDatasetAttributes(path).isSharded());
                    assertArrayEquals(
                            new int[] {4, 6, 4},
                            writer.getDatasetAttributes(path).getBlockSize());
                    assertArrayEquals(
                            new int[] {4, 3, 2},
                            writer.getDatasetAttributes(path).getChunkSize());
                    assertArrayEquals(
                            data.elements(),
                            N5Datasets.readAll(writer, path, ByteOrder.LITTLE_ENDIAN, new byte[type.itemSize()]));
                    N5Source source = new N5Source(new N5Location(writer, path), true);
                    try (ArrayReader reader = source.openReader("")) {
                        assertEquals(
                                Shape.of(4, 6, 4),
                                reader.spec().shards().orElseThrow().chunkShape());
                        assertArrayEquals(data.elements(), Data.readAll(reader));
                    }
                }
                assertSameAsOurs(Container.ZARR3, place, path, data);
            }
        }
    }

    @Test
    void chunksAndShardsAreKept() throws Exception {
        Path place = temporary.resolve("place");
        Data data = Data.of(spec(DataType.INT32, 5, 5, 5).build());
        try (MemoryStore memory = memory(data);
                N5Writer writer = Container.ZARR3.writer(place)) {
            Rechunker.from(memory.at("a"))
                    .to(N5Arrays.create(writer, "x"))
                    .chunks(2, 3, 4)
                    .maxMem("128MB")
                    .shards("4,6,4")
                    .execute();
            copy(new N5Source(new N5Location(writer, "x"), true), "", N5Arrays.create(writer, "y/z"), "keep");
            assertArrayEquals(
                    new int[] {4, 6, 4}, writer.getDatasetAttributes("y/z").getBlockSize());
            assertArrayEquals(
                    new int[] {4, 3, 2}, writer.getDatasetAttributes("y/z").getChunkSize());
            assertArrayEquals(data.elements(), N5Datasets.readAll(writer, "y/z", ByteOrder.LITTLE_ENDIAN, new byte[4]));
        }
    }

    /** n5 returns null for a missing block; the fill value is in the JSON only. */
    @Test
    void missingBlocksAreTheFillValue() throws Exception {
        for (Container container : List.of(Container.ZARR2, Container.ZARR3)) {
            for (DataType type : List.of(DataType.INT16, DataType.UINT32, DataType.FLOAT32, DataType.FLOAT64)) {
                boolean isFloat = type.equals(DataType.FLOAT32) || type.equals(DataType.FLOAT64);
                JsonPrimitive seven = isFloat ? new JsonPrimitive(7.5) : new JsonPrimitive(7);
                FillValue fill = FillValueJson.parse("", seven, type, ByteOrder.LITTLE_ENDIAN);
                ArraySpec spec = spec(type, 3, 4, 5).fillValue(fill).build();
                Data data = Data.of(spec);
                Path place = temporary.resolve(container + "-" + type);
                byte[] expected = data.elements(Region.whole(spec.shape()), unit -> unit % 3 != 0);
                try (N5Writer writer = container.writer(place)) {
                    ChunkStore target = N5Arrays.create(writer, "x");
                    data.write(target, "", unit -> unit % 3 != 0);
                    assertArrayEquals(
                            expected,
                            N5Datasets.readAll(writer, "x", ByteOrder.LITTLE_ENDIAN, fill.element(type.itemSize())));
                    N5Source source = new N5Source(new N5Location(writer, "x"), true);
                    try (ArrayReader reader = source.openReader("")) {
                        assertEquals(fill, reader.spec().fillValue());
                        assertArrayEquals(expected, Data.readAll(reader));
                    }
                }
                if (Container.isN5()) {
                    try (ChunkStore ours = container.ours(place);
                            ArrayReader reader = ours.openReader("x")) {
                        assertEquals(fill, reader.spec().fillValue());
                        assertArrayEquals(expected, Data.readAll(reader));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void attributesAndNamesAreKept(Container container) throws Exception {
        Map<String, Object> attributes = Map.of(
                "units",
                "m/s \u00b2 \"quoted\" \\ ",
                "a/b",
                List.of(1L, 2.5, "three"),
                "shape",
                "round",
                "c[0]",
                Map.of("deep", Map.of("d", true)),
                "big",
                new BigInteger("18446744073709551615"));
        ArraySpec spec = spec(DataType.UINT8, 3, 4, 5)
                .attributes(attributes)
                .dimensionNames(Arrays.asList("z", "y", "x"))
                .build();
        Path place = temporary.resolve("place");
        try (MemoryStore memory = memory(Data.of(spec));
                N5Writer writer = container.writer(place)) {
            copy(memory, "a", N5Arrays.create(writer, "x"), "keep");
        }
        try (N5Reader reader = container.reader(place)) {
            ArraySpec live;
            try (ArrayReader read = new N5Source(new N5Location(reader, "x"), true).openReader("")) {
                live = read.spec();
            }
            Map<String, Object> kept = new HashMap<>(attributes);
            if (container == Container.HDF5) {
                kept.put("units", "m/s ? \"quoted\" \\ "); // n5-hdf5 stores ASCII only
            }
            assertEquals(kept, live.attributes());
            assertEquals(List.of("z", "y", "x"), live.dimensionNames());
        }
        if (container != Container.HDF5 && Container.isN5()) { // n5-hdf5 stores attributes as one text
            try (ChunkStore ours = container.ours(place);
                    ArrayReader reader = ours.openReader("x")) {
                assertEquals(attributes, reader.spec().attributes());
                assertEquals(List.of("z", "y", "x"), reader.spec().dimensionNames());
            }
        }
    }

    private String in(String name) {
        return temporary.resolve(name).toString();
    }

    /** Runs the sample in the documentation of the N5 API. */
    @Test
    void theSampleOfTheGuideRuns() throws Exception {
        Data data = Data.of(spec(DataType.UINT16, 3, 4, 5).build());
        try (MemoryStore memory = memory(data);
                N5Writer made = new N5FSWriter(in("scan.n5"))) {
            copy(memory, "a", N5Arrays.create(made, "raw/s0"), "keep");
        }
        // snippet: n5-api
        N5Reader reader = new N5FSReader(in("scan.n5"));
        N5Writer writer = new N5ZarrWriter(in("scan.zarr"));
        Rechunker.from(N5Arrays.of(reader, "raw/s0"))
                .to(N5Arrays.create(writer, "raw/s0", new GzipCompression()))
                .chunks(16, 64, 64)
                .maxMem("256MB")
                .execute();
        // end snippet
        assertArrayEquals(
                data.elements(),
                N5Datasets.readAll(writer, "raw/s0", ByteOrder.LITTLE_ENDIAN, new byte[DataType.UINT16.itemSize()]));
        reader.close();
        writer.close();
    }
}
