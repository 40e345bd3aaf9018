package dev.rechunker.element;

/** A way to round numbers to integers. */
public enum Rounding {
    /** To the nearest one; of two equally near ones, the even one. */
    NEAREST_EVEN,
    /** To the nearest one; of two equally near ones, that away from zero. */
    NEAREST_AWAY,
    /** Towards zero. */
    TOWARDS_ZERO,
    /** To the next larger one. */
    TOWARDS_POSITIVE,
    /** To the next smaller one. */
    TOWARDS_NEGATIVE,
    /** To the next larger or smaller one, at random: to the nearer one the more often, the nearer it is. */
    STOCHASTIC;

    /**
     * {@return the integer for a finite number, which keeps the sign of zero}
     *
     * @param random any bits, which only {@link #STOCHASTIC} uses
     */
    double round(double value, long random) {
        return switch (this) {
            case NEAREST_EVEN -> Math.rint(value);
            case NEAREST_AWAY -> {
                double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
                yield Math.abs(value - whole) >= 0.5 ? whole + Math.signum(value) : whole;
            }
            case TOWARDS_ZERO -> value < 0 ? Math.ceil(value) : Math.floor(value);
            case TOWARDS_POSITIVE -> Math.ceil(value);
            case TOWARDS_NEGATIVE -> Math.floor(value);
            case STOCHASTIC -> {
                double below = Math.floor(value);
                yield value - below > (random >>> 11) * 0x1p-53 ? Math.ceil(value) : below;
            }
        };
    }

    /**
     * {@return a magnitude divided by 2^bits, rounded}
     *
     * @param magnitude an unsigned integer
     * @param negative whether it stands for a negative number
     * @param bits a number from 1 to 63
     * @param random any bits, which only {@link #STOCHASTIC} uses
     */
    long shift(long magnitude, boolean negative, int bits, long random) {
        long quotient = magnitude >>> bits;
        long rest = magnitude & ((1L << bits) - 1);
        long half = 1L << (bits - 1);
        boolean up = switch (this) {
            case NEAREST_EVEN -> rest > half || (rest == half && (quotient & 1) == 1);
            case NEAREST_AWAY -> rest >= half;
            case TOWARDS_ZERO -> false;
            case TOWARDS_POSITIVE -> rest != 0 && !negative;
            case TOWARDS_NEGATIVE -> rest != 0 && negative;
            case STOCHASTIC -> rest > random >>> (Long.SIZE - bits);
        };
        return up ? quotient + 1 : quotient;
    }
}
