package dev.rechunker.examples.fiji;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.ChunkStore.ArrayNode;
import dev.rechunker.store.ChunkStore.GroupNode;
import dev.rechunker.store.MemoryStore;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.Calibration;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImagePlusToOmeZarrTest {
    @TempDir
    Path temp = Path.of("");

    /** A hyperstack of 7 x 5 pixels, 2 channels, 3 slices and 4 frames, whose pixels depend on their position. */
    private static ImagePlus hyperstack() {
        ImageStack stack = new ImageStack(7, 5);
        for (int t = 0; t < 4; t++) {
            for (int z = 0; z < 3; z++) {
                for (int c = 0; c < 2; c++) {
                    ImageProcessor plane = new ShortProcessor(7, 5);
                    for (int y = 0; y < 5; y++) {
                        for (int x = 0; x < 7; x++) {
                            plane.set(x, y, code(t, c, z, y, x));
                        }
                    }
                    stack.addSlice(plane);
                }
            }
        }
        ImagePlus image = new ImagePlus("cells", stack);
        image.setDimensions(2, 3, 4);
        Calibration calibration = image.getCalibration();
        calibration.setUnit("um");
        calibration.pixelWidth = 0.1;
        calibration.pixelHeight = 0.2;
        calibration.pixelDepth = 0.5;
        calibration.frameInterval = 30;
        calibration.setTimeUnit("sec");
        return image;
    }

    private static int code(int t, int c, int z, int y, int x) {
        return 10_000 * t + 1_000 * c + 100 * z + 10 * y + x;
    }

    private static MemoryStore read(Path directory) throws IOException, InterruptedException {
        MemoryStore copied = new MemoryStore();
        try (ChunkStore saved = Zarr.open(directory)) {
            Rechunker.from(saved.at("0"))
                    .to(copied)
                    .chunks("keep")
                    .maxMem("8MB")
                    .execute();
        }
        return copied;
    }

    private static String metadata(Path directory) throws IOException {
        try (ChunkStore saved = Zarr.open(directory)) {
            return String.valueOf(
                    ((GroupNode) saved.node("").orElseThrow()).attributes().get("ome"));
        }
    }

    @Test
    void hyperstackIsCopiedWithCalibration() throws IOException, InterruptedException {
        Path directory = temp.resolve("cells.ome.zarr");
        ImagePlusToOmeZarr.save(hyperstack(), directory, "...=2, y=4, x=4", "8MB");
        MemoryStore saved = read(directory);
        short[][][][][] pixels = (short[][][][][]) saved.array("");
        for (int t = 0; t < 4; t++) {
            for (int c = 0; c < 2; c++) {
                for (int z = 0; z < 3; z++) {
                    for (int y = 0; y < 5; y++) {
                        for (int x = 0; x < 7; x++) {
                            assertEquals(code(t, c, z, y, x), pixels[t][c][z][y][x]);
                        }
                    }
                }
            }
        }
        ArrayNode array = (ArrayNode) saved.node("").orElseThrow();
        assertEquals(List.of("t", "c", "z", "y", "x"), array.spec().dimensionNames());
        assertEquals("(2, 2, 2, 4, 4)", array.spec().chunks().chunkShape().toString());
        String metadata = metadata(directory);
        assertTrue(metadata.contains("scale=[30.0, 1.0, 0.5, 0.2, 0.1]"), metadata);
        assertTrue(metadata.contains("name=t, type=time, unit=second"), metadata);
        assertTrue(metadata.contains("name=z, type=space, unit=micrometer"), metadata);
    }

    @Test
    void planeIsImageOfTwoAxesWithoutUnit() throws IOException, InterruptedException {
        float[][] columns = {{1, 2}, {3, 4}, {5, 6}};
        Path directory = temp.resolve("plane.ome.zarr");
        ImagePlusToOmeZarr.save(new ImagePlus("plane", new FloatProcessor(columns)), directory, "auto", "8MB");
        assertArrayEquals(new float[][] {{1, 3, 5}, {2, 4, 6}}, (float[][])
                read(directory).array(""));
        assertTrue(metadata(directory).contains("scale=[1.0, 1.0]"), metadata(directory));
    }

    @Test
    void imageFileIsSaved() throws IOException, InterruptedException {
        Path tiff = temp.resolve("cells.tif");
        IJ.saveAsTiff(hyperstack(), tiff.toString());
        Path directory = temp.resolve("cells.ome.zarr");
        ImagePlusToOmeZarr.main(new String[] {tiff.toString(), directory.toString(), "...=1, y=5, x=7", "8MB"});
        assertEquals(code(3, 1, 2, 4, 6), ((short[][][][][]) read(directory).array(""))[3][1][2][4][6]);
    }
}
