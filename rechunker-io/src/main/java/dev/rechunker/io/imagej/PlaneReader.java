package dev.rechunker.io.imagej;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader;
import dev.rechunker.store.ReadTraits;
import dev.rechunker.store.ReadTraits.Granularity;
import dev.rechunker.store.StoreException;
import ij.ImagePlus;
import ij.ImageStack;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.List;

/** Reads planes of a stack, or parts of them if it is in memory. */
final class PlaneReader implements ArrayReader {
    private final String name;
    private final ImageStack stack;
    private final PlaneLayout layout;
    private final List<String> axes;
    private final ArraySpec spec;
    private volatile boolean closed;

    PlaneReader(String name, ImagePlus image, PlaneLayout layout, ArraySpec spec) {
        this.name = name;
        this.stack = image.getStack();
        this.layout = layout;
        this.axes = layout.axes();
        this.spec = spec;
    }

    /** {@return the spec of the array, in which each plane is a chunk} */
    static ArraySpec spec(ImagePlus image, PlaneLayout layout) {
        List<String> axes = layout.axes();
        Shape shape = Shape.of(axes.stream().mapToLong(layout::extent).toArray());
        Shape plane = Shape.of(axes.stream()
                .mapToLong(axis -> axis.equals("y") || axis.equals("x") ? layout.extent(axis) : 1)
                .toArray());
        DataType type = layout.dataType(image);
        return ArraySpec.builder(ChunkGrid.regular(shape, plane), type)
                .fillValue(FillValue.zero(type.itemSize()))
                .dimensionNames(axes)
                .build();
    }

    @Override
    public ArraySpec spec() {
        return spec;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A virtual stack loads a plane for each thread. It has the pixels of the file, and those of ImageJ after a
     * conversion.
     */
    @Override
    public ReadTraits traits() {
        if (!stack.isVirtual()) {
            return ReadTraits.of(Granularity.BYTES);
        }
        long pixels = (long) layout.width() * layout.height();
        return ReadTraits.of(Granularity.CHUNK)
                .withNativeBytes(2
                        * pixels
                        * (layout.isColor() ? Integer.BYTES : spec.dataType().itemSize()));
    }

    @Override
    public boolean read(Region region, ByteBuffer target, Scratch scratch) throws StoreException {
        if (closed) {
            throw new IllegalStateException("the reader of " + name + " is closed");
        }
        if (!Region.whole(spec.shape()).contains(region)) {
            throw new IllegalArgumentException(
                    region + " is not inside of " + name + ", which has the shape " + spec.shape());
        }
        int channel = start(region, "c");
        Object pixels = plane(layout.plane(start(region, "t"), channel, start(region, "z")));
        ByteBuffer to = target.slice().order(spec.byteOrder());
        int columns = (int) region.extent(region.rank() - 1);
        int rows = (int) region.extent(region.rank() - 2);
        int first = start(region, "y") * layout.width() + start(region, "x");
        for (int row = 0; row < rows; row++) {
            copy(pixels, first + row * layout.width(), columns, to, channel);
        }
        return true;
    }

    private int start(Region region, String axis) {
        int index = axes.indexOf(axis);
        return index < 0 ? 0 : (int) region.start(index);
    }

    private Object plane(int number) throws StoreException {
        Object pixels;
        try {
            synchronized (stack) { // a virtual stack reads its file for one thread at a time
                pixels = stack.getPixels(number);
            }
        } catch (RuntimeException e) {
            throw new StoreException(name + ": plane " + number + " cannot be read: " + e, e);
        }
        Class<?> type = layout.isColor()
                ? int[].class
                : switch (spec.dataType().itemSize()) {
                    case 1 -> byte[].class;
                    case Short.BYTES -> short[].class;
                    default -> float[].class;
                };
        if (!type.isInstance(pixels)) {
            throw new StoreException(name + ": plane " + number + " is "
                    + (pixels == null ? "missing" : pixels.getClass().getSimpleName()) + ", but its type needs "
                    + type.getSimpleName());
        }
        return pixels;
    }

    private void copy(Object pixels, int first, int count, ByteBuffer to, int channel) {
        if (pixels instanceof byte[] bytes) {
            to.put(bytes, first, count);
        } else if (pixels instanceof int[] colors) {
            int shift = PlaneLayout.shift(channel);
            for (int i = first; i < first + count; i++) {
                to.put((byte) (colors[i] >>> shift));
            }
        } else if (pixels instanceof short[] shorts) {
            ShortBuffer values = to.asShortBuffer();
            if (layout.isSigned()) {
                for (int i = first; i < first + count; i++) {
                    values.put((short) (shorts[i] ^ PlaneLayout.SIGN));
                }
            } else {
                values.put(shorts, first, count);
            }
            to.position(to.position() + count * Short.BYTES);
        } else {
            FloatBuffer values = to.asFloatBuffer();
            values.put((float[]) pixels, first, count);
            to.position(to.position() + count * Float.BYTES);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
