package dev.rechunker.examples.fiji;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.io.Stores;
import dev.rechunker.io.imagej.ImagePlusArrays;
import dev.rechunker.io.imagej.StoredImagePlus;
import dev.rechunker.io.imglib2.ImgArrays;
import dev.rechunker.io.imglib2.ImgTarget;
import dev.rechunker.io.imglib2.StoredImg;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.ChunkStore;
import ij.ImagePlus;
import ij.process.ByteProcessor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of {@code docs/imglib2.md}. */
class ImgLib2GuideTest {
    @TempDir
    Path temp = Path.of("");

    private String in(String name) {
        return temp.resolve(name).toString();
    }

    private void scan() throws IOException, InterruptedException {
        Img<FloatType> pixels = ArrayImgs.floats(512, 256, 100);
        pixels.getAt(7, 5, 3).set(42);
        Rechunker.from(ImgArrays.of(pixels))
                .to(Zarr.create(temp.resolve("scan.zarr")))
                .chunks(25, 64, 512)
                .maxMem("64MB")
                .execute();
    }

    @Test
    void imageIsSourceAndStoredArrayIsImage() throws IOException, InterruptedException {
        Path path = temp.resolve("out.zarr");
        Img<UnsignedShortType> scan = ArrayImgs.unsignedShorts(20, 30, 40);
        scan.getAt(3, 5, 7).set(99);
        write(scan, path);
        Path group = temp.resolve("group.zarr");
        Rechunker.from(path)
                .to(Zarr.create(group).at("raw"))
                .chunks("keep")
                .maxMem("64MB")
                .execute();
        assertEquals("at x 7, y 5, z 3: 99", printed(() -> look(group)));
    }

    private static void write(Img<UnsignedShortType> scan, Path path) throws IOException, InterruptedException {
        // snippet: image-source
        RandomAccessibleInterval<UnsignedShortType> image = Views.permute(scan, 0, 2);
        Rechunker.from(ImgArrays.of(image).axes("x", "y", "z"))
                .to(Zarr.create(path))
                .chunks("z=16, y=64, x=64")
                .maxMem("256MB")
                .execute();
        // end snippet
    }

    private static void look(Path path) throws IOException {
        // snippet: stored-image
        try (ChunkStore store = Stores.open(path);
                StoredImg<UnsignedShortType> image =
                        ImgArrays.open(store.at("raw"), new UnsignedShortType(), ByteSize.parse("256MB"))) {
            System.out.println("at x 7, y 5, z 3: " + image.getAt(7, 5, 3));
        }
        // end snippet
    }

    @Test
    void imageIsTarget() throws IOException, InterruptedException {
        scan();
        // snippet: image-target
        Img<FloatType> image = ArrayImgs.floats(512, 256, 100);
        Rechunker.from(in("scan.zarr"))
                .to(ImgArrays.into(image))
                .chunks("auto")
                .maxMem("256MB")
                .execute();
        // end snippet
        assertEquals(42, image.getAt(7, 5, 3).get());
    }

    @Test
    void targetCreatesImage() throws IOException, InterruptedException {
        scan();
        // snippet: image-made
        ImgTarget<FloatType> target = ImgArrays.create(new PlanarImgFactory<>(new FloatType()));
        Rechunker.from(in("scan.zarr"))
                .to(target)
                .chunks("auto")
                .maxMem("256MB")
                .execute();
        RandomAccessibleInterval<FloatType> image = target.img();
        // end snippet
        assertEquals(42, image.getAt(7, 5, 3).get());
    }

    @Test
    void imageOfImageJIsSavedAndOpened() throws IOException, InterruptedException {
        ImagePlus imagePlus = new ImagePlus("one plane", new ByteProcessor(30, 20));
        Path path = temp.resolve("plane.ome.zarr");
        // snippet: image-plus
        Rechunker.from(ImagePlusArrays.of(imagePlus))
                .to(OmeZarr.create(path))
                .chunks("...=1, y=256, x=256")
                .maxMem("256MB")
                .levels(Levels.auto())
                .execute();
        // end snippet
        assertEquals("one plane: 1 planes", printed(() -> open(path)));
    }

    private static void open(Path path) throws IOException {
        // snippet: image-plus-opened
        try (ChunkStore store = Stores.open(path);
                StoredImagePlus stored = ImagePlusArrays.open(store.at(""), ByteSize.parse("256MB"))) {
            ImagePlus opened = stored.image();
            System.out.println(opened.getTitle() + ": " + opened.getStackSize() + " planes");
        }
        // end snippet
    }

    /** A part of a sample. */
    @FunctionalInterface
    private interface Sample {
        void run() throws IOException;
    }

    private static String printed(Sample sample) throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            sample.run();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8).trim();
    }
}
