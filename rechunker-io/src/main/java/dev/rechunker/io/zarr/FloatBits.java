package dev.rechunker.io.zarr;

/** IEEE 754 binary16, binary32 and binary64 as bit patterns, so that no NaN loses its payload on the way. */
final class FloatBits {
    private FloatBits() {}

    /** {@return the pattern nearest to a number, ties to even; of {@code size} bytes} */
    static long of(double value, int size) {
        return switch (size) {
            case 2 -> half(value);
            case 4 -> Integer.toUnsignedLong(Float.floatToIntBits((float) value));
            default -> Double.doubleToLongBits(value);
        };
    }

    /** {@return the number that a pattern stands for, exactly} */
    static double value(long bits, int size) {
        return switch (size) {
            case 2 -> fromHalf((int) bits);
            case 4 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }

    private static long half(double value) {
        if (Double.isNaN(value)) {
            return 0x7e00;
        }
        long sign = Math.copySign(1.0, value) < 0 ? 0x8000 : 0;
        double magnitude = Math.abs(value);
        if (magnitude >= 65520) {
            return sign | 0x7c00;
        }
        int exponent = Math.getExponent(magnitude);
        if (exponent < -14) {
            return sign | (long) Math.rint(Math.scalb(magnitude, 24));
        }
        long mantissa = (long) Math.rint((Math.scalb(magnitude, -exponent) - 1) * 1024);
        return sign | (((exponent + 15L) << 10) + mantissa);
    }

    private static double fromHalf(int bits) {
        int exponent = bits >> 10 & 0x1f;
        int mantissa = bits & 0x3ff;
        double magnitude = exponent == 0x1f
                ? (mantissa == 0 ? Double.POSITIVE_INFINITY : Double.NaN)
                : exponent == 0 ? Math.scalb((double) mantissa, -24) : Math.scalb(1024.0 + mantissa, exponent - 25);
        return (bits & 0x8000) == 0 ? magnitude : -magnitude;
    }
}
