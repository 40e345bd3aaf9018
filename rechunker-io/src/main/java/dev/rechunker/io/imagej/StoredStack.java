package dev.rechunker.io.imagej;

import static java.util.Objects.requireNonNull;

import dev.rechunker.array.DataType;
import dev.rechunker.io.imglib2.StoredImg;
import ij.VirtualStack;
import ij.process.ByteProcessor;
import ij.process.FloatProcessor;
import ij.process.ImageProcessor;
import ij.process.ShortProcessor;
import java.io.Closeable;
import java.io.IOException;
import net.imglib2.Cursor;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.NativeType;
import net.imglib2.type.numeric.RealType;
import net.imglib2.view.Views;
import org.jspecify.annotations.Nullable;

/** The planes of a stored array, read on demand. */
final class StoredStack extends VirtualStack implements Closeable {
    private final StoredImg<?> cells;
    private final Planes planes;
    private final PlaneAxes axes;
    private final int planeCount;
    private final DataType type;

    /** Copies planes out of cells. */
    @FunctionalInterface
    private interface Planes {
        void copy(long[] position, ImageProcessor to);
    }

    <T extends NativeType<T> & RealType<T>> StoredStack(StoredImg<T> cells, PlaneAxes axes, DataType type) {
        super((int) axes.shape().extent(axes.x()), (int) axes.shape().extent(axes.y()), null, "");
        this.cells = cells;
        this.axes = axes;
        this.type = type;
        this.planeCount = axes.count(axes.channels()) * axes.count(axes.slices()) * axes.count(axes.frames());
        this.planes = (position, to) -> copy(plane(cells, position), to, isSigned() ? PlaneLayout.SIGN : 0);
        setBitDepth(newProcessor().getBitDepth());
    }

    /** {@return whether pixels of a type are signed integers of 16 bits} */
    boolean isSigned() {
        return type.equals(DataType.INT16);
    }

    private ImageProcessor newProcessor() {
        int width = getWidth();
        int height = getHeight();
        if (type.equals(DataType.UINT8) || type.equals(DataType.BOOL)) {
            return new ByteProcessor(width, height);
        }
        return type.equals(DataType.UINT16) || isSigned()
                ? new ShortProcessor(width, height)
                : new FloatProcessor(width, height);
    }

    private <T> RandomAccessibleInterval<T> plane(RandomAccessibleInterval<T> image, long[] position) {
        RandomAccessibleInterval<T> plane = image;
        int rank = position.length;
        for (int axis = 0; axis < rank; axis++) { // from the last dimension of the image to the first
            if (axis != axes.x() && axis != axes.y()) {
                plane = Views.hyperSlice(plane, rank - 1 - axis, position[axis]);
            }
        }
        return axes.x() > axes.y() ? plane : Views.permute(plane, 0, 1);
    }

    private static <T extends RealType<T>> void copy(RandomAccessibleInterval<T> plane, ImageProcessor to, int shift) {
        Cursor<T> cursor = Views.flatIterable(plane).cursor();
        Object pixels = to.getPixels();
        if (pixels instanceof byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) cursor.next().getRealFloat();
            }
        } else if (pixels instanceof short[] shorts) {
            for (int i = 0; i < shorts.length; i++) {
                shorts[i] = (short) ((int) cursor.next().getRealFloat() + shift);
            }
        } else {
            float[] floats = (float[]) pixels;
            for (int i = 0; i < floats.length; i++) {
                floats[i] = cursor.next().getRealFloat();
            }
        }
    }

    @Override
    public ImageProcessor getProcessor(int plane) {
        requirePlane(plane);
        ImageProcessor processor = newProcessor();
        planes.copy(axes.position(plane), processor);
        if (getColorModel() != null) {
            processor.setColorModel(getColorModel());
        }
        return processor;
    }

    private void requirePlane(int plane) {
        if (plane < 1 || plane > planeCount) {
            throw new IllegalArgumentException("plane " + plane + " is not one of the " + planeCount + " of the stack");
        }
    }

    @Override
    public Object getPixels(int plane) {
        return requireNonNull(getProcessor(plane).getPixels());
    }

    @Override
    public int size() {
        return planeCount;
    }

    @Override
    public int getSize() {
        return planeCount;
    }

    @Override
    public @Nullable String getSliceLabel(int plane) {
        return null;
    }

    /** Releases the cached chunks and closes the reader of the array, but not its store. */
    @Override
    public void close() throws IOException {
        cells.close();
    }
}
