package dev.rechunker.io.imglib2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Shape;
import dev.rechunker.store.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import net.imglib2.Cursor;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.type.NativeType;
import net.imglib2.type.logic.BitType;
import net.imglib2.type.logic.NativeBoolType;
import net.imglib2.type.numeric.ComplexType;
import net.imglib2.type.numeric.IntegerType;
import net.imglib2.type.numeric.complex.ComplexDoubleType;
import net.imglib2.type.numeric.complex.ComplexFloatType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.LongType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedLongType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;

/**
 * Pixels that contain their position, and slow conversions of images to arrays, pixel by pixel, without blocks, views
 * or primitive arrays.
 */
final class Coded {
    private Coded() {}

    /** {@return every type of pixels that is supported} */
    static List<NativeType<?>> types() {
        return List.of(
                new BitType(),
                new NativeBoolType(),
                new ByteType(),
                new UnsignedByteType(),
                new ShortType(),
                new UnsignedShortType(),
                new IntType(),
                new UnsignedIntType(),
                new LongType(),
                new UnsignedLongType(),
                new FloatType(),
                new DoubleType(),
                new ComplexFloatType(),
                new ComplexDoubleType());
    }

    private static long mixed(long position) {
        long x = position * 0x9E3779B97F4A7C15L;
        return x ^ (x >>> 29);
    }

    /** Sets every pixel of an image to a code of its position in flat order, and returns the image. */
    static <T extends NativeType<T>> RandomAccessibleInterval<T> fill(RandomAccessibleInterval<T> image) {
        Cursor<T> cursor = Views.flatIterable(image).cursor();
        for (long position = 0; cursor.hasNext(); position++) {
            set(cursor.next(), mixed(position));
        }
        return image;
    }

    private static void set(NativeType<?> pixel, long code) {
        if (pixel instanceof NativeBoolType flag) {
            flag.set((code & 1) != 0);
        } else if (pixel instanceof IntegerType<?> integer) {
            integer.setInteger(pixel instanceof BitType ? code & 1 : code);
        } else {
            ComplexType<?> number = (ComplexType<?>) pixel;
            number.setReal((code >> 40) / 8.0);
            number.setImaginary((int) code / 4.0);
        }
    }

    /** {@return all pixels as an array: little-endian, in C order, read one by one} */
    static <T extends NativeType<T>> byte[] elements(RandomAccessibleInterval<T> image) {
        int axes = image.numDimensions();
        DataType type = Pixels.of(image.getType()).dataType();
        long[] at = image.minAsLongArray();
        RandomAccess<T> access = image.randomAccess();
        long pixels = PixelBlocks.shape(image).elements();
        ByteBuffer elements =
                ByteBuffer.allocate((int) (pixels * type.itemSize())).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < pixels; i++) {
            access.setPosition(at);
            put(access.get(), elements);
            for (int d = 0; d < axes && ++at[d] > image.max(d); d++) {
                at[d] = image.min(d);
            }
        }
        return elements.array();
    }

    private static void put(NativeType<?> pixel, ByteBuffer to) {
        if (pixel instanceof NativeBoolType flag) {
            to.put((byte) (flag.get() ? 1 : 0));
        } else if (pixel instanceof BitType bit) {
            to.put((byte) bit.getInteger());
        } else if (pixel instanceof IntegerType<?> integer) {
            long value = integer.getIntegerLong();
            switch (((IntegerType<?>) pixel).getClass().getSimpleName()) {
                case "ByteType", "UnsignedByteType" -> to.put((byte) value);
                case "ShortType", "UnsignedShortType" -> to.putShort((short) value);
                case "IntType", "UnsignedIntType" -> to.putInt((int) value);
                default -> to.putLong(value);
            }
        } else if (pixel instanceof FloatType real) {
            to.putFloat(real.get());
        } else if (pixel instanceof DoubleType real) {
            to.putDouble(real.get());
        } else if (pixel instanceof ComplexFloatType number) {
            to.putFloat(number.getRealFloat()).putFloat(number.getImaginaryFloat());
        } else {
            ComplexDoubleType number = (ComplexDoubleType) pixel;
            to.putDouble(number.getRealDouble()).putDouble(number.getImaginaryDouble());
        }
    }

    /** {@return a store with the pixels of an image, in chunks} */
    static <T extends NativeType<T>> MemoryStore stored(RandomAccessibleInterval<T> image, long... chunks) {
        ArraySpec spec = ArraySpec.builder(
                        ChunkGrid.regular(PixelBlocks.shape(image), Shape.of(chunks)),
                        Pixels.of(image.getType()).dataType())
                .build();
        return MemoryStore.of(spec, elements(image));
    }

    /** Compares arrays. The message names only the first byte that differs, because arrays may be large. */
    static void assertSame(byte[] expected, byte[] actual, Object what) {
        assertEquals(-1, Arrays.mismatch(expected, actual), () -> "the first byte that differs, of " + what);
    }
}
