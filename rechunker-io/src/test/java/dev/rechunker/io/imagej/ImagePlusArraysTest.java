package dev.rechunker.io.imagej;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Levels;
import dev.rechunker.Plan;
import dev.rechunker.Rechunker;
import dev.rechunker.array.DataType;
import dev.rechunker.io.ome.OmeVersion;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.run.Loss;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.StoreException;
import dev.rechunker.testing.RampSource;
import ij.CompositeImage;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.VirtualStack;
import ij.io.FileInfo;
import ij.measure.Calibration;
import ij.process.ByteProcessor;
import ij.process.ColorProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import ij.process.LUT;
import ij.process.ShortProcessor;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ImagePlusArraysTest {
    private static final ByteSize CACHE = ByteSize.parse("16MB");

    @TempDir
    Path temp = Path.of("");

    private static ImagePlus filled(String title, BiFunction<Integer, Integer, ImageProcessor> planes, int... sizes) {
        ImageStack stack = new ImageStack(sizes[0], sizes[1]);
        int seed = 0;
        for (int plane = 0; plane < sizes[2] * sizes[3] * sizes[4]; plane++) {
            ImageProcessor pixels = planes.apply(sizes[0], sizes[1]);
            for (int i = 0; i < sizes[0] * sizes[1]; i++) {
                pixels.setf(i, (seed++ * 7) % 251);
            }
            stack.addSlice(pixels);
        }
        ImagePlus image = new ImagePlus(title, stack);
        image.setDimensions(sizes[2], sizes[3], sizes[4]);
        return image;
    }

    /** {@return 60 x 50 pixels, 2 channels, 3 slices, 4 frames, with colours, contrast and calibration} */
    private static CompositeImage cells() {
        ImagePlus plain = filled("cells", ShortProcessor::new, 60, 50, 2, 3, 4);
        Calibration calibration = plain.getCalibration();
        calibration.setUnit("um");
        calibration.pixelWidth = 0.1;
        calibration.pixelHeight = 0.12;
        calibration.pixelDepth = 0.5;
        calibration.xOrigin = 10;
        calibration.frameInterval = 30;
        calibration.setTimeUnit("sec");
        CompositeImage cells = new CompositeImage(plain, CompositeImage.COMPOSITE);
        LUT red = LUT.createLutFromColor(Color.RED);
        red.min = 5;
        red.max = 120;
        LUT green = LUT.createLutFromColor(new Color(0, 255, 64));
        green.min = 0;
        green.max = 250;
        cells.setLuts(new LUT[] {red, green});
        cells.getActiveChannels()[0] = false;
        return cells;
    }

    private static void assertSamePixels(ImagePlus expected, ImagePlus actual) {
        assertArrayEquals(
                new int[] {expected.getNChannels(), expected.getNSlices(), expected.getNFrames()},
                new int[] {actual.getNChannels(), actual.getNSlices(), actual.getNFrames()});
        for (int plane = 1; plane <= expected.getStackSize(); plane++) {
            Object pixels = expected.getStack().getPixels(plane);
            Object found = actual.getStack().getPixels(plane);
            if (pixels instanceof short[] shorts) {
                assertArrayEquals(shorts, (short[]) found);
            } else if (pixels instanceof byte[] bytes) {
                assertArrayEquals(bytes, (byte[]) found);
            } else {
                assertArrayEquals((float[]) pixels, (float[]) found);
            }
        }
    }

    private Path save(ImagePlus image, OmeVersion version) throws IOException, InterruptedException {
        Path saved = temp.resolve("saved" + version + ".ome.zarr");
        try (OmeZarr target = OmeZarr.create(saved, version)) {
            Rechunker.from(ImagePlusArrays.of(image))
                    .to(target)
                    .chunks("...=1, y=16, x=16")
                    .maxMem("16MB")
                    .levels(Levels.auto().until(20))
                    .execute();
        }
        return saved;
    }

    private static Map<?, ?> ome(Path saved) throws IOException {
        try (ChunkStore store = Zarr.open(saved)) {
            GroupNode group = (GroupNode) store.node("").orElseThrow();
            return assertInstanceOf(Map.class, group.attributes().get("ome"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void hyperstackWithLevelsComesBack(OmeVersion version) throws IOException, InterruptedException {
        CompositeImage cells = cells();
        Path saved = save(cells, version);
        try (ChunkStore store = Zarr.open(saved)) {
            StoredImagePlus storedopened = ImagePlusArrays.open(store.at(""), CACHE);
            ImagePlus opened = storedopened.image();
            assertSamePixels(cells, opened);
            assertEquals("cells", opened.getTitle());
            Calibration calibration = opened.getCalibration();
            assertEquals(
                    List.of(0.1, 0.12, 0.5, 30.0, 10.0),
                    List.of(
                            calibration.pixelWidth,
                            calibration.pixelHeight,
                            calibration.pixelDepth,
                            calibration.frameInterval,
                            calibration.xOrigin));
            assertEquals("micron", calibration.getUnit());
            assertEquals("sec", calibration.getTimeUnit());
            LUT[] luts = assertInstanceOf(CompositeImage.class, opened).getLuts();
            assertEquals(Color.RED.getRGB(), luts[0].getRGB(255));
            assertEquals(new Color(0, 255, 64).getRGB(), luts[1].getRGB(255));
            assertEquals(List.of(5.0, 120.0, 0.0, 250.0), List.of(luts[0].min, luts[0].max, luts[1].min, luts[1].max));
            assertFalse(((CompositeImage) opened).getActiveChannels()[0]);
            storedopened.close();

            StoredImagePlus storedhalf = ImagePlusArrays.open(store.at("1"), CACHE);
            ImagePlus half = storedhalf.image();
            assertEquals(List.of(30, 25), List.of(half.getWidth(), half.getHeight()));
            assertEquals(0.2, half.getCalibration().pixelWidth);
            assertEquals(4.75, half.getCalibration().xOrigin, 1e-9);
            storedhalf.close();
        }
    }

    @Test
    void metadataAreThoseOfOmeZarr() throws IOException, InterruptedException {
        Map<?, ?> ome = ome(save(cells(), OmeVersion.V0_5));
        String channels =
                String.valueOf(assertInstanceOf(Map.class, ome.get("omero")).get("channels"));
        assertTrue(channels.contains("color=FF0000, active=false"), channels);
        assertTrue(channels.contains("window={min=0, max=65535, start=5, end=120}"), channels);
        String images = String.valueOf(ome.get("multiscales"));
        assertTrue(images.contains("name=cells"), images);
        assertTrue(images.contains("type=translation, translation=[0.0, 0.0, 0.0, 0.0, -1.0]"), images);
        assertTrue(images.contains("path=1"), images);
        assertTrue(images.contains("name=t, type=time, unit=second"), images);
    }

    @Test
    void virtualStackIsReadInItsPlanes() throws IOException, InterruptedException {
        Path tiff = temp.resolve("cells.tif");
        CompositeImage cells = cells();
        IJ.saveAsTiff(cells, tiff.toString());
        ImagePlus opened = IJ.openVirtual(tiff.toString());
        assertTrue(opened.getStack().isVirtual());
        Path saved = save(opened, OmeVersion.V0_5);
        try (ChunkStore store = Zarr.open(saved)) {
            StoredImagePlus storedagain = ImagePlusArrays.open(store.at(""), CACHE);
            ImagePlus again = storedagain.image();
            assertSamePixels(cells, again);
            assertEquals(0.5, again.getCalibration().pixelDepth, 1e-9);
            storedagain.close();
        }
    }

    @Test
    void eachTypeComesBack() throws IOException, InterruptedException {
        ImagePlus bytes = filled("bytes", ByteProcessor::new, 9, 8, 1, 1, 1);
        ImagePlus floats = filled("floats", FloatProcessor::new, 9, 8, 1, 5, 1);
        ImagePlus signed = filled("signed", ShortProcessor::new, 9, 8, 1, 1, 3);
        signed.getCalibration().setSigned16BitCalibration();
        for (ImagePlus image : List.of(bytes, floats, signed)) {
            Path saved = temp.resolve(image.getTitle() + ".zarr");
            try (ChunkStore target = Zarr.create(saved)) {
                Rechunker.from(ImagePlusArrays.of(image).at("0"))
                        .to(target)
                        .chunks("auto")
                        .maxMem("16MB")
                        .execute();
                StoredImagePlus storedopened = ImagePlusArrays.open(target.at(""), CACHE);
                ImagePlus opened = storedopened.image();
                assertEquals(image.getType(), opened.getType());
                assertSamePixels(image, opened);
                storedopened.close();
            }
        }
        try (ChunkStore store = Zarr.open(temp.resolve("signed.zarr"))) {
            ArrayNode array = (ArrayNode) store.node("").orElseThrow();
            assertEquals(DataType.INT16, array.spec().dataType());
            StoredImagePlus storedopened = ImagePlusArrays.open(store.at(""), CACHE);
            ImagePlus opened = storedopened.image();
            assertTrue(opened.getCalibration().isSigned16Bit());
            storedopened.close();
        }
    }

    @Test
    void coloursBecomeThreeChannels() throws IOException, InterruptedException {
        ColorProcessor plane = new ColorProcessor(3, 2);
        plane.set(1, 0, 0x102030);
        Path saved = save(new ImagePlus("colours", plane), OmeVersion.V0_5);
        try (ChunkStore store = Zarr.open(saved)) {
            StoredImagePlus storedopened = ImagePlusArrays.open(store.at(""), CACHE);
            ImagePlus opened = storedopened.image();
            assertEquals(3, opened.getNChannels());
            for (int channel = 1; channel <= 3; channel++) {
                assertEquals(
                        16 * channel, opened.getStack().getProcessor(channel).get(1, 0));
            }
            storedopened.close();
        }
        assertTrue(String.valueOf(ome(saved)).contains("label=green, color=00FF00"));
    }

    @Test
    void omeXmlGivesWhatImageJDoesNotKnow() throws IOException, InterruptedException {
        ImagePlus image = filled("ome", ByteProcessor::new, 9, 8, 2, 1, 1);
        FileInfo file = new FileInfo();
        file.description = "<?xml version=\"1.0\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">"
                + "<Image ID=\"Image:0\"><Pixels SizeX=\"9\" SizeY=\"8\" PhysicalSizeX=\"0.25\" PhysicalSizeY=\"250\""
                + " PhysicalSizeYUnit=\"nm\"><Channel Name=\"DAPI\"/><Channel Name=\"GFP\"/></Pixels></Image></OME>";
        image.setFileInfo(file);
        String ome = String.valueOf(ome(save(image, OmeVersion.V0_5)));
        assertTrue(ome.contains("label=DAPI") && ome.contains("label=GFP"), ome);
        assertTrue(ome.contains("name=y, type=space, unit=nanometer"), ome);
        assertTrue(ome.contains("scale=[1.0, 250.0, 0.25]"), ome);
        file.description = "<OME <Pixels";
        assertEquals(false, OmeDescription.of(image).isPresent());
    }

    @Test
    void whatIsNotKeptIsListed() throws IOException {
        ImagePlus image = filled("grades", ByteProcessor::new, 9, 8, 1, 1, 1);
        image.getCalibration().setUnit("furlong");
        image.getCalibration().pixelWidth = 2;
        image.getCalibration().setFunction(Calibration.STRAIGHT_LINE, new double[] {0, 2}, "grades");
        byte[] rising = new byte[256];
        for (int i = 0; i < rising.length; i++) {
            rising[i] = (byte) (i < 128 ? 0 : i);
        }
        image.setLut(new LUT(rising, new byte[256], rising));
        try (OmeZarr target = OmeZarr.create(temp.resolve("losses"))) {
            Plan plan = Rechunker.from(ImagePlusArrays.of(image))
                    .to(target)
                    .chunks("auto")
                    .maxMem("16MB")
                    .plan();
            String losses =
                    String.join("\n", plan.losses().stream().map(Loss::sentence).toList());
            assertTrue(losses.contains("\"furlong\""), losses);
            assertTrue(losses.contains("\"grades\""), losses);
            assertTrue(losses.contains("lookup table"), losses);
        }
    }

    @Test
    void planeThatCannotBeReadIsNamed() throws IOException {
        VirtualStack broken = new VirtualStack(9, 8, null, "") {
            @Override
            public ImageProcessor getProcessor(int plane) {
                if (plane == 3) {
                    throw new IllegalStateException("the disk is gone");
                }
                return new ByteProcessor(9, 8);
            }
        };
        for (int plane = 0; plane < 4; plane++) {
            broken.addSlice("");
        }
        ImagePlus image = new ImagePlus("broken", broken);
        try (OmeZarr target = OmeZarr.create(temp.resolve("broken.ome.zarr"))) {
            String message = assertThrows(
                            IOException.class,
                            () -> Rechunker.from(ImagePlusArrays.of(image))
                                    .to(target)
                                    .chunks("auto")
                                    .maxMem("16MB")
                                    .execute())
                    .toString();
            assertTrue(message.contains("plane 3") && message.contains("the disk is gone"), message);
        }
    }

    @Test
    void otherAxesBecomeSlicesFramesAndChannels() throws IOException, InterruptedException {
        Path saved = temp.resolve("six.zarr");
        RampSource six = RampSource.of(DataType.INT32, 2, 3, 2, 4, 5, 6).chunks(1, 1, 1, 4, 5, 6);
        try (ChunkStore target = Zarr.create(saved)) {
            Rechunker.from(six).to(target).chunks("keep").maxMem("16MB").execute();
            StoredImagePlus storedopened = ImagePlusArrays.open(target.at(""), CACHE);
            ImagePlus opened = storedopened.image();
            assertEquals(
                    List.of(6, 5, 3, 4, 4),
                    List.of(
                            opened.getWidth(),
                            opened.getHeight(),
                            opened.getNChannels(),
                            opened.getNSlices(),
                            opened.getNFrames()));
            storedopened.close();
            Exception refusal = assertThrows(
                    IllegalArgumentException.class, () -> ImagePlusArrays.open(target.at(""), CACHE, "y", "x"));
            assertTrue(refusal.toString().contains("2 axes"), refusal::toString);
        }
        try (ChunkStore target = Zarr.create(temp.resolve("line.zarr"))) {
            RampSource line = RampSource.of(DataType.INT32, 2).chunks(2);
            Rechunker.from(line).to(target).chunks("keep").maxMem("16MB").execute();
            Exception refusal = assertThrows(StoreException.class, () -> ImagePlusArrays.open(target.at(""), CACHE));
            assertTrue(refusal.toString().contains("at least two axes"), refusal::toString);
            Exception none = assertThrows(StoreException.class, () -> ImagePlusArrays.open(target.at("none"), CACHE));
            assertTrue(none.toString().contains("there is nothing"), none::toString);
        }
    }
}
