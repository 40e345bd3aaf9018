package dev.rechunker.io.imglib2;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.Region;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayWriter;
import dev.rechunker.store.WriteTraits;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import net.imglib2.Interval;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.array.ArrayImg;
import net.imglib2.loops.LoopBuilder;
import net.imglib2.type.NativeType;
import net.imglib2.view.Views;
import org.jspecify.annotations.Nullable;

/** Writes an image, in any number of threads. */
final class ImgWriter<T extends NativeType<T>> implements ArrayWriter {
    private final ArraySpec spec;
    private final RandomAccessibleInterval<T> image;
    private final Pixels pixels;
    private final Runnable publication;
    /** The lock for images in which pixels of different write units are in one word; null for others. */
    private final @Nullable Lock sharedWords;

    private volatile boolean committed;
    private volatile boolean closed;

    /**
     * Creates a writer.
     *
     * @param publication makes the array exist, at the commit
     */
    ImgWriter(ArraySpec spec, RandomAccessibleInterval<T> image, Runnable publication) {
        this.spec = spec;
        this.image = image;
        this.pixels = Pixels.of(image.getType());
        this.publication = publication;
        this.sharedWords = pixels == Pixels.BIT ? new ReentrantLock() : null;
    }

    /** Sets every pixel to the fill value, because write units with only fill values are not written. */
    void fill() {
        ByteBuffer element = ByteBuffer.wrap(
                        spec.fillValue().element(spec.dataType().itemSize()))
                .order(spec.byteOrder());
        Object one = pixels.carrier().allocate(pixels.values(1));
        pixels.carrier().decode(element, one, pixels.values(1));
        T value = pixels.wrap(one, image.getType(), new long[] {1}).firstElement();
        LoopBuilder.setImages(image).forEachPixel(pixel -> pixel.set(value));
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    @Override
    public WriteTraits traits() {
        return traits(pixels);
    }

    /** {@return the traits of a writer, which copies pixels by way of an array of one block} */
    static WriteTraits traits(Pixels pixels) {
        return WriteTraits.PLAIN.withNativeBytes(pixels.bytes(PixelBlocks.PIXELS));
    }

    @Override
    public void write(Region unit, ByteBuffer data, Scratch scratch) {
        requireOpen();
        if (!spec.writeUnits()
                .region(spec.writeUnits().chunksTouching(unit).origin())
                .equals(unit)) {
            throw new IllegalArgumentException(unit + " is not a write unit of " + spec.writeUnits());
        }
        int itemSize = spec.dataType().itemSize();
        if (data.remaining() != unit.elements() * itemSize) {
            throw new IllegalArgumentException("the buffer has " + data.remaining() + " bytes, but " + unit + " takes "
                    + unit.elements() * itemSize);
        }
        int start = data.position();
        Object array =
                pixels.carrier().allocate(pixels.values((int) Math.min(unit.elements(), (long) PixelBlocks.PIXELS)));
        PixelBlocks.forEach(unit, (block, before) -> {
            int bytes = (int) block.elements() * itemSize;
            ByteBuffer from = data.slice(start + (int) before * itemSize, bytes).order(spec.byteOrder());
            pixels.carrier().decode(from, array, pixels.values((int) block.elements()));
            Interval interval = PixelBlocks.interval(block, image);
            put(pixels.wrap(array, image.getType(), interval.dimensionsAsLongArray()), interval);
        });
    }

    private void put(ArrayImg<T, ?> block, Interval interval) {
        if (sharedWords != null) {
            sharedWords.lock();
        }
        try {
            LoopBuilder.setImages(block, Views.interval(image, interval)).forEachPixel((from, to) -> to.set(from));
        } finally {
            if (sharedWords != null) {
                sharedWords.unlock();
            }
        }
    }

    @Override
    public void commit() {
        requireOpen();
        publication.run();
        committed = true;
    }

    private void requireOpen() {
        if (closed || committed) {
            throw new IllegalStateException("the writer of " + spec + " is " + (closed ? "closed" : "committed"));
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
