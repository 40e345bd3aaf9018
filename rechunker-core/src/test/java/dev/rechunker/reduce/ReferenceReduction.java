package dev.rechunker.reduce;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.array.DataType;
import dev.rechunker.element.Half;
import dev.rechunker.geometry.Region;
import dev.rechunker.geometry.Shape;
import dev.rechunker.order.Odometer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reduces boxes one by one, with numbers of any precision: what is expected of {@link Reducer}. */
public final class ReferenceReduction {
    private final ArraySpec spec;
    private final Method method;
    private final int[] factors;
    private final int size;

    /** Creates it. */
    public ReferenceReduction(ArraySpec spec, Method method, int[] factors) {
        this.spec = spec;
        this.method = method;
        this.factors = factors;
        this.size = spec.dataType().itemSize();
    }

    /** {@return the shape of the result} */
    public Shape shape() {
        long[] extents = spec.shape().toArray();
        for (int axis = 0; axis < extents.length; axis++) {
            extents[axis] = (long) Math.ceil((double) extents[axis] / factors[axis]);
        }
        return Shape.of(extents);
    }

    /** {@return the elements of the result, dense in C order} */
    public byte[] of(byte[] elements) {
        Shape shape = shape();
        byte[] reduced = new byte[(int) shape.elements() * size];
        Odometer box = new Odometer(Region.whole(shape));
        for (int i = 0; box.next(); i++) {
            byte[] one = reduce(box.index(), elements);
            System.arraycopy(one, 0, reduced, i * size, size);
        }
        return reduced;
    }

    private byte[] reduce(long[] box, byte[] elements) {
        long[] origin = new long[box.length];
        long[] extents = new long[box.length];
        long[] nearest = new long[box.length];
        for (int axis = 0; axis < box.length; axis++) {
            origin[axis] = box[axis] * factors[axis];
            extents[axis] = Math.min(factors[axis], spec.shape().extent(axis) - origin[axis]);
            nearest[axis] = Math.min(
                    origin[axis] + (factors[axis] - 1) / 2, spec.shape().extent(axis) - 1);
        }
        Region whole = Region.whole(spec.shape());
        if (method == Method.NEAREST) {
            return element(elements, whole.ordinal(nearest));
        }
        List<byte[]> inside = new ArrayList<>();
        Odometer in = new Odometer(Region.of(origin, Shape.of(extents)));
        while (in.next()) {
            inside.add(element(elements, whole.ordinal(in.index())));
        }
        if (spec.dataType().kind() == DataType.Kind.COMPLEX && method == Method.MEAN) {
            byte[] mean = new byte[size];
            for (int part = 0; part < 2; part++) {
                int from = part * size / 2;
                DataType type = size == 8 ? DataType.FLOAT32 : DataType.FLOAT64;
                List<byte[]> parts = inside.stream()
                        .map(one -> Arrays.copyOfRange(one, from, from + size / 2))
                        .toList();
                System.arraycopy(numbers(parts, type, null), 0, mean, from, size / 2);
            }
            return mean;
        }
        byte[] missing = spec.missingValue().bytes().orElse(null);
        return switch (spec.dataType().kind()) {
            case BOOL, INT, UINT, FLOAT, DATETIME, TIMEDELTA -> numbers(inside, spec.dataType(), missing);
            default -> {
                inside.removeIf(one -> missing != null && Arrays.equals(one, missing));
                inside.sort(Arrays::compareUnsigned);
                yield inside.isEmpty()
                        ? Objects.requireNonNull(missing)
                        : Collections.max(
                                inside,
                                Comparator.<byte[]>comparingInt(one -> frequency(inside, one))
                                        .thenComparing(Comparator.comparingInt(inside::indexOf)
                                                .reversed()));
            }
        };
    }

    private static int frequency(List<byte[]> all, byte[] one) {
        return (int) all.stream().filter(other -> Arrays.equals(one, other)).count();
    }

    private byte[] element(byte[] elements, long ordinal) {
        int from = (int) ordinal * size;
        return Arrays.copyOfRange(elements, from, from + size);
    }

    private byte[] numbers(List<byte[]> inside, DataType type, byte @Nullable [] missing) {
        boolean isFloat = type.kind() == DataType.Kind.FLOAT;
        boolean isTime = type.kind() == DataType.Kind.DATETIME || type.kind() == DataType.Kind.TIMEDELTA;
        List<Double> doubles = new ArrayList<>();
        List<BigInteger> integers = new ArrayList<>();
        BigInteger none = isTime ? BigInteger.valueOf(Long.MIN_VALUE) : null;
        if (missing != null && !isFloat) {
            none = integer(missing, type);
        }
        for (byte[] one : inside) {
            if (isFloat) {
                double number = decode(one, type);
                if (!Double.isNaN(number) && !(missing != null && decode(missing, type) == number)) {
                    doubles.add(number + 0.0);
                }
            } else if (!integer(one, type).equals(none)) {
                integers.add(integer(one, type));
            }
        }
        if (isFloat) {
            return doubles.isEmpty()
                    ? missing != null ? missing : encode(Double.NaN, type)
                    : encode(reduceDoubles(doubles), type);
        }
        return bytes(integers.isEmpty() ? Objects.requireNonNull(none) : reduceIntegers(integers), type);
    }

    private double reduceDoubles(List<Double> numbers) {
        List<Double> sorted = numbers.stream().sorted().toList();
        return switch (method) {
            case MEAN -> numbers.stream().reduce(0.0, Double::sum) / numbers.size();
            case MIN -> sorted.get(0);
            case MAX -> sorted.get(sorted.size() - 1);
            case MEDIAN -> middle(sorted.get((sorted.size() - 1) / 2), sorted.get(sorted.size() / 2));
            default -> mostFrequent(sorted);
        };
    }

    private static double middle(double low, double high) {
        return Double.isInfinite(low) || Double.isInfinite(high)
                ? low + high
                : new BigDecimal(low)
                        .add(new BigDecimal(high))
                        .divide(BigDecimal.valueOf(2))
                        .doubleValue();
    }

    private BigInteger reduceIntegers(List<BigInteger> numbers) {
        List<BigInteger> sorted = numbers.stream().sorted().toList();
        return switch (method) {
            case MEAN -> mean(numbers);
            case MIN -> sorted.get(0);
            case MAX -> sorted.get(sorted.size() - 1);
            case MEDIAN -> mean(List.of(sorted.get((sorted.size() - 1) / 2), sorted.get(sorted.size() / 2)));
            default -> mostFrequent(sorted);
        };
    }

    private static BigInteger mean(List<BigInteger> numbers) {
        BigDecimal sum = new BigDecimal(numbers.stream().reduce(BigInteger.ZERO, BigInteger::add));
        // Enough digits that no mean of so few numbers seems to be half way between two integers if it is not.
        BigDecimal mean = sum.divide(BigDecimal.valueOf(numbers.size()), new MathContext(60));
        return mean.setScale(0, RoundingMode.HALF_EVEN).toBigIntegerExact();
    }

    private static <T extends Comparable<T>> T mostFrequent(List<T> sorted) {
        T found = sorted.get(0);
        for (T one : sorted) {
            if (Collections.frequency(sorted, one) > Collections.frequency(sorted, found)) {
                found = one;
            }
        }
        return found;
    }

    private BigInteger integer(byte[] element, DataType type) {
        byte[] bigEndian = element.clone();
        if (spec.byteOrder() == ByteOrder.LITTLE_ENDIAN) {
            reverse(bigEndian);
        }
        boolean signed = type.kind() != DataType.Kind.UINT && type.kind() != DataType.Kind.BOOL;
        return signed ? new BigInteger(bigEndian) : new BigInteger(1, bigEndian);
    }

    private byte[] bytes(BigInteger number, DataType type) {
        byte[] all = new byte[type.itemSize()];
        for (int i = 0; i < all.length; i++) {
            all[i] = number.shiftRight(8 * i).byteValue();
        }
        if (spec.byteOrder() == ByteOrder.BIG_ENDIAN) {
            reverse(all);
        }
        return all;
    }

    private static void reverse(byte[] bytes) {
        for (int i = 0; i < bytes.length / 2; i++) {
            byte swap = bytes[i];
            bytes[i] = bytes[bytes.length - 1 - i];
            bytes[bytes.length - 1 - i] = swap;
        }
    }

    private double decode(byte[] element, DataType type) {
        ByteBuffer buffer = ByteBuffer.wrap(element).order(spec.byteOrder());
        return switch (type.itemSize()) {
            case 2 -> Half.toDouble(buffer.getShort());
            case 4 -> buffer.getFloat();
            default -> buffer.getDouble();
        };
    }

    private byte[] encode(double number, DataType type) {
        ByteBuffer buffer = ByteBuffer.allocate(type.itemSize()).order(spec.byteOrder());
        switch (type.itemSize()) {
            case 2 -> buffer.putShort(Half.ofDouble(number));
            case 4 -> buffer.putFloat((float) number);
            default -> buffer.putDouble(number);
        }
        return buffer.array();
    }
}
