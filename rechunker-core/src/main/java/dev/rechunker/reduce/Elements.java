package dev.rechunker.reduce;

import dev.rechunker.array.DataType;
import dev.rechunker.array.FillValue;
import dev.rechunker.element.Half;
import dev.rechunker.element.NumberBuffer;
import dev.rechunker.element.RealType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Numbers of one type in memory, as keys that have the order of the numbers: integers as they are, unsigned ones of 64
 * bits less 2^63, and the bits of floats, of which negative ones are turned round. All missing numbers have one key.
 */
final class Elements {
    private static final long SIGN = Long.MIN_VALUE;
    /** The key of NaN, and of the missing value of floats. */
    private static final long NOT_A_NUMBER = Long.MAX_VALUE;

    final DataType type;
    private final ByteOrder order;
    private final FillValue missing;
    private final boolean hasMissing;
    private final long missingKey;
    private final double missingNumber;
    private final int size;
    private final boolean signed;
    private final boolean isFloat;
    /** The type of the bits of elements: of times and booleans, that of their integers. */
    private final RealType bits;

    /** Creates it for a type of numbers. */
    Elements(DataType type, ByteOrder order, FillValue missing) {
        this.type = type;
        this.order = order;
        this.size = type.itemSize();
        this.isFloat = type.kind() == DataType.Kind.FLOAT;
        this.signed = type.kind() != DataType.Kind.UINT && type.kind() != DataType.Kind.BOOL;
        this.bits = RealType.of((isFloat ? "float" : signed ? "int" : "uint") + Byte.SIZE * size)
                .orElseThrow();
        boolean isTime = type.kind() == DataType.Kind.DATETIME || type.kind() == DataType.Kind.TIMEDELTA;
        // Times that are no time are the smallest integer.
        this.missing = missing.isDefined() || !isTime ? missing : notATime(order);
        this.hasMissing = isFloat || this.missing.isDefined();
        ByteBuffer one = ByteBuffer.wrap(this.missing.element(size)).order(order);
        this.missingNumber = isFloat && missing.isDefined() ? number(one, 0) : Double.NaN;
        this.missingKey = isFloat ? NOT_A_NUMBER : integer(one, 0);
    }

    private static FillValue notATime(ByteOrder order) {
        return FillValue.of(
                ByteBuffer.allocate(Long.BYTES).order(order).putLong(SIGN).array());
    }

    int size() {
        return size;
    }

    boolean isFloat() {
        return isFloat;
    }

    /** {@return whether numbers can be missing} */
    boolean hasMissing() {
        return hasMissing;
    }

    boolean isMissing(long key) {
        return hasMissing && key == missingKey;
    }

    /** {@return whether a float is to be left out} */
    boolean isMissing(double number) {
        return Double.isNaN(number) || number == missingNumber;
    }

    /** Loads integers of at most 16 bits. */
    void loadSmall(ByteBuffer from, int at, int count, short[] words, byte[] bytes, int[] numbers) {
        if (size == 1) {
            from.get(at, bytes, 0, count);
            for (int i = 0; i < count; i++) {
                numbers[i] = signed ? bytes[i] : bytes[i] & 0xFF;
            }
            return;
        }
        from.slice(at, count * size).order(order).asShortBuffer().get(words, 0, count);
        if (signed) {
            for (int i = 0; i < count; i++) {
                numbers[i] = words[i];
            }
        } else {
            for (int i = 0; i < count; i++) {
                numbers[i] = words[i] & 0xFFFF;
            }
        }
    }

    /** Loads floats as they are. */
    void load(ByteBuffer from, int at, int count, double[] numbers) {
        NumberBuffer.load(bits, from.order(order), at, count, numbers);
    }

    /** Loads the keys of numbers to a place in an array. */
    void load(ByteBuffer from, int at, int count, long[] keys, int first) {
        if (isFloat) {
            double[] numbers = new double[count];
            load(from, at, count, numbers);
            for (int i = 0; i < count; i++) {
                keys[first + i] = isMissing(numbers[i]) ? NOT_A_NUMBER : key(numbers[i]);
            }
            return;
        }
        NumberBuffer.load(bits, from.order(order), at, count, keys, first);
        if (!signed && size == Long.BYTES) {
            for (int i = first; i < first + count; i++) {
                keys[i] ^= SIGN;
            }
        }
    }

    private long integer(ByteBuffer one, int at) {
        long[] key = new long[1];
        load(one, at, 1, key, 0);
        return key[0];
    }

    private double number(ByteBuffer one, int at) {
        double[] number = new double[1];
        load(one, at, 1, number);
        return number[0];
    }

    private static long key(double number) {
        long bits = Double.doubleToRawLongBits(number + 0.0); // of both zeros, the positive one
        return bits < 0 ? SIGN - bits - 1 : bits;
    }

    private static double number(long key) {
        return Double.longBitsToDouble(key < 0 ? SIGN - key - 1 : key);
    }

    /** {@return the key of the number in the middle between those of two keys, rounded to the even one} */
    long middle(long low, long high) {
        if (!isFloat) {
            long half = (low & high) + ((low ^ high) >> 1); // rounded down
            return ((low ^ high) & 1) == 0 ? half : half + (half & 1);
        }
        double one = number(low);
        double other = number(high);
        double sum = one + other;
        return key(Double.isInfinite(sum) ? one / 2 + other / 2 : sum / 2);
    }

    /** {@return the key of the mean of some integers, rounded to the nearest, of two to the even one} */
    static long mean(BigInteger sum, long count) {
        BigInteger[] parts = sum.divideAndRemainder(BigInteger.valueOf(count));
        long quotient = parts[0].longValueExact();
        long rest = parts[1].longValueExact();
        return rest < 0 ? rounded(quotient - 1, rest + count, count) : rounded(quotient, rest, count);
    }

    static long mean(long sum, long count) {
        return rounded(Math.floorDiv(sum, count), Math.floorMod(sum, count), count);
    }

    private static long rounded(long floor, long rest, long count) {
        long above = count - rest;
        return rest < above ? floor : rest > above ? floor + 1 : floor + (floor & 1);
    }

    /** Stores the number with a key. */
    void store(ByteBuffer to, int at, long key) {
        if (isMissing(key)) {
            storeMissing(to, at);
        } else if (isFloat) {
            store(to, at, number(key));
        } else {
            bits.put(to.order(order), at, signed || size < Long.BYTES ? key : key ^ SIGN);
        }
    }

    /** Stores a float. */
    void store(ByteBuffer to, int at, double number) {
        bits.put(
                to.order(order),
                at,
                switch (size) {
                    case 2 -> Half.ofDouble(number);
                    case 4 -> Float.floatToRawIntBits((float) number);
                    default -> Double.doubleToRawLongBits(number);
                });
    }

    /** Stores the missing value, or NaN. */
    void storeMissing(ByteBuffer to, int at) {
        if (missing.isDefined()) {
            to.put(at, missing.element(size));
        } else {
            store(to, at, Double.NaN);
        }
    }
}
