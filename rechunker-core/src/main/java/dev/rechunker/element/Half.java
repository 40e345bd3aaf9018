package dev.rechunker.element;

/** Conversions between IEEE 754 binary16 and {@code double}, which Java 17 does not have. */
public final class Half {
    private Half() {}

    /**
     * {@return the value of a binary16}
     *
     * @param bits the 16 bits of the number
     */
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

    /** {@return the bits of the binary16 that is nearest to a value; of two equally near ones, the even one} */
    public static short ofDouble(double value) {
        int sign = Double.doubleToRawLongBits(value) < 0 ? 0x8000 : 0;
        double magnitude = Math.abs(value);
        if (Double.isNaN(magnitude)) {
            return (short) (sign | 0x7E00);
        }
        if (magnitude >= 65520) {
            return (short) (sign | 0x7C00);
        }
        // The distance between neighbouring numbers is 2^-24 below 2^-14, and then doubles with each exponent.
        int exponent = Math.max(-14, Math.getExponent(magnitude));
        int steps = (int) Math.rint(Math.scalb(magnitude, 10 - exponent));
        return (short) (sign | (steps + ((exponent + 14) << 10)));
    }
}
