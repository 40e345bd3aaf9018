package dev.rechunker.element;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A conversion of numbers to those of another type with the same value, or with the value that a linear map gives. A
 * value that the other type does not have is rounded; one that is then out of range is treated as asked. Some numbers,
 * such as missing values, can be mapped to others before that. Immutable.
 */
public final class ValueCast {
    private static final int BLOCK = 512;
    private static final double FLOAT_MAX = Float.MAX_VALUE;

    /** What happens to a number that is out of range. */
    public enum OutOfRange {
        /** It is refused. */
        REFUSE,
        /** It becomes the nearest number, which is infinity for floats that have it. Infinity is refused. */
        CLAMP,
        /** It becomes the nearest number that is finite, and so does infinity if the type does not have it. */
        CLIP,
        /** Integers are taken modulo 2^bits. */
        WRAP,
        /** It becomes the missing value. */
        MISSING
    }

    /** Why a number is refused. */
    public enum Reason {
        /** The type has no number of this kind: NaN or infinity. */
        NO_EQUAL,
        /** It is out of range. */
        OUT_OF_RANGE,
        /** It would become the missing value, although it is not missing. */
        IS_MISSING
    }

    /** A number that cannot be converted. */
    public static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;

        private final int index;
        private final String number;
        private final Reason reason;

        Refusal(int index, String number, Reason reason) {
            super(number + ": " + reason);
            this.index = index;
            this.number = number;
            this.reason = reason;
        }

        /** {@return the index of the number among those that were to be converted} */
        public int index() {
            return index;
        }

        /** {@return the number, as text} */
        public String number() {
            return number;
        }

        /** {@return why it is refused} */
        public Reason reason() {
            return reason;
        }
    }

    /** The bits that decide about stochastic rounding. */
    @FunctionalInterface
    public interface Randomness {
        /** {@return bits for the number with an index among those that are converted; the same each time} */
        long bits(int index);
    }

    private final RealType from;
    private final RealType to;
    private final Rounding rounding;
    private final OutOfRange outOfRange;
    private final @Nullable LinearMap linear;
    private final boolean unpacks;
    /** Numbers that are mapped, sorted; for floats, the bits of their values as binary64. */
    private final long[] keys;

    private final long[] values;
    /** The number that stands for missing ones; null if there is none. */
    private final @Nullable Long missing;

    /** The range of integers, without the missing value at one of its ends. */
    private final long lowest;

    private final long highest;
    /** The range of floats. */
    private final double largest;

    private final double smallest;

    private ValueCast(
            RealType from,
            RealType to,
            Rounding rounding,
            OutOfRange outOfRange,
            @Nullable LinearMap linear,
            boolean unpacks,
            SortedMap<Long, Long> mapped,
            @Nullable Long missing) {
        this.from = from;
        this.to = to;
        this.rounding = rounding;
        this.outOfRange = outOfRange;
        this.linear = linear;
        this.unpacks = unpacks;
        this.keys = mapped.keySet().stream().mapToLong(key -> key).toArray();
        this.values = mapped.values().stream().mapToLong(value -> value).toArray();
        this.missing = missing;
        this.largest = to.floats() == null ? 0 : to.floats().largest();
        this.smallest = to.floats() == null ? 0 : to.floats().smallest();
        boolean isReserved = !to.isFloat() && missing != null;
        long low = to.smallestInteger();
        long high = to.largestInteger();
        this.lowest = isReserved && Objects.equals(missing, low) ? low + 1 : low;
        this.highest = isReserved && Objects.equals(missing, high) ? high - 1 : high;
    }

    /** {@return the conversion without numbers that are mapped} */
    public static ValueCast of(RealType from, RealType to, Rounding rounding, OutOfRange outOfRange) {
        return new ValueCast(from, to, rounding, outOfRange, null, false, new TreeMap<>(), null);
    }

    /**
     * {@return the same with numbers that are mapped to others}
     *
     * @param map pairs of numbers as in JSON; of equal numbers, the first one counts
     * @throws IllegalArgumentException or {@link ArithmeticException} if an item is not a pair of numbers of the types
     */
    public ValueCast withMap(List<?> map) {
        SortedMap<Long, Long> mapped = new TreeMap<>();
        for (Object item : map) {
            if (!(item instanceof List<?> pair) || pair.size() != 2) {
                throw new IllegalArgumentException("not a pair of numbers");
            }
            mapped.putIfAbsent(key(from.parse(pair.get(0))), to.parse(pair.get(1)));
        }
        return new ValueCast(from, to, rounding, outOfRange, linear, unpacks, mapped, missing);
    }

    /**
     * {@return the same with missing numbers, which stay missing} NaN becomes missing as well if the other type does
     * not have it. Other numbers that would become the missing value are out of range.
     *
     * @param own the bits of the numbers that are missing
     * @param other the bits of the number that stands for them in the other type
     */
    public ValueCast withMissing(long[] own, long other) {
        SortedMap<Long, Long> mapped = new TreeMap<>();
        for (long number : own) {
            mapped.put(key(number), other);
        }
        return new ValueCast(from, to, rounding, outOfRange, linear, unpacks, mapped, other);
    }

    /** {@return the same with numbers that are unpacked or packed before they are converted; missing ones are not} */
    public ValueCast withLinear(LinearMap map, boolean unpack) {
        SortedMap<Long, Long> mapped = new TreeMap<>();
        for (int i = 0; i < keys.length; i++) {
            mapped.put(keys[i], values[i]);
        }
        return new ValueCast(from, to, rounding, outOfRange, map, unpack, mapped, missing);
    }

    /** {@return the type of the numbers that are converted} */
    public RealType from() {
        return from;
    }

    /** {@return the type of the converted numbers} */
    public RealType to() {
        return to;
    }

    /** {@return equal numbers for numbers that count as equal: both zeros, and all NaNs} */
    private long key(long number) {
        return from.isFloat() ? key(from.value(number)) : number;
    }

    private static long key(double value) {
        return Double.doubleToLongBits(value + 0.0);
    }

    /** Converts numbers, without randomness. */
    public void run(ByteBuffer source, ByteBuffer target, int count) throws Refusal {
        run(source, target, count, index -> 0);
    }

    /**
     * Converts numbers from the first to the last. The buffers have the byte orders of the numbers, and start at 0.
     * They may be the same memory if no number is overwritten before it is converted, where blocks of numbers are
     * converted at a time: with small ones after large ones at the end, or large ones after small ones at the
     * beginning.
     *
     * @throws Refusal for the first number that cannot be converted
     */
    public void run(ByteBuffer source, ByteBuffer target, int count, Randomness randomness) throws Refusal {
        Block block = new Block(randomness);
        for (int first = 0; first < count; first += BLOCK) {
            block.run(source, target, first, Math.min(BLOCK, count - first));
        }
    }

    /**
     * {@return the bits of a number, converted without randomness}
     *
     * @throws Refusal if it cannot be converted
     */
    public long convert(long number) throws Refusal {
        ByteBuffer source = ByteBuffer.allocate(Long.BYTES);
        from.put(source, 0, number);
        ByteBuffer target = ByteBuffer.allocate(Long.BYTES);
        run(source, target, 1);
        return to.get(target, 0);
    }

    /** Some numbers while they are converted. */
    private final class Block {
        private final Randomness randomness;
        /** Numbers as they are, of the two types; only one of each pair is used. */
        private final long[] integers = new long[from.isFloat() ? 0 : BLOCK];

        private final double[] floats = new double[from.isFloat() ? BLOCK : 0];
        /** The values that are converted, if they are floats. */
        private final double[] work = linear == null ? floats : new double[BLOCK];

        private final long[] newIntegers = new long[to.isFloat() ? 0 : BLOCK];
        private final double[] newFloats = new double[to.isFloat() ? BLOCK : 0];
        private int first;

        Block(Randomness randomness) {
            this.randomness = randomness;
        }

        void run(ByteBuffer source, ByteBuffer target, int start, int count) throws Refusal {
            first = start;
            if (from.isFloat()) {
                NumberBuffer.load(from, source, start * from.size(), count, floats);
            } else {
                NumberBuffer.load(from, source, start * from.size(), count, integers, 0);
            }
            if (linear != null) {
                apply(linear, count);
            }
            FloatFormat format = to.floats();
            if (format != null) {
                toFloats(format, count);
                NumberBuffer.store(to, newFloats, target, start * to.size(), count);
                mapFloats(target, count);
            } else {
                toIntegers(count);
                mapIntegers(count);
                NumberBuffer.store(to, newIntegers, target, start * to.size(), count);
            }
        }

        private void apply(LinearMap map, int count) {
            for (int i = 0; i < count; i++) {
                double value = from.isFloat() ? floats[i] : from.real(integers[i]);
                work[i] = unpacks ? map.unpacked(value) : map.packed(value);
            }
        }

        private void toFloats(FloatFormat format, int count) throws Refusal {
            boolean isReal = from.isFloat() || linear != null;
            boolean isSigned = from.signed() || from.bits() < Long.SIZE;
            boolean isNearest = rounding == Rounding.NEAREST_EVEN;
            if (isReal && format.bits() == Long.SIZE) {
                System.arraycopy(work, 0, newFloats, 0, count);
            } else if (isReal && format.equals(FloatFormat.BINARY32) && isNearest) {
                for (int i = 0; i < count; i++) {
                    double value = work[i];
                    double rounded = (float) value;
                    newFloats[i] = Math.abs(rounded) <= FLOAT_MAX
                            ? rounded
                            : Double.isNaN(value) ? Double.NaN : toFloat(i, format);
                }
            } else if (!isReal && isSigned && isNearest && format.bits() >= Integer.SIZE) {
                boolean isSingle = format.bits() == Integer.SIZE;
                for (int i = 0; i < count; i++) {
                    newFloats[i] = isSingle ? (float) integers[i] : (double) integers[i];
                }
            } else {
                for (int i = 0; i < count; i++) {
                    newFloats[i] = toFloat(i, format);
                }
            }
        }

        private void toIntegers(int count) throws Refusal {
            boolean isSmall = to.signed() || to.bits() < Long.SIZE;
            if (from.isFloat() || linear != null) {
                // The ends are compared as binary64, which has all integers up to 2^53.
                boolean isFast = to.bits() <= Integer.SIZE && rounding == Rounding.NEAREST_EVEN;
                double low = lowest;
                double high = highest;
                for (int i = 0; i < count; i++) {
                    double whole = Math.rint(work[i]);
                    newIntegers[i] = isFast && whole >= low && whole <= high ? (long) whole : toInteger(i, work[i]);
                }
            } else if (isSmall && (from.signed() || from.bits() < Long.SIZE)) {
                for (int i = 0; i < count; i++) {
                    long value = integers[i];
                    newIntegers[i] = value >= lowest && value <= highest ? value : toInteger(i, value);
                }
            } else {
                for (int i = 0; i < count; i++) {
                    newIntegers[i] = toInteger(i, integers[i]);
                }
            }
        }

        /** {@return the index of a number among those that are mapped; negative if it is none} */
        private int mapped(int i) {
            return keys.length == 0 ? -1 : Arrays.binarySearch(keys, from.isFloat() ? key(floats[i]) : integers[i]);
        }

        /** Maps floats where they are stored, so that each bit of a NaN is kept. */
        private void mapFloats(ByteBuffer target, int count) throws Refusal {
            if (keys.length == 0) {
                return;
            }
            double reserved = missing == null ? Double.NaN : to.value(missing);
            for (int i = 0; i < count; i++) {
                int mapped = mapped(i);
                if (mapped >= 0) {
                    to.put(target, (first + i) * to.size(), values[mapped]);
                } else if (newFloats[i] == reserved && outOfRange != OutOfRange.MISSING) {
                    throw refusal(i, Reason.IS_MISSING);
                }
            }
        }

        private void mapIntegers(int count) throws Refusal {
            if (keys.length > 0) {
                for (int i = 0; i < count; i++) {
                    int mapped = mapped(i);
                    newIntegers[i] = mapped >= 0 ? values[mapped] : newIntegers[i];
                }
            }
            if (missing == null || outOfRange == OutOfRange.MISSING) {
                return;
            }
            long reserved = missing;
            for (int i = 0; i < count; i++) {
                if (newIntegers[i] == reserved && mapped(i) < 0 && !(from.isFloat() && Double.isNaN(floats[i]))) {
                    throw refusal(i, Reason.IS_MISSING);
                }
            }
        }

        private double toFloat(int i, FloatFormat format) throws Refusal {
            if (mapped(i) >= 0) {
                return 0; // is replaced
            }
            double value;
            if (from.isFloat() || linear != null) {
                value = work[i];
                if (Double.isNaN(value) ? format.hasNan() : Double.isInfinite(value) && format.hasInfinity()) {
                    return value;
                }
                if (Double.isNaN(value) && missing != null) {
                    return to.value(missing);
                }
                if (!Double.isFinite(value) && outOfRange != OutOfRange.CLIP && outOfRange != OutOfRange.MISSING) {
                    throw refusal(i, Reason.NO_EQUAL);
                }
                value = format.round(value, rounding, random(i));
            } else {
                boolean negative = from.signed() && integers[i] < 0;
                value = format.round(negative ? -integers[i] : integers[i], negative, rounding, random(i));
            }
            if (value >= smallest && value <= largest) {
                return value;
            }
            boolean above = value > largest;
            if (outOfRange == OutOfRange.MISSING && missing != null) {
                return to.value(missing);
            }
            if (Double.isNaN(value) || (outOfRange != OutOfRange.CLAMP && outOfRange != OutOfRange.CLIP)) {
                throw refusal(i, Double.isNaN(value) ? Reason.NO_EQUAL : Reason.OUT_OF_RANGE);
            }
            return format.hasInfinity() && outOfRange == OutOfRange.CLAMP
                    ? above ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY
                    : above ? largest : smallest;
        }

        private long toInteger(int i, long number) throws Refusal {
            boolean huge = !from.signed() && number < 0; // 2^63 and more
            boolean below = !huge && number < lowest;
            boolean above = !below && Long.compareUnsigned(number, highest) > 0 && (huge || number >= 0);
            return below || above ? adjusted(i, number, below, Reason.OUT_OF_RANGE) : number;
        }

        private long toInteger(int i, double value) throws Refusal {
            if (Double.isNaN(value)) {
                if (missing == null && mapped(i) < 0) {
                    throw refusal(i, Reason.NO_EQUAL);
                }
                return missing == null ? 0 : missing;
            }
            if (Double.isInfinite(value)) {
                if (outOfRange == OutOfRange.CLAMP || outOfRange == OutOfRange.WRAP) {
                    return mapped(i) >= 0 ? 0 : refuse(i, Reason.NO_EQUAL);
                }
                return adjusted(i, 0, value < 0, Reason.NO_EQUAL);
            }
            double whole = rounding.round(value, random(i));
            double end = Math.scalb(1.0, to.signed() ? to.bits() - 1 : to.bits());
            if (whole < to.smallestInteger() || whole >= end) {
                return adjusted(i, modulo(whole), whole < 0, Reason.OUT_OF_RANGE);
            }
            long integer = modulo(whole);
            boolean below = integer == to.smallestInteger() && lowest != integer;
            boolean above = integer == to.largestInteger() && highest != integer;
            return below || above ? adjusted(i, integer, below, Reason.IS_MISSING) : integer;
        }

        /** {@return the number for an integer that is out of range} */
        private long adjusted(int i, long integer, boolean below, Reason reason) throws Refusal {
            if (mapped(i) >= 0) {
                return 0; // is replaced
            }
            if (outOfRange == OutOfRange.MISSING && missing != null) {
                return missing;
            }
            return switch (outOfRange) {
                case REFUSE, MISSING -> refuse(i, reason);
                case CLAMP, CLIP -> below ? lowest : highest;
                case WRAP -> to.extended(integer);
            };
        }

        private long random(int i) {
            return rounding == Rounding.STOCHASTIC ? randomness.bits(first + i) : 0;
        }

        private long refuse(int i, Reason reason) throws Refusal {
            throw refusal(i, reason);
        }

        private Refusal refusal(int i, Reason reason) {
            String text = from.isFloat() ? String.valueOf(floats[i]) : from.text(integers[i]);
            return new Refusal(first + i, text, reason);
        }
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
}
