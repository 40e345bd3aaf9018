package dev.rechunker.io.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One direction of the codec {@code cast_value}: it converts numbers to those of another type with the same value. A
 * value that the other type does not have is rounded; one that is then out of range is clamped or wrapped, or is an
 * error. Some numbers can be mapped to others before that.
 */
final class ValueCast {
    /** What happens to a number that is out of range. */
    enum OutOfRange {
        REFUSE,
        CLAMP,
        WRAP
    }

    private final RealType from;
    private final RealType to;
    private final Rounding rounding;
    private final OutOfRange outOfRange;
    /** Numbers that are mapped, sorted; for floats, the bits of their values as binary64. */
    private final long[] keys;

    private final long[] values;
    /** The range of floats. */
    private final double largest;

    private final double smallest;

    /**
     * @param map pairs of numbers as in JSON; of equal numbers, the first one counts
     * @throws IllegalArgumentException or {@link ArithmeticException} if an item is not a pair of numbers of the types
     */
    ValueCast(RealType from, RealType to, Rounding rounding, OutOfRange outOfRange, List<?> map) {
        this.from = from;
        this.to = to;
        this.rounding = rounding;
        this.outOfRange = outOfRange;
        this.largest = to.floats() == null ? 0 : to.floats().largest();
        this.smallest = to.floats() == null ? 0 : to.floats().smallest();
        SortedMap<Long, Long> mapped = new TreeMap<>();
        for (Object item : map) {
            if (!(item instanceof List<?> pair) || pair.size() != 2) {
                throw new IllegalArgumentException("not a pair of numbers");
            }
            mapped.putIfAbsent(key(from.parse(pair.get(0))), to.parse(pair.get(1)));
        }
        this.keys = mapped.keySet().stream().mapToLong(key -> key).toArray();
        this.values = mapped.values().stream().mapToLong(value -> value).toArray();
    }

    /** {@return equal numbers for numbers that count as equal: both zeros, and all NaNs} */
    private long key(long number) {
        return from.isFloat() ? Double.doubleToLongBits(from.value(number) + 0.0) : number;
    }

    /** Converts numbers. Buffers have the byte order of elements. */
    void run(ByteBuffer source, ByteBuffer target, int count) throws CodecException {
        FloatFormat floats = to.floats();
        for (int i = 0; i < count; i++) {
            long number = from.get(source, i * from.size());
            int mapped = keys.length == 0 ? -1 : Arrays.binarySearch(keys, key(number));
            long converted;
            if (mapped >= 0) {
                converted = values[mapped];
            } else if (floats != null) {
                converted = toFloat(number, floats);
            } else {
                converted = from.isFloat() ? toInteger(from.value(number), number) : toInteger(number);
            }
            to.put(target, i * to.size(), converted);
        }
    }

    private long toFloat(long number, FloatFormat floats) throws CodecException {
        double value;
        if (from.isFloat()) {
            value = from.value(number);
            if (Double.isNaN(value) ? floats.hasNan() : Double.isInfinite(value) && floats.hasInfinity()) {
                return to.ofValue(value);
            }
            if (!Double.isFinite(value)) {
                throw refusal(number, "the other type does not have it");
            }
            value = floats.round(value, rounding);
        } else {
            boolean negative = from.signed() && number < 0;
            value = floats.round(negative ? -number : number, negative, rounding);
        }
        if (value >= smallest && value <= largest) {
            return to.ofValue(value);
        }
        if (outOfRange != OutOfRange.CLAMP) {
            throw outOfRange(number);
        }
        boolean above = value > largest;
        return to.ofValue(
                floats.hasInfinity()
                        ? above ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY
                        : above ? largest : smallest);
    }

    private long toInteger(long number) throws CodecException {
        boolean huge = !from.signed() && number < 0; // 2^63 and more
        boolean below = !huge && number < to.smallestInteger();
        boolean above = !below && Long.compareUnsigned(number, to.largestInteger()) > 0 && (huge || number >= 0);
        return below || above ? adjusted(number, below, number) : number;
    }

    private long toInteger(double value, long number) throws CodecException {
        if (!Double.isFinite(value)) {
            throw refusal(number, "no integer is equal to it; the option scalar_map can name one");
        }
        double whole = rounding.round(value);
        boolean below = whole < to.smallestInteger();
        boolean above = whole >= Math.scalb(1.0, to.signed() ? to.bits() - 1 : to.bits());
        return below || above ? adjusted(modulo(whole), below, number) : modulo(whole);
    }

    /** {@return the integer of 64 bits that is congruent to an integer modulo 2^64} */
    private static long modulo(double whole) {
        double rest = whole % 0x1p64;
        if (rest >= 0x1p63) {
            rest -= 0x1p64;
        } else if (rest < -0x1p63) {
            rest += 0x1p64;
        }
        return (long) rest;
    }

    /** {@return the number for an integer that is out of range} */
    private long adjusted(long integer, boolean below, long number) throws CodecException {
        return switch (outOfRange) {
            case REFUSE -> throw outOfRange(number);
            case CLAMP -> below ? to.smallestInteger() : to.largestInteger();
            case WRAP -> to.extended(integer);
        };
    }

    private CodecException outOfRange(long number) {
        return refusal(number, "it is out of range; the option out_of_range can say what becomes of it");
    }

    private CodecException refusal(long number, @Nullable String why) {
        return new CodecException("codec \"" + CastValueFilter.NAME + "\" cannot convert " + from.text(number)
                + " from " + from.name() + " to " + to.name() + ": " + why);
    }
}
