package dev.rechunker.examples.fiji;

import dev.rechunker.Levels;
import dev.rechunker.Rechunker;
import dev.rechunker.io.imagej.ImagePlusArrays;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.run.Report;
import ij.IJ;
import ij.ImagePlus;
import java.io.IOException;
import java.nio.file.Path;

/** Saves an image of ImageJ as OME-Zarr with levels: {@code ImagePlusToOmeZarr IMAGE DST CHUNKS MAX_MEM}. */
public final class ImagePlusToOmeZarr {
    private ImagePlusToOmeZarr() {}

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
     * Saves an image, which need not fit in memory.
     *
     * @param chunks such as {@code ...=1, y=256, x=256}; the axes are t, c, z, y, x without those of length 1
     * @param maxMem the memory limit of the copy, which does not cover a stack in memory
     */
    public static Report save(ImagePlus image, Path directory, String chunks, String maxMem)
            throws IOException, InterruptedException {
        try (OmeZarr target = OmeZarr.create(directory)) {
            return Rechunker.from(ImagePlusArrays.of(image))
                    .to(target)
                    .chunks(chunks)
                    .maxMem(maxMem)
                    .codec("zstd")
                    .levels(Levels.auto())
                    .execute();
        }
    }
}
