package dev.rechunker.io.imagej;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import ij.ImagePlus;
import java.io.IOException;
import java.util.List;

/**
 * Uses images of ImageJ as sources, and stored arrays as images of ImageJ.
 *
 * <pre>{@code
 * Rechunker.from(ImagePlusArrays.of(image)).to(OmeZarr.create(path))
 *         .chunks("...=1, y=256, x=256").maxMem("256MB").levels(Levels.auto()).execute();
 *
 * try (StoredImagePlus stored = ImagePlusArrays.open(Zarr.open(path).at(""), ByteSize.parse("256MB"))) {
 *     stored.image().show(); ...
 * }
 * }</pre>
 *
 * <p>It needs {@code net.imagej:ij}, and {@code net.imglib2:imglib2} to open arrays; Fiji has both.
 */
public final class ImagePlusArrays {
    private ImagePlusArrays() {}

    /**
     * {@return an image as a source: a group with OME metadata, and the array {@code 0}}
     *
     * <p>The axes of the array are t, c, z, y, x without those of one element. Calibration, names, colours and display
     * ranges of channels, and the title become OME metadata. Where ImageJ knows no calibration, that of OME-XML in the
     * description of the file counts, which also gives names of channels.
     *
     * <p>Images of 8, 16 and 32 bits and RGB images, which have three channels, are supported. The image need not fit
     * in memory: planes of a virtual stack are loaded while they are copied. A plane for each thread is counted as
     * memory of the copy; a stack in memory is its owner's.
     */
    public static ImagePlusSource of(ImagePlus image) {
        return new ImagePlusSource(image);
    }

    /**
     * {@return a stored array as an image with a virtual stack, whose planes are read on demand}
     *
     * <p>Chunks are cached within a memory bound. Of an image with several levels, the largest is opened; name a level
     * by the path of its array. Calibration and channels are those of the OME metadata, or those that a copy to
     * OME-Zarr would have. Axes that ImageJ does not have become slices, frames or channels.
     *
     * <p>Elements of {@code uint8}, {@code uint16}, {@code int16} and {@code float32} keep their values, and so does
     * {@code bool}, as 0 and 1; others become {@code float32}, the nearest to each. The store must stay open while the
     * image is used, and is closed by the caller.
     *
     * @param place the location of an array, or of a group that is an image
     * @param cache the maximum memory of the cache
     * @param axes the names of the axes in C order, for a source without OME metadata; none to take those of the array,
     *     or z, y, x and the like if it has none
     * @throws StoreException if there is no array, or one that cannot be an image of ImageJ, saying why
     * @throws IllegalArgumentException if the axes do not fit, or the cache is too small, with the least size
     */
    public static StoredImagePlus open(StoreLocation place, ByteSize cache, String... axes) throws IOException {
        return StoredImagePlus.open(place, cache, List.of(axes));
    }
}
