package dev.rechunker.element;

/** Rounding of floats to a number of bits of the fraction, so that the others are zero and compress well. */
public final class BitRounding {
    private BitRounding() {}

    /**
     * {@return the bits of a float, rounded to the nearest one whose lowest bits are zero; of two equally near ones, to
     * the one whose lowest kept bit is zero}
     *
     * @param drop how many bits are to be zero; at most as many as the fraction has
     */
    public static long rounded(long bits, int drop) {
        if (drop == 0) {
            return bits;
        }
        long half = (1L << (drop - 1)) - 1;
        return (bits + ((bits >> drop) & 1) + half) >> drop << drop;
    }
}
