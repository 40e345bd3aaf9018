package dev.rechunker.element;

import dev.rechunker.element.FloatFormat.Specials;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A type of real numbers in Zarr 3: integers of 2 to 64 bits, floats of 4 to 64 bits.
 *
 * <p>Bits of a number are passed as a {@code long}: signed integers with their sign extended, others extended by zeros.
 *
 * @param name the name in Zarr 3
 * @param bits the number of bits, which are the lowest ones of the bytes of an element
 * @param floats the format of floats; null for integers
 */
public record RealType(
        String name, int bits, boolean signed, @Nullable FloatFormat floats) {
    /** Booleans, as integers of one bit. No codec has this type. */
    public static final RealType BOOL = new RealType("bool", 1, false, null);

    /** The maximum number of digits: the time to convert digits to a number grows as their square. */
    private static final int LONGEST_NUMBER = 1000;

    private static final Map<String, RealType> BY_NAME = byName();

    private static Map<String, RealType> byName() {
        Map<String, RealType> byName = new LinkedHashMap<>();
        for (int bits : new int[] {2, 4, 8, 16, 32, 64}) {
            byName.put("int" + bits, new RealType("int" + bits, bits, true, null));
            byName.put("uint" + bits, new RealType("uint" + bits, bits, false, null));
        }
        Map<String, FloatFormat> floats = new LinkedHashMap<>();
        floats.put("float4_e2m1fn", new FloatFormat(true, 2, 1, 1, Specials.NONE));
        floats.put("float6_e2m3fn", new FloatFormat(true, 2, 3, 1, Specials.NONE));
        floats.put("float6_e3m2fn", new FloatFormat(true, 3, 2, 3, Specials.NONE));
        floats.put("float8_e3m4", new FloatFormat(true, 3, 4, 3, Specials.IEEE));
        floats.put("float8_e4m3", new FloatFormat(true, 4, 3, 7, Specials.IEEE));
        floats.put("float8_e4m3b11fnuz", new FloatFormat(true, 4, 3, 11, Specials.MINUS_ZERO_IS_NAN));
        floats.put("float8_e4m3fn", new FloatFormat(true, 4, 3, 7, Specials.HIGHEST_IS_NAN));
        floats.put("float8_e4m3fnuz", new FloatFormat(true, 4, 3, 8, Specials.MINUS_ZERO_IS_NAN));
        floats.put("float8_e5m2", new FloatFormat(true, 5, 2, 15, Specials.IEEE));
        floats.put("float8_e5m2fnuz", new FloatFormat(true, 5, 2, 16, Specials.MINUS_ZERO_IS_NAN));
        floats.put("float8_e8m0fnu", new FloatFormat(false, 8, 0, 127, Specials.HIGHEST_IS_NAN));
        floats.put("bfloat16", new FloatFormat(true, 8, 7, 127, Specials.IEEE));
        floats.put("float16", FloatFormat.BINARY16);
        floats.put("float32", FloatFormat.BINARY32);
        floats.put("float64", FloatFormat.BINARY64);
        floats.forEach((name, format) -> byName.put(name, new RealType(name, format.bits(), format.signed(), format)));
        return byName;
    }

    /** {@return all types} */
    public static List<RealType> all() {
        return List.copyOf(BY_NAME.values());
    }

    /** {@return the type with a name; empty for other names} */
    public static Optional<RealType> of(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** {@return the size of an element in bytes} */
    public int size() {
        return bits <= Byte.SIZE ? 1 : bits / Byte.SIZE;
    }

    /** {@return whether numbers are floats; integers otherwise} */
    public boolean isFloat() {
        return floats != null;
    }

    /** {@return the smallest integer of this type} */
    public long smallestInteger() {
        return signed ? -1L << (bits - 1) : 0;
    }

    /** {@return the largest integer of this type} */
    public long largestInteger() {
        return -1L >>> (Long.SIZE - bits + (signed ? 1 : 0));
    }

    /** {@return the lowest bits of a number, extended as numbers of this type are} */
    public long extended(long number) {
        int spare = Long.SIZE - bits;
        return signed && floats == null ? number << spare >> spare : number << spare >>> spare;
    }

    /** {@return the bits of the number at a position of a buffer, which has the byte order of elements} */
    public long get(ByteBuffer buffer, int at) {
        return extended(
                switch (size()) {
                    case 1 -> buffer.get(at);
                    case 2 -> buffer.getShort(at);
                    case 4 -> buffer.getInt(at);
                    default -> buffer.getLong(at);
                });
    }

    /** Puts the bits of a number at a position of a buffer, which has the byte order of elements. */
    public void put(ByteBuffer buffer, int at, long number) {
        switch (size()) {
            case 1 -> buffer.put(at, (byte) number);
            case 2 -> buffer.putShort(at, (short) number);
            case 4 -> buffer.putInt(at, (int) number);
            default -> buffer.putLong(at, number);
        }
    }

    /** {@return the float with some bits} */
    public double value(long number) {
        return floats == null || bits == Long.SIZE
                ? Double.longBitsToDouble(number)
                : bits == Integer.SIZE ? Float.intBitsToFloat((int) number) : floats.value(number);
    }

    /** {@return the number with some bits; of an integer that binary64 does not have, the nearest float} */
    public double real(long number) {
        if (floats != null) {
            return value(number);
        }
        // An integer from 2^63 on is halved; the lowest bit is kept for correct rounding.
        return signed || number >= 0 ? number : (double) ((number >>> 1) | (number & 1)) * 2;
    }

    /** {@return the bits of a float that this type has} */
    public long ofValue(double value) {
        return floats == null || bits == Long.SIZE
                ? Double.doubleToLongBits(value)
                : bits == Integer.SIZE
                        ? Integer.toUnsignedLong(Float.floatToIntBits((float) value))
                        : floats.patternOf(value);
    }

    /**
     * {@return the bits of a number that is written in JSON as fill values are}
     *
     * @throws IllegalArgumentException or {@link ArithmeticException} if it is not a number of this type
     */
    public long parse(@Nullable Object json) {
        if (!(json instanceof Number) && !(json instanceof String)) {
            throw new IllegalArgumentException("neither a number nor a string");
        }
        String text = json.toString().strip();
        if (floats == null) {
            return integer(text);
        }
        if (json instanceof Number number) {
            return nearest(floats, number.doubleValue());
        }
        return switch (text) {
            case "NaN" -> nearest(floats, Double.NaN);
            case "Infinity", "+Infinity" -> nearest(floats, Double.POSITIVE_INFINITY);
            case "-Infinity" -> nearest(floats, Double.NEGATIVE_INFINITY);
            default -> {
                if (!text.startsWith("0x")) {
                    yield nearest(floats, decimal(text).doubleValue());
                }
                if (text.length() != 2 + 2 * size()) {
                    throw new IllegalArgumentException("not " + 2 * size() + " hexadecimal digits");
                }
                yield Long.parseUnsignedLong(text, 2, text.length(), 16);
            }
        };
    }

    private long nearest(FloatFormat format, double value) {
        return bits > Short.SIZE ? ofValue(value) : format.nearestPattern(value);
    }

    private long integer(String text) {
        BigDecimal number = decimal(text);
        if (Math.abs((long) number.precision() - number.scale()) >= 100) {
            throw new IllegalArgumentException("not a number of this type");
        }
        BigInteger value = number.toBigIntegerExact();
        if (value.bitLength() > (signed ? bits - 1 : bits) || (!signed && value.signum() < 0)) {
            throw new IllegalArgumentException("not a number of this type");
        }
        return value.longValue();
    }

    private static BigDecimal decimal(String text) {
        if (text.length() > LONGEST_NUMBER) {
            throw new IllegalArgumentException("not a number of this type");
        }
        return new BigDecimal(text);
    }

    /** {@return a number as fill values are written in JSON} */
    public Object json(long number) {
        if (floats == null) {
            return signed || number >= 0 ? (Object) number : new BigInteger(Long.toUnsignedString(number));
        }
        double value = value(number);
        if (Double.isFinite(value)) {
            return value;
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "Infinity" : "-Infinity";
        }
        return number == ofValue(Double.NaN) ? "NaN" : String.format(Locale.ROOT, "0x%0" + 2 * size() + "x", number);
    }

    /** {@return a number as text, for messages} */
    public String text(long number) {
        return String.valueOf(json(number));
    }
}
