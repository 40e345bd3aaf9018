package dev.rechunker.io.imglib2;

import java.nio.ByteBuffer;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.basictypeaccess.array.BooleanArray;
import net.imglib2.img.basictypeaccess.array.ByteArray;
import net.imglib2.img.basictypeaccess.array.DoubleArray;
import net.imglib2.img.basictypeaccess.array.FloatArray;
import net.imglib2.img.basictypeaccess.array.IntArray;
import net.imglib2.img.basictypeaccess.array.LongArray;
import net.imglib2.img.basictypeaccess.array.ShortArray;

/** The kinds of Java arrays in which ImgLib2 stores pixels, with conversions from and to bytes. */
enum Carrier {
    /** Bits packed into longs, the lowest bit first; one byte for each as elements of an array. */
    BITS,
    BOOLEANS,
    BYTES,
    SHORTS,
    INTS,
    LONGS,
    FLOATS,
    DOUBLES;

    /** {@return an array for a number of values} */
    Object allocate(int values) {
        return switch (this) {
            case BITS -> new long[(values + 63) >>> 6];
            case BOOLEANS -> new boolean[values];
            case BYTES -> new byte[values];
            case SHORTS -> new short[values];
            case INTS -> new int[values];
            case LONGS -> new long[values];
            case FLOATS -> new float[values];
            case DOUBLES -> new double[values];
        };
    }

    /** {@return an array as an object of ImgLib2} */
    ArrayDataAccess<?> access(Object array) {
        return switch (this) {
            case BITS, LONGS -> new LongArray((long[]) array);
            case BOOLEANS -> new BooleanArray((boolean[]) array);
            case BYTES -> new ByteArray((byte[]) array);
            case SHORTS -> new ShortArray((short[]) array);
            case INTS -> new IntArray((int[]) array);
            case FLOATS -> new FloatArray((float[]) array);
            case DOUBLES -> new DoubleArray((double[]) array);
        };
    }

    /** Decodes the first values of a buffer, from byte 0 and in its byte order, to the start of an array. */
    void decode(ByteBuffer from, Object array, int values) {
        ByteBuffer bytes = from.duplicate().order(from.order()).clear();
        switch (this) {
            case BITS -> decodeBits(bytes, (long[]) array, values);
            case BOOLEANS -> {
                boolean[] flags = (boolean[]) array;
                for (int i = 0; i < values; i++) {
                    flags[i] = bytes.get(i) != 0;
                }
            }
            case BYTES -> bytes.get((byte[]) array, 0, values);
            case SHORTS -> bytes.asShortBuffer().get((short[]) array, 0, values);
            case INTS -> bytes.asIntBuffer().get((int[]) array, 0, values);
            case LONGS -> bytes.asLongBuffer().get((long[]) array, 0, values);
            case FLOATS -> bytes.asFloatBuffer().get((float[]) array, 0, values);
            case DOUBLES -> bytes.asDoubleBuffer().get((double[]) array, 0, values);
        }
    }

    /** Encodes the first values of an array to the start of a buffer, in its byte order. */
    void encode(Object array, ByteBuffer to, int values) {
        ByteBuffer bytes = to.duplicate().order(to.order()).clear();
        switch (this) {
            case BITS -> {
                long[] bits = (long[]) array;
                for (int i = 0; i < values; i++) {
                    bytes.put(i, (byte) (bits[i >>> 6] >>> (i & 63) & 1));
                }
            }
            case BOOLEANS -> {
                boolean[] flags = (boolean[]) array;
                for (int i = 0; i < values; i++) {
                    bytes.put(i, (byte) (flags[i] ? 1 : 0));
                }
            }
            case BYTES -> bytes.put((byte[]) array, 0, values);
            case SHORTS -> bytes.asShortBuffer().put((short[]) array, 0, values);
            case INTS -> bytes.asIntBuffer().put((int[]) array, 0, values);
            case LONGS -> bytes.asLongBuffer().put((long[]) array, 0, values);
            case FLOATS -> bytes.asFloatBuffer().put((float[]) array, 0, values);
            case DOUBLES -> bytes.asDoubleBuffer().put((double[]) array, 0, values);
        }
    }

    private static void decodeBits(ByteBuffer bytes, long[] bits, int values) {
        for (int word = 0; word << 6 < values; word++) {
            long packed = 0;
            for (int bit = 0; bit < 64 && (word << 6) + bit < values; bit++) {
                packed |= bytes.get((word << 6) + bit) != 0 ? 1L << bit : 0;
            }
            bits[word] = packed;
        }
    }
}
