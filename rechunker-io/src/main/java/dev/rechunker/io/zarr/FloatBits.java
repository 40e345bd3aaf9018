package dev.rechunker.io.zarr;

import dev.rechunker.array.Half;

/** IEEE 754 binary16, binary32 and binary64 as bit patterns, so that no NaN loses its payload on the way. */
final class FloatBits {
    private FloatBits() {}

    /** {@return the pattern nearest to a number, ties to even; of {@code size} bytes} */
    static long of(double value, int size) {
        return switch (size) {
            case 2 -> Short.toUnsignedLong(Half.ofDouble(Double.isNaN(value) ? Double.NaN : value));
            case 4 -> Integer.toUnsignedLong(Float.floatToIntBits((float) value));
            default -> Double.doubleToLongBits(value);
        };
    }

    /** {@return the number that a pattern stands for, exactly} */
    static double value(long bits, int size) {
        return switch (size) {
            case 2 -> Half.toDouble((short) bits);
            case 4 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }
}
