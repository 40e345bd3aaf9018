package dev.rechunker.io.hdf5.write;

import dev.rechunker.array.DataType;
import dev.rechunker.io.hdf5.format.StoredText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The value of an attribute in HDF5: one element, or an array of elements of one type.
 *
 * @param type the datatype message
 * @param shape the extents of the dataspace; empty for one element
 * @param data the elements
 */
record AttributeValue(MessageBytes type, List<Long> shape, MessageBytes data) {
    private static final ByteOrder LITTLE = ByteOrder.LITTLE_ENDIAN;
    private static final long EXACT = 1L << 53;

    /**
     * {@return a value for HDF5; empty if HDF5 has no type for it}
     *
     * <p>HDF5 has no type for null, maps, empty or ragged lists, lists of several kinds of values, nested lists of
     * anything but numbers, integers of more than 64 bits, and texts with a zero character. The size of integers is
     * that of their class; in a list, it is that of the largest class. Integers among floats become floats if that is
     * exact.
     */
    static Optional<AttributeValue> of(@Nullable Object value, TextSink texts) throws IOException {
        List<Long> shape = new ArrayList<>();
        Object first = value;
        while (first instanceof List<?> list && !list.isEmpty()) {
            shape.add((long) list.size());
            first = list.get(0);
        }
        List<Object> leaves = new ArrayList<>();
        if (!addLeaves(value, shape, 0, leaves)) {
            return Optional.empty();
        }
        if (shape.size() > 1 && !(leaves.get(0) instanceof Number)) {
            return Optional.empty();
        }
        return elements(leaves, texts).map(of -> of.inShape(shape, leaves.size()));
    }

    /**
     * Sets the shape; {@return the value} An array of several axes becomes one element of an array type, as in JHDF5,
     * because netCDF reads no file with an attribute of several axes.
     */
    private AttributeValue inShape(List<Long> shape, int elements) {
        if (shape.size() < 2) {
            return new AttributeValue(type, shape, data);
        }
        return new AttributeValue(DatatypeMessage.array(shape, type, data.size() / elements), List.of(), data);
    }

    /**
     * {@return a number as one element of a type; empty if the type cannot represent it, or is not a type of numbers}
     */
    static Optional<AttributeValue> ofElement(Number number, DataType type) {
        int size = type.itemSize();
        boolean signed = type.kind() == DataType.Kind.INT;
        if (type.kind() == DataType.Kind.FLOAT && size == Float.BYTES) {
            return floats(List.of(number.floatValue()));
        }
        if (type.kind() == DataType.Kind.FLOAT && size == Double.BYTES) {
            return floats(List.of(number.doubleValue()));
        }
        if (!signed && type.kind() != DataType.Kind.UINT) {
            return Optional.empty();
        }
        BigInteger value;
        try {
            value = new BigDecimal(number.toString()).toBigIntegerExact();
        } catch (NumberFormatException | ArithmeticException e) {
            return Optional.empty();
        }
        if (value.bitLength() > (signed ? 8 * size - 1 : 8 * size) || (!signed && value.signum() < 0)) {
            return Optional.empty();
        }
        MessageBytes data = new MessageBytes();
        put(data, value.longValue(), size);
        return one(DatatypeMessage.integer(size, signed, LITTLE), data);
    }

    /**
     * {@return the number that {@link #ofElement} stores; {@code number} itself if that is the same}
     *
     * <p>A decimal number is the same as the float that is written with these digits: 0.1 is the same in binary32.
     */
    static Number asElement(Number number, DataType type) {
        if (ofElement(number, type).isEmpty()) {
            return number;
        }
        if (type.kind() == DataType.Kind.FLOAT) {
            boolean isSingle = type.itemSize() == Float.BYTES;
            double stored = isSingle ? number.floatValue() : number.doubleValue();
            return isWrittenAs(stored, number) ? number : (Number) stored;
        }
        return Double.compare(number.doubleValue(), -0.0) == 0 ? (Number) 0L : number;
    }

    /** {@return whether a float is a number when it is rounded to the digits of that number} */
    private static boolean isWrittenAs(double stored, Number number) {
        if (!Double.isFinite(stored) || (isFloat(number) && stored == number.doubleValue())) {
            return Double.compare(stored, number.doubleValue()) == 0;
        }
        BigDecimal given = new BigDecimal(number.toString());
        int digits = given.stripTrailingZeros().precision();
        return new BigDecimal(stored).round(new MathContext(digits)).compareTo(given) == 0;
    }

    /** {@return a one-dimensional array of texts, some of which may be null} */
    static AttributeValue ofTexts(List<? extends @Nullable String> texts, TextSink stored) throws IOException {
        MessageBytes data = new MessageBytes();
        for (String text : texts) {
            data.put(text == null ? TextSink.none() : stored.put(text.getBytes(StandardCharsets.UTF_8)));
        }
        return new AttributeValue(DatatypeMessage.text(), List.of((long) texts.size()), data);
    }

    /** {@return a zero-terminated text of fixed length, which the HDF5 library requires for dimension scales} */
    static AttributeValue ofFixedText(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        MessageBytes data = new MessageBytes().put(utf8).u8(0);
        return new AttributeValue(DatatypeMessage.fixedText(data.size(), utf8.length > text.length()), List.of(), data);
    }

    /** Adds the leaves of a value; {@return whether the value has the given shape from a depth on} */
    private static boolean addLeaves(@Nullable Object value, List<Long> shape, int depth, List<Object> leaves) {
        if (depth == shape.size()) {
            if (value == null) {
                return false;
            }
            return leaves.add(value);
        }
        if (!(value instanceof List<?> list) || list.size() != shape.get(depth)) {
            return false;
        }
        for (Object item : list) {
            if (!addLeaves(item, shape, depth + 1, leaves)) {
                return false;
            }
        }
        return true;
    }

    private static Optional<AttributeValue> elements(List<Object> leaves, TextSink texts) throws IOException {
        if (leaves.stream().allMatch(Boolean.class::isInstance)) {
            MessageBytes data = new MessageBytes();
            leaves.forEach(leaf -> data.u8((Boolean) leaf ? 1 : 0));
            return one(DatatypeMessage.bool(), data);
        }
        if (leaves.stream().allMatch(leaf -> leaf instanceof String text && StoredText.isStorable(text))) {
            MessageBytes data = new MessageBytes();
            for (Object leaf : leaves) {
                data.put(texts.put(((String) leaf).getBytes(StandardCharsets.UTF_8)));
            }
            return one(DatatypeMessage.text(), data);
        }
        if (leaves.stream().allMatch(AttributeValue::isInteger)) {
            return integers(leaves);
        }
        if (leaves.stream().allMatch(leaf -> isFloat(leaf) || isExactAsFloat(leaf))) {
            return floats(leaves);
        }
        return Optional.empty();
    }

    private static Optional<AttributeValue> one(MessageBytes type, MessageBytes data) {
        return Optional.of(new AttributeValue(type, List.of(), data));
    }

    private static boolean isInteger(Object leaf) {
        return leaf instanceof Byte
                || leaf instanceof Short
                || leaf instanceof Integer
                || leaf instanceof Long
                || leaf instanceof BigInteger;
    }

    private static boolean isFloat(Object leaf) {
        return leaf instanceof Float || leaf instanceof Double;
    }

    private static boolean isExactAsFloat(Object leaf) {
        if (!isInteger(leaf) || leaf instanceof BigInteger) {
            return false;
        }
        long value = ((Number) leaf).longValue();
        return -EXACT <= value && value <= EXACT;
    }

    private static Optional<AttributeValue> floats(List<Object> leaves) {
        MessageBytes data = new MessageBytes();
        if (leaves.stream().allMatch(Float.class::isInstance)) {
            leaves.forEach(leaf -> data.u32(Float.floatToRawIntBits((Float) leaf)));
            return one(DatatypeMessage.floating(Float.BYTES, LITTLE), data);
        }
        leaves.forEach(leaf -> data.u64(Double.doubleToRawLongBits(((Number) leaf).doubleValue())));
        return one(DatatypeMessage.floating(Double.BYTES, LITTLE), data);
    }

    private static Optional<AttributeValue> integers(List<Object> leaves) {
        Predicate<Predicate<BigInteger>> all =
                fits -> leaves.stream().allMatch(leaf -> fits.test(new BigInteger(leaf.toString())));
        boolean signed = all.test(value -> value.bitLength() <= 63);
        if (!signed && !all.test(value -> value.signum() >= 0 && value.bitLength() <= 64)) {
            return Optional.empty();
        }
        int size = leaves.stream().mapToInt(AttributeValue::width).max().orElse(Long.BYTES);
        MessageBytes data = new MessageBytes();
        for (Object leaf : leaves) {
            put(data, ((Number) leaf).longValue(), size);
        }
        return one(DatatypeMessage.integer(size, signed, LITTLE), data);
    }

    private static void put(MessageBytes data, long value, int size) {
        switch (size) {
            case 1 -> data.u8((int) value);
            case 2 -> data.u16((int) value);
            case 4 -> data.u32(value);
            default -> data.u64(value);
        }
    }

    private static int width(Object leaf) {
        if (leaf instanceof Byte) {
            return Byte.BYTES;
        }
        if (leaf instanceof Short) {
            return Short.BYTES;
        }
        return leaf instanceof Integer ? Integer.BYTES : Long.BYTES;
    }
}
