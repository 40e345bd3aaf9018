package dev.rechunker.io.tiff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.io.Fixtures;
import dev.rechunker.io.fuzz.ByteMutator;
import dev.rechunker.io.fuzz.Fuzz;
import dev.rechunker.io.fuzz.Walk;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Malformed files are read or refused. */
class TiffFuzzTest {
    @TempDir
    Path temporary;

    @ParameterizedTest
    @CsvSource({
        "variants, strips_lzw_be.tif, 150",
        "variants, strips_packbits_le.tif, 100",
        "variants, predicted_rgb_u1_le.tif, 100",
        "variants, predicted_f4_le.tif, 100",
        "variants, type_u2_be.tif, 150",
        "variants, type_c16_le.tif, 100",
        "variants, planes_tiles_zlib.tif, 100",
        "variants, jpeg.tif, 50",
        "variants, gdal_12.tif, 100",
        "variants, listed.tif, 150",
        "images, ome_levels.ome.tif, 200",
        "images, renamed.ome.tif, 200",
        "images, imagej_one.tif, 200",
        "images, geo_utm.tif, 200",
        "images, geo_rotated.tif, 100"
    })
    void malformedFilesAreReadOrRefused(String zip, String name, int inputs) throws IOException {
        Path directory = Fixtures.copy("tiff/" + zip, temporary, true);
        byte[] whole = Files.readAllBytes(directory.resolve(name));
        Path lie = directory.resolve("lie.tif");
        Fuzz.check("tiff " + name, inputs, 256 << 20, lie.toString(), random -> mutate(whole, random), input -> {
            Files.write(lie, input);
            try (ChunkStore store = Tiff.open(lie)) {
                Walk.from(store, "", 300);
            }
        });
    }

    /** Most of a file is pixels; the tags are at its start or at its end. */
    private static byte[] mutate(byte[] whole, Random random) {
        if (random.nextInt(4) == 0) {
            return ByteMutator.mutate(List.of(whole), random);
        }
        byte[] file = whole.clone();
        int size = Math.min(600, file.length);
        int start = random.nextBoolean() ? 0 : file.length - size;
        for (int i = 0; i <= random.nextInt(4); i++) {
            file[start + random.nextInt(size)] = (byte) random.nextInt(256);
        }
        return file;
    }

    private String refusal(TiffWriter writer) throws IOException {
        Path file = Files.write(temporary.resolve("lie.tif"), writer.file());
        return String.valueOf(assertThrows(StoreException.class, () -> {
                    try (ChunkStore store = Tiff.open(file)) {
                        store.openReader("0").close();
                        Walk.from(store, "", 300);
                    }
                })
                .getMessage());
    }

    private void assertRefused(Map<Integer, long[]> tags, String part) throws IOException {
        for (boolean isBig : new boolean[] {false, true}) {
            TiffWriter writer = new TiffWriter(ByteOrder.LITTLE_ENDIAN, isBig);
            writer.add(new byte[100]);
            String message = refusal(writer.page(tags));
            assertTrue(message.contains(part) && message.contains("lie.tif"), message);
        }
    }

    @Test
    void liesAreNamed() throws IOException {
        long[] ten = {10};
        assertRefused(Map.of(Tags.WIDTH, ten), "tag 257");
        assertRefused(Map.of(Tags.WIDTH, ten, Tags.HEIGHT, new long[] {0}), "must be 1 to");
        assertRefused(Map.of(Tags.WIDTH, ten, Tags.HEIGHT, ten, Tags.BITS, new long[] {24}), "24 bits");
        assertRefused(Map.of(Tags.WIDTH, ten, Tags.HEIGHT, ten, Tags.BITS, new long[] {8}), "has 0 elements");
        assertRefused(image(Tags.STRIP_OFFSETS, 1 << 20), "1048576");
        assertRefused(image(Tags.COMPRESSION, 34712), "JPEG 2000");
        assertRefused(image(Tags.PHOTOMETRIC, 6), "YCbCr");
        assertRefused(image(Tags.PREDICTOR, 2), "predictor 2");
        assertRefused(image(Tags.SAMPLES, 0), "0 samples");
    }

    /** The digits of a number that is none of the type are not made. */
    @Test
    void hugeNumbersForMissingDataAreLeftOut() throws IOException {
        Map<Integer, long[]> tags = image(Tags.PREDICTOR, 1);
        tags.put(Tags.GDAL_NODATA, "1e400000000".chars().asLongStream().toArray());
        TiffWriter writer = new TiffWriter(ByteOrder.LITTLE_ENDIAN, false);
        writer.add(new byte[100]);
        Path file = Files.write(temporary.resolve("huge.tif"), writer.page(tags).file());
        try (ChunkStore store = Tiff.open(file)) {
            assertTrue(store.omissions("0").toString().contains("1e400000000"), () -> file.toString());
        }
    }

    private static Map<Integer, long[]> image(int tag, long value) {
        Map<Integer, long[]> tags = new TreeMap<>(Map.of(
                Tags.WIDTH, new long[] {10},
                Tags.HEIGHT, new long[] {10},
                Tags.BITS, new long[] {8},
                Tags.STRIP_OFFSETS, new long[] {8},
                Tags.STRIP_COUNTS, new long[] {100}));
        tags.put(tag, new long[] {value});
        return tags;
    }

    /** The distance of two pixels would be infinite. */
    @Test
    void aResolutionNearZeroIsUnknown() throws IOException {
        Path file = Fixtures.copy("tiff/images", temporary, true).resolve("imagej_one.tif");
        ByteBuffer changed = ByteBuffer.wrap(Files.readAllBytes(file));
        int entry = 10 + 11 * 12;
        assertEquals(Tags.Y_RESOLUTION, changed.getShort(entry));
        changed.putShort(entry + 2, (short) 12); // a double
        changed.putDouble(changed.getInt(entry + 8), Double.MIN_VALUE);
        try (ChunkStore store = Tiff.open(Files.write(file, changed.array()))) {
            Walk.from(store, "", 300);
        }
    }

    @Test
    void pagesThatFollowThemselvesAreRefused() throws IOException {
        TiffWriter writer = new TiffWriter(ByteOrder.LITTLE_ENDIAN, false);
        writer.page(image(Tags.SUBFILE_TYPE, 0));
        byte[] file = writer.file();
        file[8 + 2 + 6 * 12] = 8; // after the six tags: the position of the first page
        Path path = Files.write(temporary.resolve("loop.tif"), file);
        String message = String.valueOf(
                assertThrows(StoreException.class, () -> Tiff.open(path)).getMessage());
        assertTrue(message.contains("loop.tif") && message.contains("no end"), message);
    }
}
