package dev.rechunker.io.imglib2;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.blocks.PrimitiveBlocks;
import net.imglib2.blocks.PrimitiveBlocks.OnFallback;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.NativeType;
import net.imglib2.view.Views;

/** Reads any part of an image, in any number of threads. */
final class ImgReader<T extends NativeType<T>> implements ArrayReader {
    private final ArraySpec spec;
    private final RandomAccessibleInterval<T> image;
    private final Pixels pixels;
    private final Granularity granularity;
    private final Supplier<Copier> copiers;
    private volatile boolean closed;

    /** Copies the pixels of an interval to an array, in one thread. */
    @FunctionalInterface
    private interface Copier {
        void copy(Interval interval, Object array);
    }

    ImgReader(ArraySpec spec, RandomAccessibleInterval<T> image, boolean lazy) {
        this.spec = spec;
        this.image = image;
        this.pixels = Pixels.of(image.getType());
        this.granularity = lazy ? Granularity.CHUNK : Granularity.BYTES;
        this.copiers = copiers(image, pixels);
    }

    /**
     * {@return a supplier of copiers: ImgLib2's own if it supports the type of pixels and all views below the image}
     */
    private static <T extends NativeType<T>> Supplier<Copier> copiers(
            RandomAccessibleInterval<T> image, Pixels pixels) {
        if (image.getType().getEntitiesPerPixel().getRatio() == 1
                && ViewChain.of(image).hasIntOffsets()) {
            PrimitiveBlocks<T> blocks = PrimitiveBlocks.of(image, OnFallback.ACCEPT);
            return () -> {
                PrimitiveBlocks<T> own = blocks.independentCopy();
                return own::copy;
            };
        }
        return () -> (interval, array) -> {
            ArrayImg<T, ?> to = pixels.wrap(array, image.getType(), interval.dimensionsAsLongArray());
            LoopBuilder.setImages(Views.interval(image, interval), to).forEachPixel((from, pixel) -> pixel.set(from));
        };
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A block of pixels is copied by way of one array of this package, and two of ImgLib2 if the image is a view
     * that rotates axes and converts pixels, with up to 8 bytes for a pixel.
     */
    @Override
    public ReadTraits traits() {
        return ReadTraits.of(granularity)
                .withNativeBytes(pixels.bytes(PixelBlocks.PIXELS) + 2L * Long.BYTES * PixelBlocks.PIXELS);
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) {
        if (closed) {
            throw new IllegalStateException("the reader of " + spec + " is closed");
        }
        if (!Region.whole(spec.shape()).contains(region)) {
            throw new IllegalArgumentException(
                    region + " is not inside of the image, which has the shape " + spec.shape());
        }
        int itemSize = spec.dataType().itemSize();
        if (target.remaining() != region.elements() * itemSize) {
            throw new IllegalArgumentException("the buffer has " + target.remaining() + " bytes, but " + region
                    + " takes " + region.elements() * itemSize);
        }
        int start = target.position();
        Object array =
                pixels.carrier().allocate(pixels.values((int) Math.min(region.elements(), (long) PixelBlocks.PIXELS)));
        Copier copier = copiers.get();
        PixelBlocks.forEach(region, (block, before) -> {
            copier.copy(PixelBlocks.interval(block, image), array);
            int bytes = (int) block.elements() * itemSize;
            ByteBuffer to = target.slice(start + (int) before * itemSize, bytes).order(spec.byteOrder());
            pixels.carrier().encode(array, to, pixels.values((int) block.elements()));
        });
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }
}
