package dev.rechunker.io.tree;

import dev.rechunker.element.Half;

/** Converts IEEE 754 binary16, binary32 and binary64 to and from bit patterns, which keep the payload of a NaN. */
public final class FloatBits {
    private static final long NAN_EXPONENT = 0x7ffL << 52;

    private FloatBits() {}

    /** {@return the pattern of {@code size} bytes that is nearest to a number, ties to even} */
    public static long of(double value, int size) {
        return switch (size) {
            case 2 -> Short.toUnsignedLong(Half.ofDouble(Double.isNaN(value) ? Double.NaN : value));
            case 4 -> Integer.toUnsignedLong(Float.floatToIntBits((float) value));
            default -> Double.doubleToLongBits(value);
        };
    }

    /** {@return the exact number of a pattern} */
    public static double value(long bits, int size) {
        return switch (size) {
            case 2 -> Half.toDouble((short) bits);
            case 4 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }

    /** {@return the pattern of 8 bytes of the same number; a NaN keeps its sign and payload} */
    public static long widened(long bits, int size) {
        double value = value(bits, size);
        if (!Double.isNaN(value)) {
            return Double.doubleToRawLongBits(value);
        }
        int fraction = fractionBits(size);
        long sign = bits << (Long.SIZE - 8 * size) & Long.MIN_VALUE;
        return sign | NAN_EXPONENT | (bits & ((1L << fraction) - 1)) << (fractionBits(Double.BYTES) - fraction);
    }

    /** {@return the pattern of {@code size} bytes that is nearest to a pattern of 8 bytes; a NaN keeps what fits} */
    public static long narrowed(long bits, int size) {
        double value = Double.longBitsToDouble(bits);
        if (!Double.isNaN(value)) {
            return of(value, size);
        }
        long narrow = bits >>> (fractionBits(Double.BYTES) - fractionBits(size)) & ((1L << (8 * size - 1)) - 1);
        long pattern = (bits < 0 ? 1L << (8 * size - 1) : 0) | narrow;
        return Double.isNaN(value(pattern, size)) ? pattern : of(Double.NaN, size);
    }

    private static int fractionBits(int size) {
        return switch (size) {
            case 2 -> 10;
            case 4 -> 23;
            default -> 52;
        };
    }
}
