package dev.rechunker.io.zarr;

import dev.rechunker.element.Half;

/** Converts IEEE 754 binary16, binary32 and binary64 to and from bit patterns, which keep the payload of a NaN. */
final class FloatBits {
    private FloatBits() {}

    /** {@return the pattern of {@code size} bytes that is nearest to a number, ties to even} */
    static long of(double value, int size) {
        return switch (size) {
            case 2 -> Short.toUnsignedLong(Half.ofDouble(Double.isNaN(value) ? Double.NaN : value));
            case 4 -> Integer.toUnsignedLong(Float.floatToIntBits((float) value));
            default -> Double.doubleToLongBits(value);
        };
    }

    /** {@return the exact number of a pattern} */
    static double value(long bits, int size) {
        return switch (size) {
            case 2 -> Half.toDouble((short) bits);
            case 4 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }
}
