package dev.rechunker.element;

/**
 * A format of floats: from the highest bit a sign, an exponent and a fraction. Its numbers are numbers of binary64.
 * Sources: IEEE 754, and the data types of the zarr-extensions registry.
 *
 * @param signed whether there is a sign; if not, there are no zero and no subnormal numbers
 * @param specials which patterns are not numbers
 */
public record FloatFormat(boolean signed, int exponentBits, int fractionBits, int bias, Specials specials) {
    /** Patterns that are not numbers. */
    public enum Specials {
        /** Infinity and NaN have the highest exponent, as in IEEE 754. */
        IEEE,
        /** All patterns are numbers. */
        NONE,
        /** The highest exponent with the highest fraction is NaN. */
        HIGHEST_IS_NAN,
        /** What would be -0 is NaN. */
        MINUS_ZERO_IS_NAN
    }

    /** IEEE 754 binary16. */
    public static final FloatFormat BINARY16 = new FloatFormat(true, 5, 10, 15, Specials.IEEE);

    /** IEEE 754 binary32. */
    public static final FloatFormat BINARY32 = new FloatFormat(true, 8, 23, 127, Specials.IEEE);

    /** IEEE 754 binary64. */
    public static final FloatFormat BINARY64 = new FloatFormat(true, 11, 52, 1023, Specials.IEEE);

    /** {@return the format of IEEE 754 with a size of 2, 4 or 8 bytes} */
    public static FloatFormat ofSize(int size) {
        return switch (size) {
            case 2 -> BINARY16;
            case 4 -> BINARY32;
            default -> BINARY64;
        };
    }

    /** {@return the number of bits of a pattern} */
    public int bits() {
        return (signed ? 1 : 0) + exponentBits + fractionBits;
    }

    /** {@return whether there is an infinity} */
    public boolean hasInfinity() {
        return specials == Specials.IEEE;
    }

    /** {@return whether there is a NaN} */
    public boolean hasNan() {
        return specials != Specials.NONE;
    }

    /** {@return the largest finite number} */
    public double largest() {
        long patterns = 1L << (exponentBits + fractionBits);
        return value(
                switch (specials) {
                    case IEEE -> patterns - (1L << fractionBits) - 1;
                    case HIGHEST_IS_NAN -> patterns - 2;
                    case NONE, MINUS_ZERO_IS_NAN -> patterns - 1;
                });
    }

    /** {@return the smallest finite number} */
    public double smallest() {
        return signed ? -largest() : value(0);
    }

    /** {@return the smallest exponent of a number whose fraction has all bits} */
    private int smallestExponent() {
        return signed ? 1 - bias : -bias;
    }

    /** {@return the number of a pattern, whose higher bits are ignored} */
    public double value(long pattern) {
        long fraction = pattern & ((1L << fractionBits) - 1);
        int highest = (1 << exponentBits) - 1;
        int exponent = (int) (pattern >> fractionBits) & highest;
        boolean negative = signed && (pattern >> (exponentBits + fractionBits) & 1) == 1;
        if (isNan(exponent, fraction, negative)) {
            return Double.NaN;
        }
        double magnitude;
        if (specials == Specials.IEEE && exponent == highest) {
            magnitude = Double.POSITIVE_INFINITY;
        } else if (exponent == 0 && signed) {
            magnitude = Math.scalb((double) fraction, 1 - bias - fractionBits);
        } else {
            magnitude = Math.scalb((double) ((1L << fractionBits) + fraction), exponent - bias - fractionBits);
        }
        return negative ? -magnitude : magnitude;
    }

    private boolean isNan(int exponent, long fraction, boolean negative) {
        boolean highest = exponent == (1 << exponentBits) - 1;
        return switch (specials) {
            case IEEE -> highest && fraction != 0;
            case NONE -> false;
            case HIGHEST_IS_NAN -> highest && fraction == (1L << fractionBits) - 1;
            case MINUS_ZERO_IS_NAN -> negative && exponent == 0 && fraction == 0;
        };
    }

    /**
     * {@return the pattern of a number of this format, of infinity, or the usual NaN}
     *
     * @param value a number that the format has
     */
    public long patternOf(double value) {
        if (Double.isNaN(value)) {
            return nan();
        }
        long sign = signed && Double.doubleToRawLongBits(value) < 0 ? 1L << (exponentBits + fractionBits) : 0;
        double magnitude = Math.abs(value);
        if (magnitude == 0) {
            return specials == Specials.MINUS_ZERO_IS_NAN ? 0 : sign;
        }
        if (Double.isInfinite(magnitude)) {
            return sign | ((1L << exponentBits) - 1) << fractionBits;
        }
        int exponent = Math.max(smallestExponent(), Math.getExponent(magnitude));
        long steps = (long) Math.scalb(magnitude, fractionBits - exponent);
        long above = (long) (exponent - smallestExponent()) << fractionBits;
        return sign | (steps + above - (signed ? 0 : 1L << fractionBits));
    }

    /** {@return the usual NaN} */
    private long nan() {
        long exponent = ((1L << exponentBits) - 1) << fractionBits;
        return switch (specials) {
            case IEEE -> exponent | 1L << (fractionBits - 1);
            case NONE -> throw new IllegalArgumentException("there is no NaN");
            case HIGHEST_IS_NAN -> exponent | ((1L << fractionBits) - 1);
            case MINUS_ZERO_IS_NAN -> 1L << (exponentBits + fractionBits);
        };
    }

    /**
     * {@return the pattern of the nearest number, ties to even}
     *
     * @throws IllegalArgumentException if the value is beyond the largest number, or there is no NaN
     */
    public long nearestPattern(double value) {
        if (Double.isNaN(value) || (Double.isInfinite(value) && hasInfinity())) {
            return patternOf(value);
        }
        double rounded = round(value, Rounding.NEAREST_EVEN, 0);
        if (!signed && value >= 0) {
            rounded = Math.max(rounded, smallest());
        }
        if (!isInRange(rounded)) {
            throw new IllegalArgumentException("beyond the largest number " + largest());
        }
        return patternOf(rounded);
    }

    /** {@return whether a number is between the smallest and the largest finite one} */
    public boolean isInRange(double value) {
        return value >= smallest() && value <= largest();
    }

    /**
     * {@return a finite number rounded to the precision of this format, as if its exponents had no upper limit}
     *
     * @param random any bits, which only {@link Rounding#STOCHASTIC} uses
     */
    public double round(double value, Rounding rounding, long random) {
        if (value == 0 || !Double.isFinite(value) || fractionBits == BINARY64.fractionBits) {
            return value;
        }
        int step = Math.max(smallestExponent(), Math.getExponent(value)) - fractionBits;
        return Math.scalb(rounding.round(Math.scalb(value, -step), random), step);
    }

    /**
     * {@return an integer rounded once to the precision of this format, as if its exponents had no upper limit}
     *
     * @param magnitude an unsigned integer
     * @param negative whether it stands for a negative number
     * @param random any bits, which only {@link Rounding#STOCHASTIC} uses
     */
    double round(long magnitude, boolean negative, Rounding rounding, long random) {
        int drop = Long.SIZE - Long.numberOfLeadingZeros(magnitude) - fractionBits - 1;
        double rounded =
                drop <= 0 ? magnitude : Math.scalb((double) rounding.shift(magnitude, negative, drop, random), drop);
        return negative ? -rounded : rounded;
    }
}
