package dev.rechunker.examples.fiji;

import dev.rechunker.Rechunker;
import dev.rechunker.io.imglib2.ImgArrays;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.run.Report;
import ij.IJ;
import ij.ImagePlus;
import ij.ImageStack;
import ij.measure.Calibration;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.basictypeaccess.DataAccess;
import net.imglib2.img.basictypeaccess.array.ByteArray;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.img.basictypeaccess.array.ShortArray;
import net.imglib2.img.cell.Cell;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

/**
 * Saves an image of ImageJ as OME-Zarr, its calibration included: {@code ImagePlusToOmeZarr IMAGE DST CHUNKS MAX_MEM}.
 */
public final class ImagePlusToOmeZarr {
    private ImagePlusToOmeZarr() {}

    /** An axis with its calibration. */
    private record Axis(String name, double scale, String unit) {}

    /** A plane of a stack. */
    private record Plane<A>(long index, Cell<A> cell) {}

    /** Saves the image file {@code args[0]} in {@code args[1]}, in chunks like {@code ...=1, y=256, x=256}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ImagePlus image = IJ.openImage(args[0]);
        if (image == null) {
            throw new IOException(args[0] + " is not an image that ImageJ can open");
        }
        Report report = save(image, Path.of(args[1]), args[2], args[3]);
        System.out.println("saved " + image.getTitle() + " in " + report.measuredMemory() + " bytes of memory");
    }

    /**
     * Saves an image, which need not fit in memory: planes of a virtual stack are loaded while they are copied.
     *
     * @param chunks such as {@code ...=1, y=256, x=256}; the axes are t, c, z, y, x without those of length 1
     * @param maxMem the memory limit of the copy. It does not cover the stack, nor the planes that a virtual stack
     *     loads, one for each thread
     */
    public static Report save(ImagePlus image, Path directory, String chunks, String maxMem)
            throws IOException, InterruptedException {
        return switch (image.getType()) {
            case ImagePlus.GRAY8 ->
                save(image, directory, chunks, maxMem, new UnsignedByteType(), p -> new ByteArray((byte[]) p));
            case ImagePlus.GRAY16 ->
                save(image, directory, chunks, maxMem, new UnsignedShortType(), p -> new ShortArray((short[]) p));
            case ImagePlus.GRAY32 ->
                save(image, directory, chunks, maxMem, new FloatType(), p -> new FloatArray((float[]) p));
            default ->
                throw new IllegalArgumentException(
                        image.getTitle() + " is in colour; make its channels grey with Image > Color > Split Channels");
        };
    }

    private static <T extends NativeType<T>, A extends DataAccess> Report save(
            ImagePlus image, Path directory, String chunks, String maxMem, T type, Function<Object, A> access)
            throws IOException, InterruptedException {
        RandomAccessibleInterval<T> pixels = planes(image, type, access);
        for (int dimension = 4; dimension >= 2; dimension--) {
            if (pixels.dimension(dimension) == 1) {
                pixels = Views.hyperSlice(pixels, dimension, 0);
            }
        }
        if (image.getNChannels() > 1 && image.getNSlices() > 1) {
            pixels = Views.permute(pixels, 2, 3); // channels stand before z in ImageJ, and after it in OME-Zarr
        }
        List<Axis> axes = axes(image);
        Collections.reverse(axes); // an image counts them x first, OME-Zarr in C order
        try (OmeZarr target = OmeZarr.create(directory)
                .axes(axes.stream().map(Axis::name).toArray(String[]::new))
                .scale(axes.stream().mapToDouble(Axis::scale).toArray())
                .units(axes.stream().map(Axis::unit).toArray(String[]::new))) {
            return Rechunker.from(ImgArrays.of(pixels))
                    .to(target)
                    .chunks(chunks)
                    .maxMem(maxMem)
                    .codec("zstd")
                    .execute();
        }
    }

    /**
     * {@return the stack, with a cell for each plane; the axes are x, y, c, z, t, the order in which ImageJ numbers
     * planes}
     */
    @SuppressWarnings("ThreadLocalUsage") // holds planes of one image, and is collected with it
    private static <T extends NativeType<T>, A extends DataAccess> RandomAccessibleInterval<T> planes(
            ImagePlus image, T type, Function<Object, A> access) {
        ImageStack stack = image.getStack();
        int[] plane = {image.getWidth(), image.getHeight(), 1, 1, 1};
        CellGrid grid = new CellGrid(
                new long[] {plane[0], plane[1], image.getNChannels(), image.getNSlices(), image.getNFrames()}, plane);
        ThreadLocal<Plane<A>> latest = new ThreadLocal<>(); // a plane is looked at several times in a row
        return new LazyCellImg<>(grid, type, index -> {
            Plane<A> loaded = latest.get();
            if (loaded == null || loaded.index != index) {
                long[] min = new long[5];
                grid.getCellDimensions(index, min, new int[5]);
                synchronized (stack) { // a virtual stack reads its file for one thread at a time
                    loaded = new Plane<>(index, new Cell<>(plane, min, access.apply(stack.getPixels((int) index + 1))));
                }
                latest.set(loaded);
            }
            return loaded.cell;
        });
    }

    /** {@return the axes longer than 1, x first, z before channels} */
    private static List<Axis> axes(ImagePlus image) {
        Calibration calibration = image.getCalibration();
        List<Axis> axes = new ArrayList<>();
        axes.add(new Axis("x", calibration.pixelWidth, unit(calibration.getXUnit())));
        axes.add(new Axis("y", calibration.pixelHeight, unit(calibration.getYUnit())));
        if (image.getNSlices() > 1) {
            axes.add(new Axis("z", calibration.pixelDepth, unit(calibration.getZUnit())));
        }
        if (image.getNChannels() > 1) {
            axes.add(new Axis("c", 1, ""));
        }
        if (image.getNFrames() > 1) {
            boolean timed = calibration.frameInterval > 0;
            axes.add(
                    new Axis("t", timed ? calibration.frameInterval : 1, timed ? unit(calibration.getTimeUnit()) : ""));
        }
        return axes;
    }

    /** {@return a unit of length or time; in ImageJ, "pixel" stands for no unit} */
    private static String unit(String name) {
        return name.startsWith("pixel") ? "" : name;
    }
}
