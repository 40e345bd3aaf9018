package dev.rechunker.io.imglib2;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.ImgFactory;
import net.imglib2.type.NativeType;

/**
 * Uses images of ImgLib2 as sources and targets, and stored arrays as images.
 *
 * <pre>{@code
 * Rechunker.from(ImgArrays.of(image)).to(Zarr.create(path)).chunks(64, 64, 64).maxMem("256MB").execute();
 *
 * Rechunker.from(Zarr.open(path)).to(ImgArrays.into(image)).chunks("keep").maxMem("256MB").execute();
 *
 * try (StoredImg<UnsignedShortType> image =
 *         ImgArrays.open(Zarr.open(path).at("raw"), new UnsignedShortType(), ByteSize.parse("256MB"))) { ... }
 * }</pre>
 *
 * <p>ImgLib2 counts axes x first, this library in C order: an image of 512 x 256 x 100 pixels (x, y, z) is an array of
 * shape {@code (100, 256, 512)}, and {@code chunks(16, 64, 64)} are 16 planes deep. The position of an image is not
 * kept: arrays start at zero.
 *
 * <p>Supported pixels are {@code ByteType}, {@code UnsignedByteType} and so on up to 64 bits, {@code FloatType},
 * {@code DoubleType}, {@code ComplexFloatType}, {@code ComplexDoubleType}, and {@code NativeBoolType} or
 * {@code BitType} for {@code bool}. All others, such as {@code ARGBType}, are refused with their name.
 */
public final class ImgArrays {
    private ImgArrays() {}

    /**
     * {@return an image as a source}
     *
     * <p>The image may be in memory, computed, or a view of another image. It is read by several threads at the same
     * time, each with accessors of its own. In an image that loads cells on demand, or a view that crops, rotates,
     * mirrors or slices one, every cell is a chunk, and is read as often as planned, mostly once. Such an image needs a
     * cache of one cell for each thread, because a large cell is accessed several times in a row. Other images are read
     * in any parts.
     *
     * @throws IllegalArgumentException if the type of pixels is not supported, with a type that is; or if the image has
     *     no axes
     */
    public static <T extends NativeType<T>> ImgSource<T> of(RandomAccessibleInterval<T> image) {
        return new ImgSource<>(image);
    }

    /**
     * {@return an image as a target}
     *
     * <p>The image must be writable, and have the size and type of the source. While a run is writing, and after one
     * has failed, it contains both old and new pixels.
     *
     * @throws IllegalArgumentException if the type of pixels is not supported, with a type that is; or if the image has
     *     no axes
     */
    public static <T extends NativeType<T>> ImgTarget<T> into(RandomAccessibleInterval<T> image) {
        return ImgTarget.into(image);
    }

    /**
     * {@return a target that creates an image with the size of the source when it is written, as in {@code create(new
     * CellImgFactory<>(new FloatType(), 64))}}
     *
     * @throws IllegalArgumentException if the type of the factory's pixels is not supported
     */
    public static <T extends NativeType<T>> ImgTarget<T> create(ImgFactory<T> factory) {
        return ImgTarget.create(shape -> factory.create(PixelBlocks.reversed(shape.toArray())), factory.type());
    }

    /**
     * {@return a stored array as an image whose cells are read on demand, and cached within a memory bound}
     *
     * @param array the location of the array; its store must stay open while the image is used, and is closed by the
     *     caller
     * @param type the type of the pixels
     * @param cache the maximum memory of the cache
     * @throws IllegalArgumentException if the type does not match the array's elements, with the type that does; if the
     *     array has no axes or no elements; or if the cache is too small for a cell, with the least size
     */
    public static <T extends NativeType<T>> StoredImg<T> open(StoreLocation array, T type, ByteSize cache)
            throws IOException {
        return StoredImg.open(array, type, cache);
    }
}
