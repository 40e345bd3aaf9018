package dev.rechunker.element;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rechunker.element.ValueCast.OutOfRange;
import dev.rechunker.element.ValueCast.Reason;
import dev.rechunker.testing.Cases;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Conversions of numbers, compared with exact arithmetic. */
class ValueCastTest {
    private static final List<RealType> TYPES = Stream.concat(
                    Stream.of(RealType.BOOL),
                    Stream.of(
                                    "int8",
                                    "uint8",
                                    "int16",
                                    "uint16",
                                    "int32",
                                    "uint32",
                                    "int64",
                                    "uint64",
                                    "float16",
                                    "bfloat16",
                                    "float32",
                                    "float64",
                                    "float8_e4m3fn")
                            .map(name -> RealType.of(name).orElseThrow()))
            .toList();

    private static final List<OutOfRange> OUT_OF_RANGE = List.of(OutOfRange.values());

    private static final List<Rounding> ROUNDINGS = Stream.of(Rounding.values())
            .filter(rounding -> rounding != Rounding.STOCHASTIC)
            .toList();

    /** The value of a number; empty if it is not finite. */
    private static Optional<BigDecimal> exact(RealType type, long number) {
        if (!type.isFloat()) {
            return Optional.of(new BigDecimal(
                    type.signed() ? BigInteger.valueOf(number) : new BigInteger(Long.toUnsignedString(number))));
        }
        double value = type.value(number);
        return Double.isFinite(value) ? Optional.of(new BigDecimal(value)) : Optional.empty();
    }

    private static RoundingMode mode(Rounding rounding) {
        return switch (rounding) {
            case NEAREST_EVEN -> RoundingMode.HALF_EVEN;
            case NEAREST_AWAY -> RoundingMode.HALF_UP;
            case TOWARDS_ZERO -> RoundingMode.DOWN;
            case TOWARDS_POSITIVE -> RoundingMode.CEILING;
            case TOWARDS_NEGATIVE -> RoundingMode.FLOOR;
            case STOCHASTIC -> throw new IllegalArgumentException();
        };
    }

    /** {@return a value rounded to a type whose exponents have no upper limit} */
    private static BigDecimal rounded(BigDecimal value, RealType type, Rounding rounding) {
        if (!type.isFloat()) {
            return value.setScale(0, mode(rounding));
        }
        if (value.signum() == 0) {
            return value;
        }
        FloatFormat format = Objects.requireNonNull(type.floats());
        int exponent = Math.max(1 - format.bias(), Math.getExponent(value.doubleValue()) + 1);
        while (exponent > 1 - format.bias() && value.abs().compareTo(power(exponent)) < 0) {
            exponent--;
        }
        int step = exponent - format.fractionBits();
        return value.multiply(power(-step)).setScale(0, mode(rounding)).multiply(power(step));
    }

    private static BigDecimal power(int exponent) {
        return POWERS.computeIfAbsent(exponent, e -> {
            BigDecimal power = BigDecimal.valueOf(2).pow(Math.abs(e));
            return e >= 0 ? power : BigDecimal.ONE.divide(power);
        });
    }

    private static final Map<Integer, BigDecimal> POWERS = new HashMap<>();

    private static BigDecimal end(RealType type, boolean above) {
        if (type.isFloat()) {
            FloatFormat format = Objects.requireNonNull(type.floats());
            return new BigDecimal(above ? format.largest() : format.smallest());
        }
        return above
                ? new BigDecimal(Long.toUnsignedString(type.largestInteger()))
                : BigDecimal.valueOf(type.smallestInteger());
    }

    /** {@return the bits of a value that a type has} */
    private static long bits(RealType type, BigDecimal value) {
        return type.isFloat()
                ? type.ofValue(value.doubleValue())
                : value.toBigIntegerExact().longValue();
    }

    /** {@return what a number becomes; empty if it is refused} */
    private static Optional<Long> expected(
            RealType from,
            RealType to,
            Rounding rounding,
            OutOfRange outOfRange,
            Optional<long[]> missing,
            long number) {
        if (missing.isPresent() && same(from, number, missing.get()[0])) {
            return Optional.of(missing.get()[1]);
        }
        Optional<Long> substitute = missing.map(pair -> pair[1]);
        Optional<BigDecimal> exact = exact(from, number);
        FloatFormat format = to.floats();
        if (exact.isEmpty()) {
            double value = from.value(number);
            if (format != null && (Double.isNaN(value) ? format.hasNan() : format.hasInfinity())) {
                return Optional.of(to.ofValue(value))
                        .filter(bits -> Double.isNaN(value)
                                || outOfRange == OutOfRange.MISSING
                                || !isReserved(to, bits, missing));
            }
            if (Double.isNaN(value)) {
                return substitute;
            }
            return switch (outOfRange) {
                case REFUSE, CLAMP, WRAP -> Optional.empty();
                case CLIP -> Optional.of(bits(to, value > 0 ? last(to, missing) : first(to, missing)));
                case MISSING -> substitute;
            };
        }
        BigDecimal rounded = rounded(exact.get(), to, rounding);
        boolean below = rounded.compareTo(end(to, false)) < 0;
        boolean above = rounded.compareTo(end(to, true)) > 0;
        if (!below && !above) {
            boolean negativeZero = from.isFloat() && format != null && rounded.signum() == 0;
            long bits = negativeZero
                    ? to.ofValue(from.value(number) < 0 || isMinus(from, number) ? -0.0 : 0.0)
                    : bits(to, rounded);
            boolean isReserved = missing.isPresent() && same(to, bits, missing.get()[1]);
            if (!isReserved) {
                return Optional.of(bits);
            }
            below = bits == to.smallestInteger() && !to.isFloat();
            above = bits == to.largestInteger() && !to.isFloat();
            return switch (outOfRange) {
                case MISSING -> substitute;
                case CLAMP, CLIP -> below ? Optional.of(bits + 1) : above ? Optional.of(bits - 1) : Optional.empty();
                default -> Optional.empty();
            };
        }
        return switch (outOfRange) {
            case REFUSE -> Optional.empty();
            case CLAMP ->
                format != null && format.hasInfinity()
                        ? Optional.of(to.ofValue(above ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY))
                        : Optional.of(bits(to, above ? last(to, missing) : first(to, missing)))
                                .filter(bits -> !isReserved(to, bits, missing));
            case CLIP ->
                Optional.of(bits(to, above ? last(to, missing) : first(to, missing)))
                        .filter(bits -> !isReserved(to, bits, missing));
            case WRAP -> {
                if (to.isFloat()) {
                    yield Optional.empty();
                }
                BigInteger modulus = BigInteger.ONE.shiftLeft(to.bits());
                long wrapped =
                        to.extended(rounded.toBigIntegerExact().mod(modulus).longValue());
                yield Optional.of(wrapped).filter(bits -> !isReserved(to, bits, missing));
            }
            case MISSING -> substitute;
        };
    }

    private static boolean isReserved(RealType to, long bits, Optional<long[]> missing) {
        return missing.isPresent() && same(to, bits, missing.get()[1]);
    }

    private static boolean isMinus(RealType type, long number) {
        return type.isFloat() && Double.doubleToRawLongBits(type.value(number)) < 0;
    }

    private static boolean same(RealType type, long one, long other) {
        return type.isFloat()
                ? type.value(one) == type.value(other)
                        || (Double.isNaN(type.value(one)) && Double.isNaN(type.value(other)))
                : one == other;
    }

    private static BigDecimal last(RealType type, Optional<long[]> missing) {
        boolean reserved = !type.isFloat() && missing.isPresent() && missing.get()[1] == type.largestInteger();
        return end(type, true).subtract(reserved ? BigDecimal.ONE : BigDecimal.ZERO);
    }

    private static BigDecimal first(RealType type, Optional<long[]> missing) {
        boolean reserved = !type.isFloat() && missing.isPresent() && missing.get()[1] == type.smallestInteger();
        return end(type, false).add(reserved ? BigDecimal.ONE : BigDecimal.ZERO);
    }

    private static long number(Random random, RealType type, RealType other) {
        if (type.equals(RealType.BOOL)) {
            return random.nextInt(2);
        }
        if (!type.isFloat()) {
            return type.extended(
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextLong() >> random.nextInt(64);
                        case 1 -> random.nextInt(7) - 3;
                        case 2 ->
                            (random.nextBoolean() ? other.largestInteger() : other.smallestInteger())
                                    + random.nextInt(5)
                                    - 2;
                        default -> type.largestInteger() - random.nextInt(3);
                    });
        }
        FloatFormat format = Objects.requireNonNull(type.floats());
        double otherEnd = end(other, random.nextBoolean()).doubleValue();
        double value = switch (random.nextInt(6)) {
            case 0 -> random.nextInt(600) / 2.0 - 150;
            case 1 -> otherEnd + random.nextInt(9) / 4.0 - 1;
            case 2 -> otherEnd * (1 + (random.nextInt(17) - 8) * 0x1p-26);
            case 3 -> SPECIALS.get(random.nextInt(SPECIALS.size()));
            case 4 -> Double.longBitsToDouble(random.nextLong());
            default -> random.nextGaussian() * 1000;
        };
        try {
            return Double.isNaN(value) && !format.hasNan() ? 0 : format.nearestPattern(value);
        } catch (IllegalArgumentException e) {
            return format.patternOf(1); // the value is out of range
        }
    }

    private static final List<Double> SPECIALS =
            List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0, Double.MIN_VALUE);

    /** Numbers are converted in place, wide ones to narrow ones and the other way round. */
    @Test
    void numbersAreThoseOfExactArithmetic() {
        Cases.check(1_500, cases -> {
            Random random = cases.random();
            RealType from = TYPES.get(random.nextInt(TYPES.size()));
            RealType to = TYPES.get(random.nextInt(TYPES.size()));
            Rounding rounding = ROUNDINGS.get(random.nextInt(ROUNDINGS.size()));
            OutOfRange outOfRange = OUT_OF_RANGE.get(random.nextInt(OUT_OF_RANGE.size()));
            ValueCast cast = ValueCast.of(from, to, rounding, outOfRange);
            Optional<long[]> missing = Optional.empty();
            if (outOfRange == OutOfRange.MISSING || random.nextInt(3) == 0) {
                missing = Optional.of(new long[] {number(random, from, to), number(random, to, from)});
                cast = cast.withMissing(new long[] {missing.get()[0]}, missing.get()[1]);
            }
            int count = random.nextInt(cases.seed() % 100 == 0 ? 3000 : 30);
            List<Long> numbers = new ArrayList<>();
            List<Long> expected = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                long number = number(random, from, to);
                String what = from.text(number) + " from " + from.name() + " to " + to.name() + ", " + rounding + ", "
                        + outOfRange + missing.map(Arrays::toString).orElse("");
                Optional<Long> result = expected(from, to, rounding, outOfRange, missing, number);
                if (result.isPresent()) {
                    long converted = converted(cast, number, what);
                    // A zero that becomes a missing zero keeps its sign.
                    boolean isSame = missing.isPresent() && same(to, result.get(), converted);
                    assertEquals(isSame ? to.text(converted) : to.text(result.get()), to.text(converted), what);
                    numbers.add(number);
                    expected.add(converted);
                } else {
                    ValueCast refusing = cast;
                    assertThrows(ValueCast.Refusal.class, () -> refusing.convert(number), what);
                }
            }
            checkInPlace(
                    cast, numbers, expected, random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        });
    }

    private static long converted(ValueCast cast, long number, String what) {
        try {
            return cast.convert(number);
        } catch (ValueCast.Refusal e) {
            throw new AssertionError(what, e);
        }
    }

    private static void checkInPlace(ValueCast cast, List<Long> numbers, List<Long> expected, ByteOrder order)
            throws ValueCast.Refusal {
        int own = numbers.size() * cast.from().size();
        int other = numbers.size() * cast.to().size();
        ByteBuffer memory = ByteBuffer.allocate(Math.max(own, other));
        ByteBuffer source = memory.slice(memory.capacity() - own, own).order(order);
        ByteBuffer target = memory.slice(0, other).order(order);
        for (int i = 0; i < numbers.size(); i++) {
            cast.from().put(source, i * cast.from().size(), numbers.get(i));
        }
        cast.run(source, target, numbers.size());
        for (int i = 0; i < numbers.size(); i++) {
            assertEquals(
                    cast.to().text(expected.get(i)),
                    cast.to().text(cast.to().get(target, i * cast.to().size())));
        }
    }

    @Test
    void refusalsNameTheFirstNumber() {
        ValueCast cast = ValueCast.of(type("float64"), type("int16"), Rounding.NEAREST_EVEN, OutOfRange.REFUSE)
                .withMissing(new long[] {Double.doubleToRawLongBits(-999)}, -32768);
        ByteBuffer source = ByteBuffer.allocate(2000 * 8);
        ByteBuffer target = ByteBuffer.allocate(2000 * 2);
        source.putDouble(8 * 3, Double.NaN)
                .putDouble(8 * 4, -999)
                .putDouble(8 * 700, -32768)
                .putDouble(8 * 701, 1e9);
        ValueCast.Refusal refusal = assertThrows(ValueCast.Refusal.class, () -> cast.run(source, target, 2000));
        assertEquals(700, refusal.index());
        assertEquals("-32768.0", refusal.number());
        assertEquals(Reason.IS_MISSING, refusal.reason());
        assertEquals(-32768, target.getShort(2 * 3));
        assertEquals(-32768, target.getShort(2 * 4));
    }

    private static RealType type(String name) {
        return RealType.of(name).orElseThrow();
    }

    /** Packed numbers are unpacked as readers do it, and packed to the nearest ones. */
    @Test
    void numbersAreUnpackedAndPacked() throws ValueCast.Refusal {
        Random random = new Random(48);
        for (int i = 0; i < 2_000; i++) {
            short number = (short) random.nextInt();
            float scale = (float) Math.exp(random.nextGaussian() * 5);
            float offset = (float) random.nextGaussian() * 300;
            LinearMap single = new LinearMap(scale, offset, true);
            LinearMap linear = new LinearMap(scale, offset, false);
            RealType packed = type("int16");
            float expected = number * scale;
            assertEquals(expected + offset, Float.intBitsToFloat((int)
                    ValueCast.of(packed, type("float32"), Rounding.NEAREST_EVEN, OutOfRange.REFUSE)
                            .withLinear(single, true)
                            .convert(number)));
            long unpacked = ValueCast.of(packed, type("float64"), Rounding.NEAREST_EVEN, OutOfRange.REFUSE)
                    .withLinear(linear, true)
                    .convert(number);
            assertEquals((double) number * scale + offset, Double.longBitsToDouble(unpacked));
            if (Math.abs(offset) < 1e6 * scale) {
                assertEquals(
                        number,
                        ValueCast.of(type("float64"), packed, Rounding.NEAREST_EVEN, OutOfRange.REFUSE)
                                .withLinear(linear, false)
                                .convert(unpacked));
            }
        }
    }
}
