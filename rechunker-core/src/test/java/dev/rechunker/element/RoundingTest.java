package dev.rechunker.element;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounding to numbers of other types, compared with a search among all numbers of small types. */
class RoundingTest {
    static Stream<RealType> smallFloats() {
        return RealType.all().stream().filter(type -> type.isFloat() && type.bits() <= 16);
    }

    /** {@return the number that a value is rounded to among the numbers of a type; NaN if it is out of range} */
    private static double searched(NavigableSet<Double> numbers, double value, Rounding rounding, FloatFormat format) {
        Double below = numbers.floor(value);
        Double above = numbers.ceiling(value);
        if (below != null && above != null) {
            BigDecimal exact = new BigDecimal(value);
            int nearer = exact.subtract(new BigDecimal(below)).compareTo(new BigDecimal(above).subtract(exact));
            return switch (rounding) {
                case TOWARDS_NEGATIVE -> below;
                case TOWARDS_POSITIVE -> above;
                case TOWARDS_ZERO -> value < 0 ? above : below;
                case NEAREST_AWAY -> nearer < 0 ? below : nearer > 0 ? above : value < 0 ? below : above;
                case STOCHASTIC -> throw new IllegalArgumentException();
                case NEAREST_EVEN -> nearer < 0 || (nearer == 0 && (format.patternOf(below) & 1) == 0) ? below : above;
            };
        }
        return Double.NaN;
    }

    @ParameterizedTest
    @MethodSource("smallFloats")
    void valuesAreRoundedToNumbersOfTheType(RealType type) {
        FloatFormat format = Objects.requireNonNull(type.floats());
        TreeSet<Double> numbers = new TreeSet<>();
        for (int pattern = 0; pattern < 1 << type.bits(); pattern++) {
            double value = format.value(pattern) + 0.0;
            if (Double.isFinite(value)) {
                numbers.add(value);
            }
        }
        assertEquals(numbers.last(), format.largest());
        assertEquals(numbers.first(), format.smallest());
        Random random = new Random(46);
        List<Double> values = new ArrayList<>(numbers);
        for (int i = 0; i < 20_000; i++) {
            double one = values.get(random.nextInt(values.size()));
            double next = Objects.requireNonNullElse(numbers.higher(one), one);
            double value = switch (i % 3) {
                case 0 -> one;
                case 1 -> (one + next) / 2; // a tie
                default -> one + (next - one) * random.nextDouble();
            };
            for (Rounding rounding : Rounding.values()) {
                if (rounding == Rounding.STOCHASTIC) {
                    checkStochastic(numbers, value, format, random);
                    continue;
                }
                if (rounding == Rounding.NEAREST_EVEN && format.fractionBits() == 0 && i % 3 == 1) {
                    continue; // no number without a fraction is even
                }
                double rounded = format.round(value, rounding, 0);
                assertEquals(searched(numbers, value, rounding, format), rounded + 0.0, type.name() + " " + value);
            }
        }
    }

    /** Integers of 64 bits are rounded once, although not all of them are numbers of binary64. */
    @Test
    void integersAreRoundedOnce() {
        Random random = new Random(46);
        for (int i = 0; i < 50_000; i++) {
            long value = random.nextLong() >> random.nextInt(63) | (i % 2);
            BigDecimal exact = BigDecimal.valueOf(value);
            assertEquals((double) value, round(FloatFormat.BINARY64, value, Rounding.NEAREST_EVEN));
            assertEquals((float) value, round(FloatFormat.BINARY32, value, Rounding.NEAREST_EVEN));
            for (FloatFormat format : List.of(FloatFormat.BINARY64, FloatFormat.BINARY32)) {
                double below = round(format, value, Rounding.TOWARDS_NEGATIVE);
                double above = round(format, value, Rounding.TOWARDS_POSITIVE);
                assertTrue(new BigDecimal(below).compareTo(exact) <= 0 && new BigDecimal(above).compareTo(exact) >= 0);
                assertTrue(below == above || (float) below != (float) above || format.equals(FloatFormat.BINARY64));
                assertEquals(value < 0 ? above : below, round(format, value, Rounding.TOWARDS_ZERO));
            }
        }
    }

    private static double round(FloatFormat format, long value, Rounding rounding) {
        return format.round(Math.abs(value), value < 0, rounding, 0);
    }

    /** The number above is taken if the random bits are below the distance from the number below. */
    private static void checkStochastic(NavigableSet<Double> numbers, double value, FloatFormat format, Random random) {
        Double below = numbers.floor(value);
        Double above = numbers.ceiling(value);
        if (below == null || above == null) {
            return;
        }
        double share = below.equals(above) ? 0 : (value - below) / (above - below);
        double bound = random.nextDouble();
        if (Math.abs(share - bound) > 1e-9) {
            long bits = (long) (bound * 0x1p53) << 11;
            assertEquals(share > bound ? above : below, format.round(value, Rounding.STOCHASTIC, bits) + 0.0);
        }
    }
}
