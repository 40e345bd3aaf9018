package dev.rechunker.io.netcdf;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.geometry.Shape;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the types of attributes that come without a type. */
public final class UsualTypes {
    private static final long EXACT = 1L << 53;

    private UsualTypes() {}

    /**
     * {@return the type of a value, as h5py chooses it for most; empty if HDF5 has no type for the value}
     *
     * <p>HDF5 has no type for null, maps, empty or ragged lists, lists of several kinds of values, nested lists of
     * anything but numbers, integers of more than 64 bits, and texts with a zero character. The size of integers is
     * that of their class; in a list, it is that of the largest class. Integers among floats become floats if that is
     * exact. Lists of several axes become one element of an array type, as in JHDF5, because netCDF reads no file with
     * an attribute of several axes.
     */
    public static Optional<AttributeType> of(@Nullable Object value) {
        List<Long> shape = new ArrayList<>();
        Object first = value;
        while (first instanceof List<?> list && !list.isEmpty()) {
            shape.add((long) list.size());
            first = list.get(0);
        }
        List<Object> leaves = new ArrayList<>();
        if (!addLeaves(value, shape, 0, leaves) || (shape.size() > 1 && !(leaves.get(0) instanceof Number))) {
            return Optional.empty();
        }
        return element(leaves)
                .map(name ->
                        inShape(name, Shape.of(shape.stream().mapToLong(n -> n).toArray())));
    }

    /** {@return elements in a shape; of several axes, it is that of an array type} */
    private static AttributeType inShape(String element, Shape shape) {
        if (shape.rank() < 2) {
            return AttributeType.of(element, shape);
        }
        AttributeElement single = AttributeElement.parse(element).orElseThrow();
        return AttributeType.of(new AttributeElement.Array(single, shape).toString(), Shape.of());
    }

    /** Adds the leaves of a value; {@return whether the value has the given shape from a depth on} */
    private static boolean addLeaves(@Nullable Object value, List<Long> shape, int depth, List<Object> leaves) {
        if (depth == shape.size()) {
            return value != null && leaves.add(value);
        }
        return value instanceof List<?> list
                && list.size() == shape.get(depth)
                && list.stream().allMatch(item -> addLeaves(item, shape, depth + 1, leaves));
    }

    private static Optional<String> element(List<Object> leaves) {
        if (leaves.stream().allMatch(Boolean.class::isInstance)) {
            return Optional.of(DataType.BOOL.name());
        }
        if (leaves.stream().allMatch(leaf -> leaf instanceof String text && StoredText.isStorable(text))) {
            return Optional.of(AttributeType.STRING);
        }
        if (leaves.stream().allMatch(UsualTypes::isInteger)) {
            return integer(leaves).map(DataType::name);
        }
        if (leaves.stream().allMatch(Float.class::isInstance)) {
            return Optional.of(DataType.FLOAT32.name());
        }
        return leaves.stream().allMatch(leaf -> isFloat(leaf) || isExactAsFloat(leaf))
                ? Optional.of(DataType.FLOAT64.name())
                : Optional.empty();
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

    private static Optional<DataType> integer(List<Object> leaves) {
        Predicate<Predicate<BigInteger>> all =
                fits -> leaves.stream().allMatch(leaf -> fits.test(new BigInteger(leaf.toString())));
        if (!all.test(value -> value.bitLength() <= 63)) {
            return all.test(value -> value.signum() >= 0 && value.bitLength() <= 64)
                    ? Optional.of(DataType.UINT64)
                    : Optional.empty();
        }
        int size = leaves.stream().mapToInt(UsualTypes::width).max().orElse(Long.BYTES);
        return Optional.of(
                switch (size) {
                    case 1 -> DataType.INT8;
                    case 2 -> DataType.INT16;
                    case 4 -> DataType.INT32;
                    default -> DataType.INT64;
                });
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
