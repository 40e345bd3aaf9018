package dev.rechunker.element;

import java.util.Arrays;

/**
 * A measurement of the bitwise real information in floats: for each bit, the mutual information of the bits of
 * neighbouring numbers, in bits per number. Bits that are only noise have none. Not thread-safe.
 *
 * <p>Source: Klöwer, Razinger, Dominguez, Düben, Palmer, "Compressing atmospheric data into its real information
 * content", Nature Computational Science 1 (2021), and its implementation, BitInformation.jl. As there, exponents are
 * taken with a sign, and information is not significant if it is less than what independent bits have in 1 % of the
 * cases, or less than 1.5 times the most that one of the last four bits has.
 */
public final class BitInformation {
    /** The number of standard deviations that a normal variable exceeds, on either side, in 1 % of the cases. */
    private static final double QUANTILE = 2.5758293035489004;

    private static final double LAST_BITS = 1.5;

    private final int bits;
    private final FloatFormat format;
    private long pairs;
    /** How often each bit is set in the first numbers of pairs, in the second ones, and in both; lowest bit first. */
    private final long[] first;

    private final long[] second;
    private final long[] both;

    /**
     * Creates a measurement without numbers.
     *
     * @param size the size of a number in bytes: 2, 4 or 8
     */
    public BitInformation(int size) {
        this.bits = 8 * size;
        this.format = FloatFormat.ofSize(size);
        this.first = new long[bits];
        this.second = new long[bits];
        this.both = new long[bits];
    }

    /**
     * Adds pairs of neighbouring numbers.
     *
     * @param a the bits of the first numbers; the array is changed
     * @param b the bits of the second numbers; the array is changed
     * @param count the number of pairs, at most 64, which is the length of the arrays
     */
    public void add(long[] a, long[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = withSignedExponent(a[i]);
            b[i] = withSignedExponent(b[i]);
        }
        Arrays.fill(a, count, Long.SIZE, 0);
        Arrays.fill(b, count, Long.SIZE, 0);
        transpose(a);
        transpose(b);
        for (int bit = 0; bit < bits; bit++) {
            first[bit] += Long.bitCount(a[bit]);
            second[bit] += Long.bitCount(b[bit]);
            both[bit] += Long.bitCount(a[bit] & b[bit]);
        }
        pairs += count;
    }

    /** Adds the pairs of another measurement of numbers of the same size. */
    public void add(BitInformation more) {
        for (int bit = 0; bit < bits; bit++) {
            first[bit] += more.first[bit];
            second[bit] += more.second[bit];
            both[bit] += more.both[bit];
        }
        pairs += more.pairs;
    }

    /** {@return the number of pairs} */
    public long pairs() {
        return pairs;
    }

    /** {@return the bits of a number whose exponent has a sign instead of a bias} */
    private long withSignedExponent(long number) {
        int fraction = format.fractionBits();
        long field = (1L << format.exponentBits()) - 1;
        long exponent = (number >>> fraction & field) - format.bias();
        long sign = exponent < 0 ? (field + 1) >>> 1 : 0;
        long signed = sign | (Math.abs(exponent) & field);
        return (number & ~(field << fraction)) | (signed << fraction);
    }

    /** Transposes a square of bits. */
    private static void transpose(long[] rows) {
        long mask = 0xFFFFFFFFL;
        for (int half = 32; half > 0; half >>= 1, mask ^= mask << half) {
            for (int row = 0; row < Long.SIZE; row = ((row | half) + 1) & ~half) {
                long exchange = (rows[row] >>> half ^ rows[row + half]) & mask;
                rows[row] ^= exchange << half;
                rows[row + half] ^= exchange;
            }
        }
    }

    /** {@return the information of each bit, from the sign to the lowest one; 0 if it is not significant} */
    public double[] information() {
        double[] information = new double[bits];
        if (pairs == 0) {
            return information;
        }
        for (int i = 0; i < bits; i++) {
            information[i] = mutual(bits - 1 - i);
        }
        double probability = Math.min(1, 0.5 + QUANTILE / (2 * Math.sqrt((double) pairs)));
        double chance = 1 + plogp(probability) + plogp(1 - probability);
        double last = Arrays.stream(information, bits - 4, bits).max().orElse(0);
        double least = Math.max(chance, LAST_BITS * last);
        for (int i = 0; i < bits; i++) {
            information[i] = information[i] > least ? information[i] : 0;
        }
        return information;
    }

    private double mutual(int bit) {
        double n = pairs;
        double one = first[bit] / n;
        double other = second[bit] / n;
        double ones = both[bit] / n;
        // H(a) + H(b) - H(a, b)
        return plogp(ones)
                + plogp((first[bit] - both[bit]) / n)
                + plogp((second[bit] - both[bit]) / n)
                + plogp((pairs - first[bit] - second[bit] + both[bit]) / n)
                - plogp(one)
                - plogp(1 - one)
                - plogp(other)
                - plogp(1 - other);
    }

    /** {@return p log2 p} */
    private static double plogp(double p) {
        return p <= 0 ? 0 : p * Math.log(p) / Math.log(2);
    }

    /**
     * {@return the number of bits of the fraction with which more than a share of the information is kept}
     *
     * @param share a number from 0 to 1; 1 keeps all bits
     */
    public int keepBits(double share) {
        double[] information = information();
        double all = Arrays.stream(information).sum();
        if (share >= 1) {
            return format.fractionBits();
        }
        double sum = 0;
        for (int i = 0; i < bits && all > 0; i++) {
            sum += information[i];
            if (sum > share * all) {
                return Math.max(0, i + 1 - (bits - format.fractionBits()));
            }
        }
        return format.fractionBits();
    }
}
