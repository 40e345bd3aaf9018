package dev.rechunker.io.n5api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.CodecSpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.janelia.saalfeldlab.n5.DataBlock;
import org.janelia.saalfeldlab.n5.DatasetAttributes;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.Lz4Compression;
import org.janelia.saalfeldlab.n5.N5Exception;
import org.janelia.saalfeldlab.n5.N5Exception.N5IOException;
import org.janelia.saalfeldlab.n5.N5FSReader;
import org.janelia.saalfeldlab.n5.N5FSWriter;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.N5Writer;
import org.janelia.saalfeldlab.n5.RawCompression;
import org.janelia.saalfeldlab.n5.ShortArrayDataBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Known defects of n5 are avoided, and data that n5 would misinterpret is refused. */
class N5DefectsTest {
    private static final ArraySpec CUBE = ArraySpec.builder(
                    ChunkGrid.regular(Shape.of(7, 9, 10), Shape.of(3, 4, 5)), DataType.UINT16)
            .fillValue(FillValue.zero(2))
            .build();

    @TempDir
    Path temporary = Path.of("");

    private static String refusal(Executable call) {
        return String.valueOf(assertThrows(StoreException.class, call).getMessage());
    }

    private static N5Source live(N5Reader n5, String path) throws IOException {
        return new N5Source(new N5Location(n5, path), true);
    }

    private static byte[] read(ChunkStore source) throws IOException {
        try (ArrayReader reader = source.openReader("")) {
            return Data.readAll(reader);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPathWithoutADatasetIsRefused(Container container) {
        try (N5Writer n5 = container.writer(temporary.resolve("place"))) {
            n5.createGroup("group");
            assertTrue(refusal(() -> N5Arrays.of(n5, "group")).contains("is a group"));
            assertTrue(refusal(() -> N5Arrays.of(n5, "nowhere")).contains("does not exist"));
            assertTrue(refusal(() -> N5Arrays.create(n5, "/")).contains("root"));
        }
    }

    @Test
    void stringsAreRefused() {
        try (N5Writer n5 = Container.N5_DIRECTORY.writer(temporary.resolve("place"))) {
            n5.createDataset(
                    "s",
                    new long[] {4},
                    new int[] {2},
                    org.janelia.saalfeldlab.n5.DataType.STRING,
                    new RawCompression());
            assertTrue(refusal(() -> N5Arrays.of(n5, "s")).contains("string"));
        }
    }

    /** Blocks state their own size. Here one has a row less than the chunk, and one extends beyond the array. */
    @Test
    void blocksOfOtherSizesAreRead() throws IOException {
        try (N5Writer n5 = Container.N5_DIRECTORY.writer(temporary.resolve("place"))) {
            DatasetAttributes made = n5.createDataset(
                    "x",
                    new long[] {3, 2},
                    new int[] {2, 2},
                    org.janelia.saalfeldlab.n5.DataType.INT16,
                    new RawCompression());
            n5.writeChunk("x", made, new ShortArrayDataBlock(new int[] {2, 1}, new long[] {0, 0}, new short[] {1, 2}));
            n5.writeChunk(
                    "x", made, new ShortArrayDataBlock(new int[] {2, 2}, new long[] {1, 0}, new short[] {3, -1, 4, -1
                    }));
            byte[] expected = shorts(1, 2, 3, 0, 0, 4);
            assertArrayEquals(expected, read(live(n5, "x")));
            assertArrayEquals(expected, read(N5Arrays.of(n5, "x")));
            assertArrayEquals(expected, N5Datasets.readAll(n5, "x", ByteOrder.BIG_ENDIAN, new byte[2]));
        }
    }

    private static byte[] shorts(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * values.length);
        for (int value : values) {
            bytes.putShort((short) value);
        }
        return bytes.array();
    }

    /** Fill values are read from the JSON, because n5 returns wrong ones or none. */
    @Test
    @NeedsN5
    void fillValuesAreRead() throws IOException {
        List<ArraySpec> specs = List.of(
                spec(DataType.FLOAT32, "0000c07f"),
                spec(DataType.FLOAT64, "000000000000f0ff"),
                spec(DataType.FLOAT32, "cdcccc3d"),
                spec(DataType.UINT64, "ffffffffffffffff"),
                spec(DataType.UINT64, "0100000000000080"),
                spec(DataType.INT8, "80"));
        for (ZarrFormat format : List.of(ZarrFormat.V2, ZarrFormat.V3)) {
            Container container = format == ZarrFormat.V2 ? Container.ZARR2 : Container.ZARR3;
            Path place = temporary.resolve(format.name());
            ChunkStore zarr = Zarr.create(place, format);
            for (int i = 0; i < specs.size(); i++) {
                Data.of(specs.get(i)).write(zarr, "a" + i, unit -> unit == 1);
            }
            try (N5Reader n5 = container.reader(place)) {
                for (int i = 0; i < specs.size(); i++) {
                    try (ArrayReader reader = live(n5, "a" + i).openReader("")) {
                        assertEquals(specs.get(i).fillValue(), reader.spec().fillValue());
                        assertArrayEquals(
                                Data.of(specs.get(i))
                                        .elements(Region.whole(specs.get(i).shape()), unit -> unit == 1),
                                Data.readAll(reader));
                    }
                }
            }
        }
    }

    private static ArraySpec spec(DataType type, String littleEndian) {
        return CUBE.toBuilder()
                .dataType(type)
                .fillValue(FillValue.of(HexFormat.of().parseHex(littleEndian)))
                .build();
    }

    /** n5-zarr ignores filters and returns wrong elements. */
    @Test
    @NeedsN5
    void filtersAreRefused() throws IOException {
        Path place = temporary.resolve("place");
        ChunkStore zarr = Zarr.create(place, ZarrFormat.V2);
        ArraySpec spec =
                CUBE.toBuilder().codecs(CodecSpec.parse("delta:dtype=<u2")).build();
        Data data = Data.of(zarr.resolve(spec));
        data.write(zarr, "x");
        try (N5Reader n5 = Container.ZARR2.reader(place)) {
            assertTrue(refusal(() -> live(n5, "x")).contains("filters"));
        }
    }

    /** n5-zarr reads unknown types as uint8. */
    @Test
    @NeedsN5
    void unknownTypesAreRefused() throws IOException {
        Path place = temporary.resolve("place");
        ChunkStore zarr = Zarr.create(place, ZarrFormat.V2);
        for (DataType type : List.of(DataType.FLOAT16, DataType.COMPLEX64, DataType.bytes(3))) {
            ArraySpec spec = CUBE.toBuilder()
                    .dataType(type)
                    .fillValue(FillValue.zero(type.itemSize()))
                    .build();
            Data.of(spec).write(zarr, type.name());
            try (N5Reader n5 = Container.ZARR2.reader(place)) {
                String message = refusal(() -> N5Arrays.of(n5, type.name()));
                assertTrue(message.contains("which n5 reads as") || message.contains("n5 cannot read"), message);
            }
        }
        ArraySpec flags = CUBE.toBuilder()
                .dataType(DataType.BOOL)
                .fillValue(FillValue.zero(1))
                .build();
        Data data = Data.of(flags, (position, element) -> element[0] = (byte) (position % 3 == 0 ? 1 : 0));
        data.write(zarr, "flags");
        try (N5Reader n5 = Container.ZARR2.reader(place)) {
            assertArrayEquals(data.elements(), read(N5Arrays.of(n5, "flags")));
        }
    }

    /** n5 does not reverse the axes of arrays in F order, so this library does not read them itself. */
    @Test
    @NeedsN5
    void arraysInFortranOrderHaveTheAxesOfN5() throws IOException {
        Path array = Files.createDirectories(temporary.resolve("place/x"));
        Files.writeString(array.resolveSibling(".zgroup"), "{\"zarr_format\": 2}");
        Files.writeString(array.resolve(".zarray"), """
                {"zarr_format": 2, "shape": [2, 2], "chunks": [2, 2], "dtype": ">i2", "compressor": null,
                 "fill_value": 0, "order": "F", "filters": null}""");
        Files.write(array.resolve("0.0"), shorts(1, 2, 3, 4));
        try (N5Reader n5 = Container.ZARR2.reader(temporary.resolve("place"))) {
            byte[] byN5 = N5Datasets.readAll(n5, "x", ByteOrder.BIG_ENDIAN, new byte[2]);
            assertArrayEquals(byN5, read(N5Arrays.of(n5, "x")));
            assertArrayEquals(byN5, read(live(n5, "x")));
        }
    }

    /** n5-zarr would write these blocks without compression. */
    @Test
    void compressionsAreUsedOrRefused() throws IOException {
        for (Container container : List.of(Container.ZARR2, Container.ZARR3)) {
            Path place = temporary.resolve(container.name());
            try (N5Writer n5 = container.writer(place)) {
                ChunkStore target = N5Arrays.create(n5, "x", new Lz4Compression());
                ArraySpec resolved = target.resolve(CUBE);
                assertTrue(refusal(() -> target.writeTraits(resolved)).contains("lz4"));
                Data zeros = Data.of(CUBE, (position, element) -> element[0] = 0);
                zeros.write(N5Arrays.create(n5, "gzip", new GzipCompression(2)), "");
                assertEquals(
                        "gzip",
                        n5.getDatasetAttributes("gzip").getDataCodecInfos()[0].getType());
            }
            if (Container.isN5()) {
                Path chunk = place.resolve(container == Container.ZARR2 ? "gzip/0.0.0" : "gzip/c/0/0/0");
                assertEquals(0x1f8b, ByteBuffer.wrap(Files.readAllBytes(chunk)).getShort() & 0xffff);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void featuresThatAContainerDoesNotHaveAreRefused(Container container) throws IOException {
        try (N5Writer n5 = container.writer(temporary.resolve("place"))) {
            ChunkStore target = N5Arrays.create(n5, "x");
            ArraySpec codecs = CUBE.toBuilder().codecs(CodecSpec.parse("zstd")).build();
            assertTrue(refusal(() -> target.resolve(codecs)).contains("N5Arrays.create"));
            assertTrue(refusal(() -> target.resolve(spec(DataType.FLOAT16, "0000")))
                    .contains("float16"));
            ArraySpec huge = ArraySpec.builder(
                            ChunkGrid.regular(Shape.of(1 << 16, 1 << 16), Shape.of(1 << 16, 1 << 16)), DataType.UINT8)
                    .build();
            assertTrue(refusal(() -> target.resolve(huge)).contains("smaller"));
            if (!container.hasShards()) {
                ArraySpec shards = CUBE.toBuilder().shards(CUBE.chunks()).build();
                assertTrue(refusal(() -> target.resolve(shards)).contains("shards"));
            }
            assertFalse(n5.exists("x"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSourceIsNotOverwritten(Container container) throws IOException {
        Path place = temporary.resolve("place");
        try (N5Writer n5 = container.writer(place)) {
            Data data = Data.of(CUBE);
            data.write(N5Arrays.create(n5, "g/x"), "");
            for (ChunkStore source : List.of(live(n5, "g/x"), N5Arrays.of(n5, "/g//x/"))) {
                assertSamePlace(source, "", n5);
            }
            if (container != Container.HDF5 && Container.isN5()) { // the file is open for writing
                try (ChunkStore own = container.ours(place)) {
                    assertSamePlace(own, "g/x", n5);
                }
            }
        }
    }

    private static void assertSamePlace(ChunkStore source, String path, N5Writer n5) {
        assertTrue(refusal(() -> Rechunker.from(source.at(path))
                        .to(N5Arrays.create(n5, "g/x"))
                        .chunks("7,3,3")
                        .maxMem("64MB")
                        .overwrite()
                        .plan())
                .contains("same place"));
    }

    /** Groups and foreign files are never removed. */
    @ParameterizedTest
    @EnumSource
    void dataThatIsNotADatasetIsNotRemoved(Container container) throws IOException {
        Path place = temporary.resolve("place");
        try (N5Writer n5 = container.writer(place)) {
            n5.createGroup("group");
            ArraySpec spec = N5Arrays.create(n5, "x").resolve(CUBE);
            refusal(() -> N5Arrays.create(n5, "group").create("", spec, true));
            Data.of(CUBE).write(N5Arrays.create(n5, "data"), "");
            assertTrue(refusal(() -> N5Arrays.create(n5, "data/below").create("", spec, true))
                    .contains("which is a dataset"));
            if (container != Container.HDF5) {
                Path mine = Files.createDirectories(place.resolve("mine")).resolve("notes.txt");
                Files.writeString(mine, "mine");
                refusal(() -> N5Arrays.create(n5, "mine").create("", spec, true));
                assertTrue(Files.exists(mine));
            }
        }
    }

    /** A dataset of HDF5 exists before its elements, and is marked as incomplete. */
    @Test
    void anIncompleteDatasetOfHdf5IsNotRead() throws IOException {
        try (N5Writer n5 = Container.HDF5.writer(temporary.resolve("place"))) {
            ChunkStore target = N5Arrays.create(n5, "x");
            Data data = Data.of(target.resolve(CUBE));
            ArrayWriter writer = target.create("", data.spec(), false);
            data.writeUnit(writer, 0);
            assertTrue(refusal(() -> N5Arrays.of(n5, "x")).contains("not complete"));
            writer.close();
            assertFalse(n5.exists("x"));
            data.write(target, "");
            assertNull(n5.getAttribute("x", N5Dialect.PENDING, Boolean.class));
        }
    }

    /** Methods of n5 with an executor return before they are done, and lose errors. */
    @Test
    void methodsWithAnExecutorAreNotCalled() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_JARS)
                .importPackages("dev.rechunker.io.n5api");
        assertTrue(classes.stream()
                .flatMap(type -> type.getMethodCallsFromSelf().stream())
                .noneMatch(call -> call.getTarget().getRawParameterTypes().stream()
                        .anyMatch(parameter -> parameter.isEquivalentTo(ExecutorService.class))));
    }

    /** If this library reads a dataset itself, it returns the same bytes as n5. */
    @Test
    @NeedsN5
    void thisLibraryReadsPlainContainersItself() throws IOException {
        for (Container container : List.of(Container.N5_DIRECTORY, Container.ZARR2, Container.ZARR3)) {
            try (N5Writer n5 = container.writer(temporary.resolve(container.name()))) {
                Data.of(CUBE).write(N5Arrays.create(n5, "x"), "");
                try (ArrayReader reader = N5Arrays.of(n5, "x").openReader("")) {
                    assertFalse(reader instanceof BlockReader);
                    assertArrayEquals(
                            N5Datasets.readAll(n5, "x", reader.spec().byteOrder(), new byte[2]), Data.readAll(reader));
                }
            }
        }
    }

    /** This library reads a dataset itself if it sees the same array as n5. */
    @Test
    void thisLibraryReadsTheSameArrayItself() throws IOException {
        for (Container container : List.of(Container.N5_DIRECTORY, Container.ZARR2, Container.ZARR3)) {
            Path place = temporary.resolve(container.name());
            try (N5Writer n5 = container.writer(place);
                    ChunkStore ours = container.oursToWrite(place)) {
                Data.of(CUBE, (position, element) -> element[0] = 0).write(N5Arrays.create(n5, "x"), "");
                Data data = Data.of(ours.resolve(CUBE));
                try (ArrayWriter writer = ours.create("x", data.spec(), true)) {
                    for (long unit = 0; unit < data.spec().writeUnits().count(); unit++) {
                        data.writeUnit(writer, unit);
                    }
                    writer.commit();
                }
                try (ArrayReader reader = N5Arrays.of(n5, "x").openReader("")) {
                    assertFalse(reader instanceof BlockReader);
                    assertArrayEquals(data.elements(), Data.readAll(reader));
                }
            }
        }
    }

    /** Failures of storage are retried, others are not. */
    @Test
    void failuresOfStorageAreDistinguishedFromOthers() throws IOException {
        String place = temporary.resolve("place").toString();
        try (N5Writer n5 = new N5FSWriter(place)) {
            Data.of(CUBE).write(N5Arrays.create(n5, "x"), "");
        }
        for (RuntimeException thrown : List.of(new N5IOException("no answer"), new N5Exception("no sense"))) {
            try (N5Reader failing = new N5FSReader(place) {
                        @Override
                        public <T> DataBlock<T> readChunk(String path, DatasetAttributes dataset, long... position) {
                            throw thrown;
                        }
                    };
                    ArrayReader reader = live(failing, "x").openReader("")) {
                IOException failure = assertThrows(IOException.class, () -> Data.readAll(reader));
                assertEquals(thrown instanceof N5IOException, !(failure instanceof StoreException));
                assertTrue(String.valueOf(failure.getMessage()).contains("n5 cannot read the block at [0, 0, 0]"));
                assertTrue(String.valueOf(failure.getMessage()).contains(String.valueOf(thrown.getMessage())));
            }
        }
    }
}
