package dev.rechunker.examples.fiji;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rechunker.Rechunker;
import dev.rechunker.examples.ExamplesTest;
import dev.rechunker.io.Stores;
import dev.rechunker.io.imglib2.ImgArrays;
import dev.rechunker.io.imglib2.ImgTarget;
import dev.rechunker.io.imglib2.StoredImg;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.memory.ByteSize;
import dev.rechunker.store.ChunkStore;
import ij.ImagePlus;
import ij.process.ByteProcessor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.array.ArrayImgs;
import net.imglib2.img.planar.PlanarImgFactory;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of {@code docs/imglib2.md}, as they stand there, but for names of files. */
class ImgLib2GuideTest {
    private static final Path GUIDE = Path.of("../docs/imglib2.md");
    private static final Path HERE = Path.of("src/test/java/dev/rechunker/examples/fiji/ImgLib2GuideTest.java");
    private static final Pattern SAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path temp = Path.of("");

    private static String squeezed(String code) {
        return code.replaceAll("\\s", "");
    }

    /** A file's name in the guide is a path of the test's here. */
    @Test
    void everySampleIsHere() throws IOException {
        String here = squeezed(Files.readString(HERE));
        List<String> samples = new ArrayList<>();
        for (Matcher sample = SAMPLE.matcher(Files.readString(GUIDE)); sample.find(); ) {
            samples.add(sample.group(1));
        }
        assertFalse(samples.isEmpty());
        for (String sample : samples) {
            assertTrue(here.contains(squeezed(sample.replace("\"scan.zarr\"", "scan()"))), sample);
        }
    }

    private String scan() throws IOException, InterruptedException {
        Path path = temp.resolve("scan.zarr");
        if (!Files.exists(path)) {
            Img<FloatType> pixels = ArrayImgs.floats(512, 256, 100);
            pixels.getAt(7, 5, 3).set(42);
            Rechunker.from(ImgArrays.of(pixels))
                    .to(Zarr.create(path))
                    .chunks(25, 64, 512)
                    .maxMem("64MB")
                    .execute();
        }
        return path.toString();
    }

    @Test
    void anImageIsASourceAndAStoredArrayAnImage() throws IOException, InterruptedException {
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
        assertEquals(
                "at x 7, y 5, z 3: 99", ExamplesTest.printed(() -> look(group)).trim());
    }

    private static void write(Img<UnsignedShortType> scan, Path path) throws IOException, InterruptedException {
        RandomAccessibleInterval<UnsignedShortType> image = Views.permute(scan, 0, 2);
        Rechunker.from(ImgArrays.of(image).axes("x", "y", "z"))
                .to(Zarr.create(path))
                .chunks("z=16, y=64, x=64")
                .maxMem("256MB")
                .execute();
    }

    private static void look(Path path) throws IOException {
        try (ChunkStore store = Stores.open(path);
                StoredImg<UnsignedShortType> image =
                        ImgArrays.open(store.at("raw"), new UnsignedShortType(), ByteSize.parse("256MB"))) {
            System.out.println("at x 7, y 5, z 3: " + image.getAt(7, 5, 3));
        }
    }

    @Test
    void anImageIsATarget() throws IOException, InterruptedException {
        Img<FloatType> image = ArrayImgs.floats(512, 256, 100);
        Rechunker.from(scan())
                .to(ImgArrays.into(image))
                .chunks("auto")
                .maxMem("256MB")
                .execute();
        assertEquals(42, image.getAt(7, 5, 3).get());
    }

    @Test
    void aTargetMakesAnImage() throws IOException, InterruptedException {
        ImgTarget<FloatType> target = ImgArrays.create(new PlanarImgFactory<>(new FloatType()));
        Rechunker.from(scan()).to(target).chunks("auto").maxMem("256MB").execute();
        RandomAccessibleInterval<FloatType> image = target.img();
        assertEquals(42, image.getAt(7, 5, 3).get());
    }

    @Test
    void anImageOfImageJIsSaved() throws IOException, InterruptedException {
        ImagePlus imagePlus = new ImagePlus("one plane", new ByteProcessor(30, 20));
        Path path = temp.resolve("plane.ome.zarr");
        ImagePlusToOmeZarr.save(imagePlus, path, "...=1, y=256, x=256", "256MB");
        assertTrue(Files.exists(path.resolve("zarr.json")));
    }
}
