package dev.rechunker.bench;

import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import java.nio.ByteBuffer;

/**
 * Elements that are a function of their index and compress about as well as measured data.
 *
 * <p>An element depends on all of its index, so that misplaced elements are detected, and on nothing else, so that any
 * part can be computed again.
 */
public enum Values {
    /** A walk along the last axis in steps of -3 to 3, higher by one with each index of the first axis. */
    WALK {
        @Override
        void row(long seed, long first, int start, int[] row) {
            long random = 0;
            int sum = (int) first;
            for (int column = 0; column < row.length; column++) {
                random = column % 8 == 0 ? mix(seed + column) : random >>> 8;
                sum += (int) (((random & 0xFF) * 7) >> 8) - 3;
                row[column] = sum;
            }
        }
    },
    /** Zeros and ones; about one in 33 elements is one. */
    SPARSE {
        @Override
        void row(long seed, long first, int start, int[] row) {
            long random = 0;
            for (int column = start - start % 4; column < row.length; column++) {
                random = column % 4 == 0 ? mix(seed + column) : random >>> 16;
                row[column] = (((random & 0xFFFF) * 33) >> 16) == 0 ? 1 : 0;
            }
        }
    };

    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    /** Computes the elements of a row, at least from {@code start} on. */
    abstract void row(long seed, long first, int start, int[] row);

    /**
     * Writes the elements of a region into a buffer from its position on, dense, in C order and the byte order of the
     * buffer.
     *
     * @param array the shape of the array, which has at least one axis
     * @param type an integer or float type of 1, 2, 4 or 8 bytes
     */
    public void fill(Shape array, DataType type, Region region, ByteBuffer out) {
        int last = array.rank() - 1;
        int start = Math.toIntExact(region.start(last));
        int[] row = new int[Math.toIntExact(region.end(last))];
        long[] place = region.origin();
        place[last] = 0;
        for (boolean more = !region.shape().isEmpty(); more; more = nextRow(place, region)) {
            long ordinal = 0;
            for (int axis = 0; axis < last; axis++) {
                ordinal = ordinal * array.extent(axis) + place[axis];
            }
            row(mix(ordinal) * ODD, place[0], start, row);
            put(type, row, start, out);
        }
    }

    /** Moves the place of a row to that of the next one of a region, in C order; {@return whether there is one} */
    private static boolean nextRow(long[] place, Region region) {
        for (int axis = place.length - 2; axis >= 0; axis--) {
            if (++place[axis] < region.end(axis)) {
                return true;
            }
            place[axis] = region.start(axis);
        }
        return false;
    }

    private static void put(DataType type, int[] row, int start, ByteBuffer out) {
        boolean real = type.kind() == DataType.Kind.FLOAT;
        for (int column = start; column < row.length; column++) {
            int value = row[column];
            switch (type.itemSize()) {
                case 1 -> out.put((byte) value);
                case 2 -> out.putShort((short) value);
                case 4 -> out.putInt(real ? Float.floatToRawIntBits(value) : value);
                default -> out.putLong(real ? Double.doubleToRawLongBits(value) : value);
            }
        }
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(long value) {
        long z = value + ODD;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
