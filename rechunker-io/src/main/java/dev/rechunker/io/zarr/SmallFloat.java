package dev.rechunker.io.zarr;

/**
 * A format of floats of at most 16 bits: from the highest bit a sign, an exponent and a fraction. Sources: the data
 * types of the zarr-extensions registry.
 *
 * @param signed whether there is a sign; if not, there are no zero and no subnormal numbers
 * @param specials which patterns are not numbers
 */
record SmallFloat(boolean signed, int exponentBits, int fractionBits, int bias, Specials specials) {
    /** Patterns that are not numbers. */
    enum Specials {
        /** Infinity and NaN have the highest exponent, as in IEEE 754. */
        IEEE,
        /** All patterns are numbers. */
        NONE,
        /** The highest exponent with the highest fraction is NaN. */
        HIGHEST_IS_NAN,
        /** What would be -0 is NaN. */
        MINUS_ZERO_IS_NAN
    }

    /** {@return the number of bits of a pattern} */
    int bits() {
        return (signed ? 1 : 0) + exponentBits + fractionBits;
    }

    /** {@return the number of a pattern, whose higher bits are ignored} */
    double value(int pattern) {
        int fraction = pattern & ((1 << fractionBits) - 1);
        int highest = (1 << exponentBits) - 1;
        int exponent = pattern >> fractionBits & highest;
        boolean negative = signed && (pattern >> (exponentBits + fractionBits) & 1) == 1;
        if (isNaN(exponent, fraction, negative)) {
            return Double.NaN;
        }
        double magnitude;
        if (specials == Specials.IEEE && exponent == highest) {
            magnitude = Double.POSITIVE_INFINITY;
        } else if (exponent == 0 && signed) {
            magnitude = Math.scalb((double) fraction, 1 - bias - fractionBits);
        } else {
            magnitude = Math.scalb((double) ((1 << fractionBits) + fraction), exponent - bias - fractionBits);
        }
        return negative ? -magnitude : magnitude;
    }

    private boolean isNaN(int exponent, int fraction, boolean negative) {
        boolean highest = exponent == (1 << exponentBits) - 1;
        return switch (specials) {
            case IEEE -> highest && fraction != 0;
            case NONE -> false;
            case HIGHEST_IS_NAN -> highest && fraction == (1 << fractionBits) - 1;
            case MINUS_ZERO_IS_NAN -> negative && exponent == 0 && fraction == 0;
        };
    }

    /**
     * {@return the pattern of a number; if there is none, that of the nearest one, ties to even}
     *
     * @throws IllegalArgumentException if it is beyond the largest number, or there is no NaN
     */
    int pattern(double value) {
        if (Double.isNaN(value)) {
            return nan();
        }
        int nearest = -1;
        double distance = Double.POSITIVE_INFINITY;
        double largest = 0;
        for (int pattern = 0; pattern < 1 << bits(); pattern++) {
            double candidate = value(pattern);
            if (Double.doubleToLongBits(candidate) == Double.doubleToLongBits(value)) {
                return pattern;
            }
            if (Double.isFinite(candidate)) {
                double away = Math.abs(candidate - value);
                if (away < distance || (away == distance && (pattern & 1) == 0)) {
                    nearest = pattern;
                    distance = away;
                }
                largest = Math.max(largest, Math.abs(candidate));
            }
        }
        if (nearest < 0 || Math.abs(value) > largest) {
            throw new IllegalArgumentException("beyond the largest number " + largest);
        }
        return nearest;
    }

    /** {@return the usual NaN} */
    private int nan() {
        int exponent = ((1 << exponentBits) - 1) << fractionBits;
        return switch (specials) {
            case IEEE -> exponent | 1 << (fractionBits - 1);
            case NONE -> throw new IllegalArgumentException("there is no NaN");
            case HIGHEST_IS_NAN -> exponent | ((1 << fractionBits) - 1);
            case MINUS_ZERO_IS_NAN -> 1 << (exponentBits + fractionBits);
        };
    }
}
