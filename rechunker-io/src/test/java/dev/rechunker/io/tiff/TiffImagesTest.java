package dev.rechunker.io.tiff;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.array.ArraySpec;
import dev.rechunker.io.Fixtures;
import dev.rechunker.io.Stores;
import dev.rechunker.io.StoresByUri;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.testing.Data;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What images say of themselves: axes, units, scale, places on the Earth, missing values. */
class TiffImagesTest {
    @TempDir
    static Path fixtures;

    @TempDir
    Path temporary;

    private static Path images = Path.of("");

    @BeforeAll
    static void unpack() throws IOException {
        images = Fixtures.copy("tiff/images", fixtures, true);
    }

    private static Map<?, ?> attributes(ChunkStore store, String group) throws IOException {
        return ((GroupNode) store.node(group).orElseThrow()).attributes();
    }

    private static ArraySpec spec(ChunkStore store, String array) throws IOException {
        return ((ArrayNode) store.node(array).orElseThrow()).spec();
    }

    private static String scales(ChunkStore store) throws IOException {
        return String.valueOf(attributes(store, "").get("ome"));
    }

    @Test
    void omeXmlGivesAxesUnitsAndChannels() throws IOException {
        try (ChunkStore store = Tiff.open(images.resolve("ome_TZC.ome.tif"))) {
            String text = scales(store);
            assertTrue(text.contains("scale=[2.5, 1.0, 1500.0, 0.5, 0.25]"), text);
            assertTrue(text.contains("{name=z, type=space, unit=nanometer}"), text);
            assertTrue(text.contains("{name=t, type=time, unit=second}"), text);
            assertTrue(text.contains("label=DAPI, color=0000FF"), text);
            assertEquals(List.of("t", "c", "z", "y", "x"), spec(store, "0").dimensionNames());
        }
    }

    @Test
    void levelsAreDescribed() throws IOException {
        try (ChunkStore store = Tiff.open(images.resolve("ome_levels.ome.tif"))) {
            assertEquals(List.of("0", "1", "2"), store.children(""));
            String text = scales(store);
            assertTrue(text.contains("scale=[1.0, 1.0, 1.0, 4.0, 4.0]"), text);
        }
    }

    @Test
    void stacksOfImageJHaveTheirCalibration() throws IOException {
        try (ChunkStore store = Tiff.open(images.resolve("imagej.tif"))) {
            String text = scales(store);
            assertTrue(text.contains("scale=[0.5, 1.0, 1.5, 0.5, 0.25]"), text);
            assertTrue(text.contains("{name=x, type=space, unit=micrometer}"), text);
        }
    }

    @Test
    void missingFilesAreALoss() throws IOException {
        Path file = Files.copy(images.resolve("renamed.ome.tif"), temporary.resolve("alone.tif"));
        try (ChunkStore store = Tiff.open(file)) {
            assertTrue(store.omissions("").toString().contains("part1.ome.tif"), () -> omissions(store));
            try (ArrayReader reader = store.openReader("0")) {
                byte[] all = Data.readAll(reader);
                assertArrayEquals(new byte[all.length / 2], Arrays.copyOfRange(all, all.length / 2, all.length));
            }
        }
    }

    private static String omissions(ChunkStore store) {
        try {
            return store.omissions("").toString();
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void mapsHaveAGridMappingAndMissingValues() throws IOException {
        try (ChunkStore store = Tiff.open(images.resolve("geo_utm.tif"))) {
            ArraySpec spec = spec(store, "band_data");
            ByteBuffer missing =
                    ByteBuffer.wrap(spec.missingValue().bytes().orElseThrow()).order(spec.byteOrder());
            assertEquals(-9999, missing.getShort());
            assertEquals(0.5, spec.attributes().get("scale_factor"));
            assertEquals(10.0, spec.attributes().get("add_offset"));
            assertEquals("sea surface height", spec.attributes().get("long_name"));
            assertEquals("by a test", spec.attributes().get("made"));
            assertEquals("spatial_ref", spec.attributes().get("grid_mapping"));
            Map<String, ?> mapping = spec(store, "spatial_ref").attributes();
            assertEquals("EPSG:32633", mapping.get("spatial_ref"));
            assertEquals("500000.0 8.0 0.0 4100000.0 0.0 -16.0", mapping.get("GeoTransform"));
            assertEquals(
                    "projection_x_coordinate", spec(store, "x").attributes().get("standard_name"));
        }
        try (ChunkStore store = Tiff.open(images.resolve("geo_degrees.tif"))) {
            ArraySpec spec = spec(store, "band_data");
            ByteBuffer missing =
                    ByteBuffer.wrap(spec.missingValue().bytes().orElseThrow()).order(spec.byteOrder());
            assertTrue(Float.isNaN(missing.getFloat()));
            assertEquals("degrees_east", spec(store, "x").attributes().get("units"));
        }
        try (ChunkStore store = Tiff.open(images.resolve("geo_rotated.tif"))) {
            assertEquals(List.of("band_data", "spatial_ref"), store.children(""));
            assertTrue(store.omissions("").toString().contains("no coordinates"));
        }
    }

    /** A copy has the same elements, and the metadata of OME-Zarr. */
    @Test
    void imagesBecomeOmeZarr() throws Exception {
        for (String name : List.of("ome_levels.ome.tif", "imagej.tif", "imagej_one.tif")) {
            Path target = temporary.resolve(name + ".ome.zarr");
            try (ChunkStore source = Tiff.open(images.resolve(name))) {
                Rechunker.from(source)
                        .to(OmeZarr.create(target))
                        .chunks("keep")
                        .maxMem("64MB")
                        .execute();
                try (ChunkStore copy = Zarr.open(target)) {
                    assertTrue(
                            attributes(copy, "").get("ome") instanceof Map<?, ?> ome && ome.containsKey("multiscales"));
                    assertSame(source, copy, "0");
                }
            }
        }
    }

    private static void assertSame(ChunkStore source, ChunkStore copy, String array) throws IOException {
        try (ArrayReader one = source.openReader(array);
                ArrayReader other = copy.openReader(array)) {
            assertEquals(one.spec().byteOrder(), other.spec().byteOrder());
            assertArrayEquals(Data.readAll(one), Data.readAll(other));
        }
    }

    /** As objects in a bucket: other files are found beside the first. */
    @Test
    void valuesOfKeyStoresAreRead() throws IOException {
        for (Variants.Variant variant : Variants.in(images)) {
            try (ChunkStore store = Tiff.open(new DirectoryKeys(images), variant.file())) {
                variant.check(store);
            }
        }
    }

    @Test
    void descriptorsOpenTheSameImage() throws IOException {
        try (ChunkStore store = Stores.open(images.resolve("imagej.tif"));
                ChunkStore again =
                        new StoresByUri().open(store.descriptor().orElseThrow()).orElseThrow()) {
            assertSame(store, again, "0");
        }
    }

    @Test
    void numberedFilesAreStacked() throws IOException {
        List<Concat.Source> files = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            byte[] pixels = new byte[20];
            Arrays.fill(pixels, (byte) i);
            TiffWriter writer = new TiffWriter(ByteOrder.LITTLE_ENDIAN, false);
            long at = writer.add(pixels);
            byte[] file = writer.page(Map.of(
                            Tags.WIDTH, new long[] {5},
                            Tags.HEIGHT, new long[] {4},
                            Tags.BITS, new long[] {8},
                            Tags.STRIP_OFFSETS, new long[] {at},
                            Tags.STRIP_COUNTS, new long[] {20}))
                    .file();
            Path path = Files.write(temporary.resolve("plane" + i + ".tif"), file);
            files.add(new Concat.Source(path.toString(), "", () -> Tiff.open(path)));
        }
        try (ChunkStore stack = Concat.stack("z", files)) {
            ArraySpec spec = spec(stack, "0");
            assertEquals("(12, 4, 5)", spec.shape().toString());
            try (ArrayReader reader = stack.openReader("0")) {
                byte[] all = Data.readAll(reader);
                assertEquals(11, all[239]);
                assertEquals(3, all[60]);
            }
        }
    }
}
