package dev.rechunker.io.netcdf;

import dev.rechunker.array.AttributeType;
import dev.rechunker.array.DataType;
import dev.rechunker.element.Half;
import dev.rechunker.io.netcdf.AttributeElement.Array;
import dev.rechunker.io.netcdf.AttributeElement.Enumeration;
import dev.rechunker.io.netcdf.AttributeElement.Numbers;
import dev.rechunker.io.netcdf.AttributeElement.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Takes plain data apart into the elements of an attribute: numbers, booleans and texts. */
public final class PlainLeaves {
    private PlainLeaves() {}

    /**
     * {@return the elements of a value in C order; empty if the type cannot hold the value}
     *
     * <p>The lists of a value are nested as the extents say, first those of the dataspace, then those of an array type.
     * A single element may be in no list, or in any number of lists. No element at all is null, an empty text or an
     * empty list.
     */
    public static Optional<List<Object>> of(@Nullable Object value, AttributeType type) {
        Optional<AttributeElement> element =
                AttributeElement.parse(type.element()).map(AttributeElement::unnamed);
        if (element.isEmpty()) {
            return Optional.empty();
        }
        if (type.shape().isEmpty()) {
            boolean isNothing = value == null || value.equals("") || value.equals(List.of());
            return isNothing ? Optional.of(List.of()) : Optional.empty();
        }
        LongStream extents = LongStream.of(type.shape().get().toArray());
        AttributeElement single = element.get();
        if (single instanceof Array array) {
            extents = LongStream.concat(extents, LongStream.of(array.extents().toArray()));
            single = array.of();
        }
        List<Object> leaves = new ArrayList<>();
        return add(value, extents.toArray(), single, leaves) ? Optional.of(leaves) : Optional.empty();
    }

    private static boolean add(@Nullable Object value, long[] extents, AttributeElement element, List<Object> leaves) {
        Object inner = value;
        if (LongStream.of(extents).allMatch(extent -> extent == 1)) {
            while (inner instanceof List<?> list && list.size() == 1) {
                inner = list.get(0);
            }
            return addLeaf(inner, element, leaves);
        }
        return add(value, extents, 0, element, leaves);
    }

    private static boolean add(
            @Nullable Object value, long[] extents, int depth, AttributeElement element, List<Object> leaves) {
        if (depth == extents.length) {
            return addLeaf(value, element, leaves);
        }
        return value instanceof List<?> list
                && list.size() == extents[depth]
                && list.stream().allMatch(item -> add(item, extents, depth + 1, element, leaves));
    }

    private static boolean addLeaf(@Nullable Object leaf, AttributeElement element, List<Object> leaves) {
        return leaf != null && canHold(element, leaf) && leaves.add(leaf);
    }

    private static boolean canHold(AttributeElement element, Object leaf) {
        if (element instanceof Text || element instanceof AttributeElement.Reference) {
            return leaf instanceof String text && StoredText.isStorable(text);
        }
        DataType type = element instanceof Enumeration names ? names.base() : ((Numbers) element).type();
        return switch (type.kind()) {
            case BOOL -> leaf instanceof Boolean;
            case FLOAT -> isFloat(leaf, type.itemSize());
            default -> isInteger(leaf, type);
        };
    }

    private static boolean isInteger(Object leaf, DataType type) {
        if (!(leaf instanceof Number)) {
            return false;
        }
        try {
            BigInteger value = new BigDecimal(leaf.toString()).toBigIntegerExact();
            int bits = 8 * type.itemSize();
            return type.kind() == DataType.Kind.INT
                    ? value.bitLength() < bits
                    : value.signum() >= 0 && value.bitLength() <= bits;
        } catch (NumberFormatException | ArithmeticException e) {
            return false;
        }
    }

    /** {@return whether a number can be stored in a float, and be read as the same number to the digits it has} */
    private static boolean isFloat(Object leaf, int size) {
        OptionalDouble number = floating(leaf);
        if (number.isEmpty()) {
            return false;
        }
        double value = number.getAsDouble();
        double stored = switch (size) {
            case 2 -> Half.toDouble(Half.ofDouble(value));
            case 4 -> (float) value;
            default -> value;
        };
        return !Double.isFinite(value)
                || (Double.isFinite(stored) && isRoundedTo(stored, new BigDecimal(leaf.toString())));
    }

    /** {@return whether a number has the digits of another one when it is rounded to as many} */
    public static boolean isRoundedTo(double stored, BigDecimal given) {
        BigDecimal exact = new BigDecimal(stored);
        int digits = given.stripTrailingZeros().precision();
        return exact.compareTo(given) == 0
                || exact.round(new MathContext(digits)).compareTo(given) == 0;
    }

    /** {@return the float nearest to a number; JSON has texts for those that are not finite} */
    public static OptionalDouble floating(Object leaf) {
        if (leaf instanceof Number number) {
            return OptionalDouble.of(number.doubleValue());
        }
        return switch (String.valueOf(leaf)) {
            case "NaN" -> OptionalDouble.of(Double.NaN);
            case "Infinity" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
            case "-Infinity" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
            default -> OptionalDouble.empty();
        };
    }
}
