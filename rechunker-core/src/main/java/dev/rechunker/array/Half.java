package dev.rechunker.array;

/** IEEE 754 binary16, which Java 17 has no conversions for. */
public final class Half {
    private Half() {}

    /** {@return the value of 16 bits} */
    public static double toDouble(short bits) {
        int exponent = (bits >> 10) & 31;
        int fraction = bits & 1023;
        double magnitude;
        if (exponent == 31) {
            magnitude = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else if (exponent == 0) {
            magnitude = Math.scalb((double) fraction, -24);
        } else {
            magnitude = Math.scalb((double) (fraction | 1024), exponent - 25);
        }
        return bits < 0 ? -magnitude : magnitude;
    }

    /** {@return the 16 bits nearest to a value, ties to even} */
    public static short ofDouble(double value) {
        int sign = Double.doubleToRawLongBits(value) < 0 ? 0x8000 : 0;
        double magnitude = Math.abs(value);
        if (Double.isNaN(magnitude)) {
            return (short) (sign | 0x7E00);
        }
        if (magnitude >= 65520) {
            return (short) (sign | 0x7C00);
        }
        // The distance between neighbours is 2^-24 up to 2^-14, and then doubles with the exponent.
        int exponent = Math.max(-14, Math.getExponent(magnitude));
        int steps = (int) Math.rint(Math.scalb(magnitude, 10 - exponent));
        return (short) (sign | (steps + ((exponent + 14) << 10)));
    }
}
