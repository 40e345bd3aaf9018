package dev.rechunker.element;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The information of bits, compared with its definition. */
class BitInformationTest {
    private static double[] numbers(int count, double noise) {
        Random random = new Random(48);
        double[] numbers = new double[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = 280 + 30 * Math.sin(i / 200.0) + noise * random.nextGaussian();
        }
        return numbers;
    }

    private static BitInformation measured(double[] numbers) {
        BitInformation information = new BitInformation(4);
        for (int at = 0; at < numbers.length - 1; at += 50) {
            int count = Math.min(50, numbers.length - 1 - at);
            long[] a = new long[64];
            long[] b = new long[64];
            for (int i = 0; i < count; i++) {
                a[i] = bits(numbers[at + i]);
                b[i] = bits(numbers[at + i + 1]);
            }
            information.add(a, b, count);
        }
        return information;
    }

    private static long bits(double number) {
        return Integer.toUnsignedLong(Float.floatToIntBits((float) number));
    }

    /** The mutual information of a bit of neighbours, counted pair by pair. Exponents of these numbers are positive. */
    private static double expected(double[] numbers, int bit) {
        int shift = 31 - bit;
        double[][] counts = new double[2][2];
        for (int i = 0; i + 1 < numbers.length; i++) {
            counts[signed(numbers[i], shift)][signed(numbers[i + 1], shift)]++;
        }
        double all = numbers.length - 1;
        double sum = 0;
        for (int one = 0; one < 2; one++) {
            for (int other = 0; other < 2; other++) {
                double p = counts[one][other] / all;
                double independent =
                        (counts[one][0] + counts[one][1]) * (counts[0][other] + counts[1][other]) / all / all;
                sum += p == 0 ? 0 : p * Math.log(p / independent) / Math.log(2);
            }
        }
        return sum;
    }

    private static int signed(double number, int shift) {
        long exponent = Math.getExponent(number);
        long bits = (bits(number) & 0x807F_FFFFL) | exponent << 23;
        return (int) (bits >>> shift & 1);
    }

    @Test
    void informationIsThatOfTheDefinition() {
        double[] numbers = numbers(20_001, 0.2);
        BitInformation information = measured(numbers);
        assertEquals(20_000, information.pairs());
        double[] expected = new double[32];
        Arrays.setAll(expected, bit -> expected(numbers, bit));
        double[] found = information.information();
        for (int bit = 0; bit < 32; bit++) {
            expected[bit] = found[bit] == 0 ? 0 : expected[bit];
        }
        assertArrayEquals(expected, found, 1e-9);
        assertEquals(0, found[31]);
    }

    @Test
    void noiseHasNoInformation() {
        assertEquals(9, measured(numbers(20_001, 0.2)).keepBits(0.99), 1);
        assertEquals(5, measured(numbers(20_001, 5)).keepBits(0.99), 1);
        assertEquals(23, measured(numbers(20_001, 5)).keepBits(1));
    }

    /** What is the same everywhere has no information, but must not be rounded. */
    @Test
    void constantNumbersKeepAllBits() {
        double[] numbers = new double[1000];
        Arrays.fill(numbers, 280.3);
        assertEquals(23, measured(numbers).keepBits(0.99));
    }
}
