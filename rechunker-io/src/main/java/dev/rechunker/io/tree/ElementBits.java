package dev.rechunker.io.tree;

import dev.rechunker.array.DataType;
import dev.rechunker.store.StoreException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/** Converts between plain data in documents and the bytes of one element. */
public final class ElementBits {
    /** The maximum number of digits: the time to convert digits to a number grows as their square. */
    private static final int LONGEST_NUMBER = 1000;

    private ElementBits() {}

    /** Puts an integer, or the bits of a float, of 1, 2, 4 or 8 bytes. */
    public static void put(ByteBuffer element, int size, long bits) {
        switch (size) {
            case 1 -> element.put((byte) bits);
            case 2 -> element.putShort((short) bits);
            case 4 -> element.putInt((int) bits);
            default -> element.putLong(bits);
        }
    }

    /** {@return the next 1, 2, 4 or 8 bytes, with the sign extended} */
    public static long get(ByteBuffer element, int size) {
        return switch (size) {
            case 1 -> element.get();
            case 2 -> element.getShort();
            case 4 -> element.getInt();
            default -> element.getLong();
        };
    }

    /**
     * {@return the bits of an integer in a text, which may have a decimal point or an exponent}
     *
     * @param bits the most bits of its magnitude
     * @throws IllegalArgumentException if it has more bits, or is negative without being {@code signed}
     * @throws ArithmeticException if it is not an integer
     */
    public static long integer(String text, int bits, boolean signed) {
        BigDecimal number = decimal(text);
        require(Math.abs((long) number.precision() - number.scale()) < 100);
        BigInteger value = number.toBigIntegerExact();
        require(value.bitLength() <= bits && (signed || value.signum() >= 0));
        return value.longValue();
    }

    /**
     * {@return the number in a text}
     *
     * @throws IllegalArgumentException if there is none, or it is too long
     */
    public static BigDecimal decimal(String text) {
        require(text.length() <= LONGEST_NUMBER);
        return new BigDecimal(text);
    }

    /** {@return an unsigned integer of 64 bits} */
    public static Number unsigned(long bits) {
        return bits >= 0 ? (Number) bits : new BigInteger(Long.toUnsignedString(bits));
    }

    /**
     * {@return the text in an element of UTF-32 code points, without zeros at the end}
     *
     * @throws StoreException if the element has other integers
     */
    public static String text(DataType type, ByteBuffer element) throws StoreException {
        StringBuilder text = new StringBuilder();
        while (element.hasRemaining()) {
            int codePoint = element.getInt();
            if (!Character.isValidCodePoint(codePoint) || (codePoint >= 0xd800 && codePoint < 0xe000)) {
                throw new StoreException(
                        "the fill value of type " + type + " contains " + Integer.toUnsignedString(codePoint)
                                + ", which is not a code point, and cannot be stored as text");
            }
            text.appendCodePoint(codePoint);
        }
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == 0) {
            end--;
        }
        return text.substring(0, end);
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException("not a value of this type");
        }
    }
}
