package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.element.Half;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A type of numbers in NumPy, with conversions to other types. If the C language defines a conversion, the result is
 * that of NumPy: integers wrap, and floats are truncated to integers.
 *
 * <p>Integers of all types are passed as {@code long} with the same bits, and floats as {@code double}.
 */
record NumberType(Kind kind, int size, ByteOrder order) {
    /** The kind of numbers. */
    enum Kind {
        BOOL,
        INT,
        UINT,
        FLOAT
    }

    private static final Pattern SHORT = Pattern.compile("([<>=|]?)([biuf])([1248])|([<>=|]?)\\?");
    private static final Pattern LONG = Pattern.compile("(u?int|float)(8|16|32|64)|bool");
    private static final double TWO_63 = 0x1p63;

    static final NumberType FLOAT64 = new NumberType(Kind.FLOAT, 8, ByteOrder.LITTLE_ENDIAN);

    /**
     * {@return the type with a name in NumPy, such as {@code <i2}, {@code |u1} or {@code float64}; little-endian by
     * default}
     *
     * @throws CodecException if there is no such type of numbers
     */
    static NumberType parse(String codec, String text) throws CodecException {
        Matcher brief = SHORT.matcher(text);
        Matcher name = LONG.matcher(text);
        Kind kind;
        int size = 1;
        if (brief.matches()) {
            String letter = brief.group(2);
            kind = letter == null ? Kind.BOOL : kind(letter.charAt(0));
            size = letter == null ? 1 : Integer.parseInt(brief.group(3));
        } else if (name.matches()) {
            kind = kind(text.charAt(0));
            size = name.group(2) == null ? 1 : Integer.parseInt(name.group(2)) / 8;
        } else {
            throw unsupported(codec, text);
        }
        if ((kind == Kind.FLOAT && size == 1) || (kind == Kind.BOOL && size > 1)) {
            throw unsupported(codec, text);
        }
        return new NumberType(kind, size, text.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return the type of numbers for a data type; empty if it is not a type of numbers} */
    static Optional<NumberType> of(DataType type, ByteOrder order) {
        return switch (type.kind()) {
            case BOOL -> Optional.of(new NumberType(Kind.BOOL, 1, order));
            case INT -> Optional.of(new NumberType(Kind.INT, type.itemSize(), order));
            case UINT -> Optional.of(new NumberType(Kind.UINT, type.itemSize(), order));
            case FLOAT -> Optional.of(new NumberType(Kind.FLOAT, type.itemSize(), order));
            default -> Optional.empty();
        };
    }

    private static CodecException unsupported(String codec, String text) {
        return new CodecException("codec \"" + codec + "\": type " + text
                + " is not supported; supported are booleans, integers, floats");
    }

    private static Kind kind(char letter) {
        return switch (letter) {
            case 'b' -> Kind.BOOL;
            case 'i' -> Kind.INT;
            case 'u' -> Kind.UINT;
            default -> Kind.FLOAT;
        };
    }

    boolean isFloat() {
        return kind == Kind.FLOAT;
    }

    /** {@return the data type of elements} */
    DataType dataType() {
        return switch (kind) {
            case BOOL -> DataType.BOOL;
            case INT -> select(DataType.INT8, DataType.INT16, DataType.INT32, DataType.INT64);
            case UINT -> select(DataType.UINT8, DataType.UINT16, DataType.UINT32, DataType.UINT64);
            case FLOAT -> select(DataType.FLOAT16, DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64);
        };
    }

    private DataType select(DataType one, DataType two, DataType four, DataType eight) {
        return switch (size) {
            case 1 -> one;
            case 2 -> two;
            case 4 -> four;
            default -> eight;
        };
    }

    /** {@return the integer at a position of a buffer, which has the byte order of this type} */
    long getLong(ByteBuffer buffer, int at) {
        return wrap(
                switch (size) {
                    case 1 -> buffer.get(at);
                    case 2 -> buffer.getShort(at);
                    case 4 -> buffer.getInt(at);
                    default -> buffer.getLong(at);
                });
    }

    /** {@return the float at a position of a buffer, which has the byte order of this type} */
    double getDouble(ByteBuffer buffer, int at) {
        return switch (size) {
            case 2 -> Half.toDouble(buffer.getShort(at));
            case 4 -> buffer.getFloat(at);
            default -> buffer.getDouble(at);
        };
    }

    /** Writes the low bytes of an integer. */
    void putLong(ByteBuffer buffer, int at, long value) {
        switch (size) {
            case 1 -> buffer.put(at, (byte) value);
            case 2 -> buffer.putShort(at, (short) value);
            case 4 -> buffer.putInt(at, (int) value);
            default -> buffer.putLong(at, value);
        }
    }

    /** Writes the float that is nearest to a value. */
    void putDouble(ByteBuffer buffer, int at, double value) {
        switch (size) {
            case 2 -> buffer.putShort(at, Half.ofDouble(value));
            case 4 -> buffer.putFloat(at, (float) value);
            default -> buffer.putDouble(at, value);
        }
    }

    /** {@return an integer converted to this type} */
    long wrap(long value) {
        int spare = 64 - 8 * size;
        return kind == Kind.INT ? value << spare >> spare : value << spare >>> spare;
    }

    /** {@return a float rounded to this type} */
    double round(double value) {
        return switch (size) {
            case 2 -> Half.toDouble(Half.ofDouble(value));
            case 4 -> (float) value;
            default -> value;
        };
    }

    /** {@return an integer of this type as a double, rounded once} */
    double toDouble(long value) {
        if (kind == Kind.UINT && value < 0) {
            // The value is halved; the lowest bit is kept for correct rounding.
            return (double) ((value >>> 1) | (value & 1)) * 2;
        }
        return (double) value;
    }

    /** {@return an integer of this type as a float, rounded once} */
    float toFloat(long value) {
        if (kind == Kind.UINT && value < 0) {
            return (float) ((value >>> 1) | (value & 1)) * 2;
        }
        return (float) value;
    }

    /** Converts the number at a position to another type at another position. */
    void convert(ByteBuffer from, int at, NumberType type, ByteBuffer to, int toAt) {
        if (isFloat()) {
            type.putFromDouble(to, toAt, getDouble(from, at));
        } else {
            type.putFromLong(to, toAt, this, getLong(from, at));
        }
    }

    /**
     * Writes a float as a number of this type. If this is an integer type and the float is out of its range, the result
     * is undefined, as in C.
     */
    void putFromDouble(ByteBuffer to, int at, double value) {
        switch (kind) {
            case FLOAT -> putDouble(to, at, value);
            case BOOL -> putLong(to, at, value != 0 ? 1 : 0);
            default -> putLong(to, at, truncate(value));
        }
    }

    /** Writes an integer of another type as a number of this type. */
    void putFromLong(ByteBuffer to, int at, NumberType type, long value) {
        switch (kind) {
            case FLOAT -> putDouble(to, at, size == 8 ? type.toDouble(value) : type.toFloat(value));
            case BOOL -> putLong(to, at, value != 0 ? 1 : 0);
            default -> putLong(to, at, value);
        }
    }

    private long truncate(double value) {
        if (size < 4 || (size == 4 && kind == Kind.INT)) {
            return value > Integer.MIN_VALUE - 1.0 && value < 0x1p31 ? (int) value : Integer.MIN_VALUE;
        }
        if (size == 8 && kind == Kind.UINT && value >= TWO_63) {
            return within(value - TWO_63) ^ Long.MIN_VALUE;
        }
        return within(value);
    }

    private static long within(double value) {
        return value >= -TWO_63 && value < TWO_63 ? (long) value : Long.MIN_VALUE;
    }

    /** {@return the type in which NumPy computes with numbers of two types} */
    static NumberType promote(NumberType a, NumberType b) {
        if (a.isFloat() || b.isFloat()) {
            return new NumberType(Kind.FLOAT, Math.max(a.floatSize(), b.floatSize()), a.order);
        }
        if (a.kind == b.kind) {
            return a.size >= b.size ? a : b;
        }
        NumberType signed = a.kind == Kind.INT ? a : b;
        NumberType other = a.kind == Kind.INT ? b : a;
        if (other.kind == Kind.BOOL || signed.size > other.size) {
            return signed;
        }
        return other.size == 8 ? FLOAT64 : new NumberType(Kind.INT, 2 * other.size, a.order);
    }

    /** {@return the size of the smallest float type for this type by the rules of NumPy, in bytes} */
    private int floatSize() {
        return isFloat() ? size : Math.min(8, 2 * size);
    }

    /** {@return the name in NumPy, such as {@code <i2}} */
    @Override
    public String toString() {
        String mark = size == 1 ? "|" : order == ByteOrder.BIG_ENDIAN ? ">" : "<";
        return switch (kind) {
            case BOOL -> mark + "b" + size;
            case INT -> mark + "i" + size;
            case UINT -> mark + "u" + size;
            case FLOAT -> mark + "f" + size;
        };
    }
}
