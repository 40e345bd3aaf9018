package dev.rechunker.io.cog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Comparer;
import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.io.Stores;
import dev.rechunker.io.tiff.Tiff;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.resource.Scratch;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.testing.RampSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cloud Optimized GeoTIFF files that are written, and read by this library. */
class CogTest {
    static final List<DataType> TYPES = List.of(
            DataType.INT8,
            DataType.UINT8,
            DataType.INT16,
            DataType.UINT16,
            DataType.INT32,
            DataType.UINT32,
            DataType.INT64,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.COMPLEX64,
            DataType.COMPLEX128);

    static final List<String> CODECS = List.of("none", "zlib", "zstd", "lzw");

    @TempDir
    Path temporary;

    static ArraySpec.Builder spec(DataType type, ByteOrder order, long... shape) {
        Shape whole = Shape.of(shape);
        return ArraySpec.builder(
                        ChunkGrid.regular(
                                whole,
                                Shape.of(Arrays.stream(shape)
                                        .map(extent -> Math.max(1, extent))
                                        .toArray())),
                        type)
                .byteOrder(order);
    }

    static boolean isPredicted(DataType type) {
        return type.kind() != DataType.Kind.COMPLEX;
    }

    static Rechunker.Job job(ChunkStore from, ChunkStore to, int rank) {
        return job(from, to, rank == 3 ? "-1,32,48" : "32,48");
    }

    static Rechunker.Job job(ChunkStore from, ChunkStore to, String chunks) {
        return Rechunker.from(from).to(to).chunks(chunks).maxMem("64MB").verify();
    }

    @Test
    void everyTypeCodecAndPredictorIsReadBack() throws Exception {
        int number = 0;
        for (DataType type : TYPES) {
            for (String codec : CODECS) {
                for (String predictor :
                        codec.equals("none") || !isPredicted(type) ? List.of("") : List.of("", "predictor+")) {
                    ByteOrder order = number % 2 == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
                    long[] shape = number % 3 == 0 ? new long[] {4, 70, 100} : new long[] {70, 100};
                    Path file = temporary.resolve(number++ + ".tif");
                    RampSource source = RampSource.of(spec(type, order, shape).build());
                    try (ChunkStore to = Cog.create(file)) {
                        job(source, to, shape.length).codec(predictor + codec).execute();
                    }
                    try (ChunkStore written = Tiff.open(file)) {
                        source.check(written, "0");
                    }
                    Files.delete(file);
                }
            }
        }
    }

    @Test
    void longCodesOfLzwAreReadBack() throws IOException {
        byte[] bytes = new byte[300_000];
        new Random(3).nextBytes(bytes);
        Arrays.fill(bytes, 100_000, 200_000, (byte) 5);
        for (int length : new int[] {0, 1, 2, 255, 3838, 3839, 3840, 3841, 3842, 99_999, bytes.length}) {
            ByteBuffer encoded = ByteBuffer.allocate((int) LzwEncoder.mostEncoded(length));
            new LzwEncoder().encode(ByteBuffer.wrap(bytes, 0, length), encoded);
            assertTrue(encoded.position() > 0);
        }
    }

    @Test
    void levelsAreOverviews() throws Exception {
        Path file = temporary.resolve("levels.tif");
        Path zarr = temporary.resolve("levels.zarr");
        RampSource source = RampSource.of(spec(DataType.UINT16, ByteOrder.LITTLE_ENDIAN, 200, 300)
                .dimensionNames(List.of("y", "x"))
                .build());
        for (ChunkStore target : List.of(Cog.create(file), Zarr.create(zarr))) {
            try (target) {
                job(source, target, 2).levels(Levels.auto().count(3)).execute();
            }
        }
        try (ChunkStore one = Tiff.open(file);
                ChunkStore other = Zarr.open(zarr)) {
            for (String level : List.of("0", "1", "2")) {
                assertEquals(
                        Optional.empty(),
                        new Comparer(ByteSize.parse("32MB"), 1).compare(level, one.at(level), other.at(level)),
                        level);
            }
        }
        String start = new String(Files.readAllBytes(file), 8, 43, StandardCharsets.ISO_8859_1);
        assertEquals("GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\n", start);
    }

    @Test
    void whatTheTagsSayIsTheSameAfterAnotherCopy() throws Exception {
        ArraySpec image = spec(DataType.INT16, ByteOrder.LITTLE_ENDIAN, 64, 80)
                .dimensionNames(List.of("y", "x"))
                .missingValue(FillValue.of((byte) -1, (byte) -128))
                .attributes(Map.of(
                        "grid_mapping",
                        "crs",
                        "units",
                        "m",
                        "long_name",
                        "height <above> sea",
                        "scale_factor",
                        0.25,
                        "add_offset",
                        -3.5,
                        "FOO",
                        "a & b"))
                .build();
        Path first = temporary.resolve("source.zarr");
        try (ChunkStore zarr = Zarr.create(first)) {
            Rechunker.from(RampSource.of(image))
                    .to(zarr.at("dem"))
                    .chunks(16, 16)
                    .maxMem("32MB")
                    .execute();
            line(zarr, "x", 80, 500_005, 10);
            line(zarr, "y", 64, 4_999_995, -10);
            ArraySpec crs = ArraySpec.builder(ChunkGrid.regular(Shape.of(), Shape.of()), DataType.INT32)
                    .attributes(Map.of("spatial_ref", "EPSG:32633"))
                    .build();
            try (var writer = zarr.create("crs", zarr.resolve(crs), false)) {
                writer.commit();
            }
            zarr.writeGroup("", Map.of());
        }
        Path one = temporary.resolve("one.tif");
        Path two = temporary.resolve("two.tif");
        for (Path[] copy : List.of(new Path[] {first, one}, new Path[] {one, two})) {
            try (ChunkStore from = Stores.open(copy[0]);
                    ChunkStore to = Cog.create(copy[1])) {
                Rechunker.from(from)
                        .to(to)
                        .chunks(16, 16)
                        .maxMem("32MB")
                        .verify()
                        .execute();
            }
        }
        try (ChunkStore written = Tiff.open(one)) {
            ArraySpec found = ((ChunkStore.ArrayNode) written.node("band_data").orElseThrow()).spec();
            assertEquals(image.missingValue(), found.missingValue());
            Map<String, Object> expected = new HashMap<>(image.attributes());
            expected.put("grid_mapping", "spatial_ref");
            assertEquals(expected, found.attributes());
            ArraySpec mapping =
                    ((ChunkStore.ArrayNode) written.node("spatial_ref").orElseThrow()).spec();
            assertEquals(
                    "500000.0 10.0 0.0 5000000.0 0.0 -10.0",
                    mapping.attributes().get("GeoTransform"));
            assertEquals("EPSG:32633", mapping.attributes().get("spatial_ref"));
        }
        assertEquals(-1, Files.mismatch(one, two));
    }

    private static void line(ChunkStore to, String name, int extent, double first, double step) throws IOException {
        ArraySpec spec = to.resolve(spec(DataType.FLOAT64, ByteOrder.LITTLE_ENDIAN, extent)
                .dimensionNames(List.of(name))
                .build());
        ByteBuffer values = ByteBuffer.allocateDirect(8 * extent).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < extent; i++) {
            values.putDouble(first + i * step);
        }
        try (var writer = to.create(name, spec, false)) {
            writer.write(spec.chunks().regionAt(0), values.flip(), Scratch.allocate((int)
                    writer.traits().scratchBytes()));
            writer.commit();
        }
    }

    private String refusal(ArraySpec spec, String chunks, String codec) throws IOException {
        try (ChunkStore to = Cog.create(temporary.resolve("refused.tif"))) {
            Exception refused = assertThrows(
                    Exception.class,
                    () -> Rechunker.from(RampSource.of(spec))
                            .to(to)
                            .chunks(chunks)
                            .maxMem("32MB")
                            .codec(codec)
                            .execute());
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void whatTiffCannotHaveIsRefused() throws Exception {
        ByteOrder order = ByteOrder.LITTLE_ENDIAN;
        String four = refusal(spec(DataType.UINT8, order, 2, 3, 40, 40).build(), "1,1,16,16", "zlib");
        assertTrue(four.contains("select one index of the others"), four);
        String one = refusal(spec(DataType.UINT8, order, 1, 40, 40).build(), "1,16,16", "zlib");
        assertTrue(one.contains("leave out an axis"), one);
        String bool = refusal(spec(DataType.BOOL, order, 40, 40).build(), "16,16", "zlib");
        assertTrue(bool.contains("cannot store bool"), bool);
        String blosc = refusal(spec(DataType.UINT8, order, 40, 40).build(), "16,16", "blosc");
        assertTrue(blosc.contains("which is not written to TIFF"), blosc);
        String predictor = refusal(spec(DataType.COMPLEX64, order, 40, 40).build(), "16,16", "predictor+zlib");
        assertTrue(predictor.contains("predictor 2 is for integers"), predictor);
        String empty = refusal(spec(DataType.UINT8, order, 0, 40).build(), "16,16", "zlib");
        assertTrue(empty.contains("has 1 to"), empty);
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void anExistingFileIsReplacedAsAWholeOrNotAtAll() throws Exception {
        Path file = temporary.resolve("a.tif");
        RampSource source = RampSource.of(
                spec(DataType.UINT8, ByteOrder.LITTLE_ENDIAN, 70, 100).build());
        try (ChunkStore to = Cog.create(file)) {
            job(source, to, 2).codec("zlib").execute();
        }
        long size = Files.size(file);
        try (ChunkStore to = Cog.create(file)) {
            String message = String.valueOf(assertThrows(
                            RefusedException.class, () -> job(source, to, 2).execute())
                    .getMessage());
            assertTrue(message.contains("nothing can be added to a TIFF file"), message);
            assertEquals(size, Files.size(file));
            job(source, to, 2).codec("none").overwrite().execute();
        }
        assertTrue(Files.size(file) > size);
    }
}
