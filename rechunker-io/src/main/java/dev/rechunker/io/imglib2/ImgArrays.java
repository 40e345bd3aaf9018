package dev.rechunker.io.imglib2;

import dev.rechunker.resource.ByteSize;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.ImgFactory;
import net.imglib2.type.NativeType;

/**
 * The door to ImgLib2: images as sources and targets, and stored arrays as images.
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
 * <p>ImgLib2 counts axes x first, everything else here in C order: an image of 512 x 256 x 100 pixels (x, y, z) is an
 * array of shape {@code (100, 256, 512)}, and {@code chunks(16, 64, 64)} are 16 planes deep. The image's position is
 * not kept: an array starts at zero.
 *
 * <p>Pixels are of {@code ByteType}, {@code UnsignedByteType} and so on up to 64 bits, {@code FloatType},
 * {@code DoubleType}, {@code ComplexFloatType}, {@code ComplexDoubleType}, and {@code NativeBoolType} or
 * {@code BitType}, which are {@code bool}. All others are refused by name, {@code ARGBType} among them.
 */
public final class ImgArrays {
    private ImgArrays() {}

    /**
     * {@return an image as a source}
     *
     * <p>Any image will do: in memory, computed, a view of another one. It is read by several threads at once, each
     * with its own accesses. Of images that load their cells when they are looked at, and views that crop, turn, mirror
     * or slice them, every cell is a chunk, and read as often as the plan says, mostly once; they need a cache of a
     * cell for each thread, as a large cell is looked at several times in a row. Other images are read in any parts.
     *
     * @throws IllegalArgumentException if no array has elements like its pixels, naming the type and what would do; or
     *     if it has no axes
     */
    public static <T extends NativeType<T>> ImgSource<T> of(RandomAccessibleInterval<T> image) {
        return new ImgSource<>(image);
    }

    /**
     * {@return an image as a target}
     *
     * <p>Any image that can be written will do. Its size and type must be those of the source. While it is being
     * written it holds a mixture; if a run fails, it keeps it.
     *
     * @throws IllegalArgumentException if no array has elements like its pixels, naming the type and what would do; or
     *     if it has no axes
     */
    public static <T extends NativeType<T>> ImgTarget<T> into(RandomAccessibleInterval<T> image) {
        return ImgTarget.into(image);
    }

    /**
     * {@return a target that makes an image of the size of the source, when it is written: {@code create(new
     * CellImgFactory<>(new FloatType(), 64))}}
     *
     * @throws IllegalArgumentException if no array has elements like the factory's pixels
     */
    public static <T extends NativeType<T>> ImgTarget<T> create(ImgFactory<T> factory) {
        return ImgTarget.create(shape -> factory.create(Blocks.reversed(shape.toArray())), factory.type());
    }

    /**
     * {@return a stored array as an image whose cells are read when they are looked at, and kept inside a bound}
     *
     * @param array where it is; the store stays open while the image is used, and is the caller's
     * @param type the type of its pixels
     * @param cache the most memory it holds
     * @throws IllegalArgumentException if pixels of this type are not the array's elements, naming the type that is; if
     *     the array has no axis or no element; or if the cache cannot hold a cell, naming the least that would do
     */
    public static <T extends NativeType<T>> StoredImg<T> open(StoreLocation array, T type, ByteSize cache)
            throws IOException {
        return StoredImg.open(array, type, cache);
    }
}
