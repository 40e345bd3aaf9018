package dev.rechunker.array;

import dev.rechunker.element.TimeUnits;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The type of the elements of an array: its name, its size, and the size of the words that a change of byte order
 * reverses.
 *
 * <p>The engine moves elements and never interprets them. A type is the same in every format that has it.
 *
 * <p>Elements of variable length ({@link #isVariable()}) have one size, too: readers deliver each as its length in
 * bytes (a little-endian {@code int}), that many bytes, and zero bytes up to the length of the longest element. The
 * length of the longest element is known once all elements were looked at ({@link #isMeasured()}), which a plan does.
 * Until then, only the lengths of elements can be read.
 */
public final class DataType {
    /** What the bytes of an element represent. */
    public enum Kind {
        /** One byte, 0 or 1. */
        BOOL,
        /** Two's complement integer. */
        INT,
        /** Unsigned integer. */
        UINT,
        /** IEEE 754 binary float. */
        FLOAT,
        /** A pair of floats, real part first. */
        COMPLEX,
        /** A fixed number of bytes of text, padded with zero bytes. */
        BYTES,
        /** A fixed number of UTF-32 code points, padded with zeros. */
        UNICODE,
        /** A point in time: a 64-bit count of {@link #detail()} units since 1970. */
        DATETIME,
        /** A duration: a 64-bit count of {@link #detail()} units. */
        TIMEDELTA,
        /**
         * A record of fields or raw bytes, which only its format interprets. {@link #detail()} is the format's
         * description.
         */
        OPAQUE,
        /** Text of any length, in UTF-8. */
        TEXT,
        /** Any number of bytes. */
        BINARY,
        /** Any number of little-endian numbers of the type {@link #detail()}. */
        SEQUENCE
    }

    /** The size of the length in front of an element of variable length, in bytes. */
    public static final int LENGTH_SIZE = Integer.BYTES;

    /** The longest element of variable length, in bytes. */
    public static final int LONGEST = Integer.MAX_VALUE - LENGTH_SIZE;

    /** The largest size of an element in bytes. Damaged metadata could otherwise ask for any amount of memory. */
    public static final int LARGEST = 1 << 20;

    /** One byte, 0 or 1. */
    public static final DataType BOOL = new DataType(Kind.BOOL, 1, 1, "");

    /** 8-bit signed integer. */
    public static final DataType INT8 = new DataType(Kind.INT, 1, 1, "");

    /** 16-bit signed integer. */
    public static final DataType INT16 = new DataType(Kind.INT, 2, 2, "");

    /** 32-bit signed integer. */
    public static final DataType INT32 = new DataType(Kind.INT, 4, 4, "");

    /** 64-bit signed integer. */
    public static final DataType INT64 = new DataType(Kind.INT, 8, 8, "");

    /** 8-bit unsigned integer. */
    public static final DataType UINT8 = new DataType(Kind.UINT, 1, 1, "");

    /** 16-bit unsigned integer. */
    public static final DataType UINT16 = new DataType(Kind.UINT, 2, 2, "");

    /** 32-bit unsigned integer. */
    public static final DataType UINT32 = new DataType(Kind.UINT, 4, 4, "");

    /** 64-bit unsigned integer. */
    public static final DataType UINT64 = new DataType(Kind.UINT, 8, 8, "");

    /** IEEE 754 binary16. */
    public static final DataType FLOAT16 = new DataType(Kind.FLOAT, 2, 2, "");

    /** IEEE 754 binary32. */
    public static final DataType FLOAT32 = new DataType(Kind.FLOAT, 4, 4, "");

    /** IEEE 754 binary64. */
    public static final DataType FLOAT64 = new DataType(Kind.FLOAT, 8, 8, "");

    /** A pair of IEEE 754 binary32. */
    public static final DataType COMPLEX64 = new DataType(Kind.COMPLEX, 8, 4, "");

    /** A pair of IEEE 754 binary64. */
    public static final DataType COMPLEX128 = new DataType(Kind.COMPLEX, 16, 8, "");

    private static final Map<String, DataType> NUMBERS = Stream.of(
                    BOOL,
                    INT8,
                    INT16,
                    INT32,
                    INT64,
                    UINT8,
                    UINT16,
                    UINT32,
                    UINT64,
                    FLOAT16,
                    FLOAT32,
                    FLOAT64,
                    COMPLEX64,
                    COMPLEX128)
            .collect(Collectors.toUnmodifiableMap(DataType::name, type -> type));

    private final Kind kind;
    private final int itemSize;
    private final int wordSize;
    private final String detail;
    private final boolean isMeasured;
    /** The type of the items of elements of variable length. */
    private final @Nullable DataType items;

    /** Creates a type of elements of one size. */
    private DataType(Kind kind, int itemSize, int wordSize, String detail) {
        this(kind, requireSize(itemSize), wordSize, detail, true, null);
    }

    private DataType(
            Kind kind, int itemSize, int wordSize, String detail, boolean isMeasured, @Nullable DataType items) {
        this.kind = kind;
        this.itemSize = itemSize;
        this.wordSize = wordSize;
        this.detail = detail;
        this.isMeasured = isMeasured;
        this.items = items;
    }

    private static int requireSize(int itemSize) {
        if (itemSize <= 0 || itemSize > LARGEST) {
            throw new IllegalArgumentException(
                    "an element of " + itemSize + " bytes is not supported; elements have 1 to " + LARGEST + " bytes");
        }
        return itemSize;
    }

    /**
     * {@return the type of booleans, integers, floats or complex numbers with a {@linkplain #name() name}; empty if
     * there is none}
     */
    public static Optional<DataType> numbers(String name) {
        return Optional.ofNullable(NUMBERS.get(name));
    }

    /** {@return a type of variable length whose longest element is not known} */
    private static DataType variable(Kind kind, String detail, DataType items) {
        return new DataType(kind, LENGTH_SIZE, 1, detail, false, items);
    }

    /** {@return the type of text of a fixed number of bytes, padded with zero bytes} */
    public static DataType bytes(int length) {
        return new DataType(Kind.BYTES, length, 1, "");
    }

    /** {@return the type of text of a fixed number of UTF-32 code points, padded with zeros} */
    public static DataType unicode(int codePoints) {
        return new DataType(Kind.UNICODE, Math.multiplyExact(4, codePoints), 4, "");
    }

    /**
     * {@return the type of points in time, counted since 1970}
     *
     * @param unit the unit that is counted, as NumPy writes it: {@code "ns"}, {@code "25s"}, {@code "D"}; or empty for
     *     counts without a unit
     * @throws IllegalArgumentException if there is no such unit
     */
    public static DataType datetime64(String unit) {
        return new DataType(Kind.DATETIME, 8, 8, requireUnit(unit));
    }

    /**
     * {@return the type of durations}
     *
     * @param unit the unit that is counted, as in {@link #datetime64}
     * @throws IllegalArgumentException if there is no such unit
     */
    public static DataType timedelta64(String unit) {
        return new DataType(Kind.TIMEDELTA, 8, 8, requireUnit(unit));
    }

    private static String requireUnit(String unit) {
        return TimeUnits.of(unit.isEmpty() ? "generic" : unit)
                .orElseThrow(() -> new IllegalArgumentException("\"" + unit
                        + "\" is not a unit of time; write ns, 25s, D, or nothing for counts without a unit"));
    }

    /**
     * {@return the type of elements that only their format interprets}
     *
     * @param itemSize the size of an element in bytes
     * @param description the format's own description of the type, kept unchanged; empty for raw bytes
     */
    public static DataType opaque(int itemSize, String description) {
        return new DataType(Kind.OPAQUE, itemSize, 1, description);
    }

    /**
     * {@return the type of elements that only their format interprets, and that consist of words with a byte order}
     *
     * @param itemSize the size of an element in bytes
     * @param wordSize the size of a word in bytes: 1, 2, 4 or 8, of which {@code itemSize} is a multiple
     * @param description the format's own description of the type, kept unchanged; in quotation marks if it is a name
     */
    public static DataType opaque(int itemSize, int wordSize, String description) {
        if (Integer.bitCount(wordSize) != 1 || wordSize < 1 || wordSize > Long.BYTES || itemSize % wordSize != 0) {
            throw new IllegalArgumentException(
                    "an element of " + itemSize + " bytes does not consist of words of " + wordSize + " bytes");
        }
        return new DataType(Kind.OPAQUE, itemSize, wordSize, description);
    }

    /**
     * {@return the type of records with texts of any length, whose size is not known before the longest text is; the
     * elements that can be read until then are lengths}
     *
     * @param description the format's own description of the type
     */
    public static DataType unmeasured(String description) {
        return new DataType(Kind.OPAQUE, LENGTH_SIZE, 1, description, false, null);
    }

    /** {@return the type of text of any length; the longest is not known} */
    public static DataType text() {
        return variable(Kind.TEXT, "", UINT8);
    }

    /** {@return the type of any number of bytes; the longest element is not known} */
    public static DataType binary() {
        return variable(Kind.BINARY, "", UINT8);
    }

    /**
     * {@return the type of sequences of any number of numbers; the longest is not known}
     *
     * @throws IllegalArgumentException if {@code number} is neither an integer, a float, a complex number nor a boolean
     */
    public static DataType sequence(DataType number) {
        return switch (number.kind) {
            case BOOL, INT, UINT, FLOAT, COMPLEX -> variable(Kind.SEQUENCE, number.name(), number);
            default -> throw new IllegalArgumentException("sequences of " + number + " are not supported");
        };
    }

    /**
     * {@return the same type of variable length, with elements of at most {@code longest} bytes}
     *
     * @throws IllegalArgumentException if elements have one size, or {@code longest} is not from 0 to {@link #LONGEST}
     */
    public DataType upTo(long longest) {
        if (!isVariable() || longest < 0 || longest > LONGEST) {
            throw new IllegalArgumentException(name() + " with elements of at most " + longest + " bytes");
        }
        return new DataType(kind, LENGTH_SIZE + (int) longest, 1, detail, true, items);
    }

    /** {@return whether elements have different lengths} */
    public boolean isVariable() {
        return items != null;
    }

    /**
     * {@return the type of what elements of variable length consist of: the numbers of sequences; bytes of others}
     *
     * @throws IllegalStateException if elements have one size
     */
    public DataType items() {
        if (items == null) {
            throw new IllegalStateException(name() + " has elements of one size");
        }
        return items;
    }

    /** {@return whether the size of elements is known: it is not if there are texts or sequences of any length} */
    public boolean isMeasured() {
        return isMeasured;
    }

    /** {@return the length of the longest element of variable length, in bytes, without the length itself} */
    public int longest() {
        return itemSize - LENGTH_SIZE;
    }

    /** {@return whether two types are the same apart from the length of the longest element} */
    public boolean isAlike(DataType other) {
        return isVariable() ? kind == other.kind && detail.equals(other.detail) : equals(other);
    }

    /** {@return what the bytes of an element represent} */
    public Kind kind() {
        return kind;
    }

    /** {@return the size of an element in bytes} */
    public int itemSize() {
        return itemSize;
    }

    /** {@return the size in bytes of the words that a change of byte order reverses; 1 if byte order does not apply} */
    public int wordSize() {
        return wordSize;
    }

    /**
     * {@return the unit of a point in time or duration, the description of an opaque type, the name of the numbers of a
     * sequence, or else an empty text}
     */
    public String detail() {
        return detail;
    }

    /** {@return the name, such as {@code uint16}, {@code complex64}, {@code bytes12} or {@code datetime64[ns]}} */
    public String name() {
        return switch (kind) {
            case BOOL -> "bool";
            case INT -> "int" + 8 * itemSize;
            case UINT -> "uint" + 8 * itemSize;
            case FLOAT -> "float" + 8 * itemSize;
            case COMPLEX -> "complex" + 8 * itemSize;
            case BYTES -> "bytes" + itemSize;
            case UNICODE -> "unicode" + itemSize / 4;
            case DATETIME -> detail.isEmpty() ? "datetime64" : "datetime64[" + detail + "]";
            case TIMEDELTA -> detail.isEmpty() ? "timedelta64" : "timedelta64[" + detail + "]";
            case OPAQUE -> opaqueName();
            case TEXT -> "string";
            case BINARY -> "binary";
            case SEQUENCE -> "sequence<" + detail + ">";
        };
    }

    private String opaqueName() {
        if (detail.isEmpty()) {
            return "raw" + itemSize;
        }
        boolean named = detail.length() > 2 && detail.startsWith("\"") && detail.endsWith("\"");
        return named ? detail.substring(1, detail.length() - 1) : isMeasured ? "record" + itemSize : "record";
    }

    /**
     * {@return the value of an element: a number, a boolean or a text}
     *
     * <p>Numbers that JSON does not have, such as {@code NaN}, are texts, and so are unsigned integers of 64 bits and
     * complex numbers. An opaque element, bytes and a sequence are their bytes in hexadecimal, as in {@code 0x00ff}.
     *
     * @param order the byte order of {@code element}
     * @throws IllegalArgumentException if {@code element} does not have {@link #itemSize()} bytes
     */
    public Object value(ByteOrder order, byte[] element) {
        if ((isVariable() || !isMeasured) ? element.length < LENGTH_SIZE : element.length != itemSize) {
            throw new IllegalArgumentException(
                    "an element of type " + name() + " has " + itemSize + " bytes, not " + element.length);
        }
        return ElementValue.of(this, order, element);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof DataType other
                && kind == other.kind
                && itemSize == other.itemSize
                && isMeasured == other.isMeasured
                && detail.equals(other.detail);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind, itemSize, detail);
    }

    /** {@return the name; for elements of variable length with the length of the longest, if that is known} */
    @Override
    public String toString() {
        return isVariable() && isMeasured ? name() + " of up to " + longest() + " bytes" : name();
    }
}
