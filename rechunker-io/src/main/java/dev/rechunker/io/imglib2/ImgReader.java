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

/** Reads an image, any part of it, in any number of threads. */
final class ImgReader<T extends NativeType<T>> implements ArrayReader {
    private final ArraySpec spec;
    private final RandomAccessibleInterval<T> image;
    private final Pixels pixels;
    private final Granularity granularity;
    private final Supplier<Copier> copiers;
    private volatile boolean closed;

    /** Puts the pixels of an interval into an array; serves one thread. */
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

    /** {@return makers of copiers: ImgLib2's own where it knows the type, and the views, and counts their offsets} */
    private static <T extends NativeType<T>> Supplier<Copier> copiers(
            RandomAccessibleInterval<T> image, Pixels pixels) {
        if (image.getType().getEntitiesPerPixel().getRatio() == 1
                && ViewChain.of(image).isNear()) {
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
     * <p>A block of pixels passes through an array of ours, and through two of ImgLib2's if the image is a view that
     * turns axes and converts, whose type may be any up to 8 bytes.
     */
    @Override
    public ReadTraits traits() {
        return ReadTraits.of(granularity)
                .withNativeBytes(pixels.bytes(Blocks.PIXELS) + 2L * Long.BYTES * Blocks.PIXELS);
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) {
        if (closed) {
            throw new IllegalStateException("the reader of " + spec + " is closed");
        }
        if (!Region.whole(spec.shape()).contains(region)) {
            throw new IllegalArgumentException(region + " is not part of an image of " + spec.shape());
        }
        int itemSize = spec.dataType().itemSize();
        if (target.remaining() != region.elements() * itemSize) {
            throw new IllegalArgumentException("a buffer of " + target.remaining() + " bytes for " + region
                    + ", which takes " + region.elements() * itemSize);
        }
        int start = target.position();
        Object array =
                pixels.carrier().allocate(pixels.values((int) Math.min(region.elements(), (long) Blocks.PIXELS)));
        Copier copier = copiers.get();
        Blocks.forEach(region, (block, before) -> {
            copier.copy(Blocks.interval(block, image), array);
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
