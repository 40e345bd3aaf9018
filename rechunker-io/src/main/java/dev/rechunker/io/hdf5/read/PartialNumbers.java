package dev.rechunker.io.hdf5.read;

import dev.rechunker.array.DataType;
import dev.rechunker.element.Half;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Numbers that use only some of the bits of their bytes, or floats with other fields than those of IEEE 754. They
 * become integers of all bits, and the smallest floats that have all their values, as libraries read them.
 *
 * @param type the type that they become
 * @param order the byte order of what is stored
 * @param stored the type of what is stored
 * @param number finds the number in a word: an integer, or the bits of a {@code double}
 * @param name the name of the stored type, for messages
 */
record PartialNumbers(DataType type, ByteOrder order, ElementType stored, Decoding number, String name)
        implements StoredElements {
    /** Finds the number in a word. */
    @FunctionalInterface
    interface Decoding {
        long in(long word);
    }

    /** {@return partial numbers; empty if a type is none} */
    static Optional<PartialNumbers> of(ByteBuffer message) throws IOException {
        long size = ElementType.sizeOf(message);
        boolean isWord = size <= Long.BYTES && Long.bitCount(size) == 1;
        ByteBuffer type = message.slice().order(ByteOrder.LITTLE_ENDIAN);
        return switch (ElementType.classOf(message)) {
            case ElementType.FIXED ->
                Optional.of(new FixedPoint(type)).filter(any -> isWord).flatMap(PartialNumbers::integer);
            case ElementType.FLOAT ->
                Optional.of(new FloatingPoint(type)).filter(any -> isWord).flatMap(PartialNumbers::floating);
            default -> Optional.empty();
        };
    }

    private static PartialNumbers of(DataType type, ByteOrder order, int size, Decoding number, String name) {
        ElementType stored = new ElementType(DataType.opaque(size, ""), ByteOrder.LITTLE_ENDIAN, Map.of());
        return new PartialNumbers(type, order, stored, number, name);
    }

    private static Optional<PartialNumbers> integer(FixedPoint type) {
        int size = type.getSize();
        int offset = type.getBitOffset();
        int bits = type.getBitPrecision();
        if (bits < 1 || bits >= 8 * size || offset + bits > 8 * size) {
            return Optional.empty();
        }
        int above = Long.SIZE - bits;
        Decoding number =
                type.isSigned() ? word -> word >> offset << above >> above : word -> word >>> offset << above >>> above;
        DataType whole = ElementType.integer(size, type.isSigned());
        return Optional.of(
                of(whole, type.getByteOrder(), size, number, "integers of " + bits + " bits in " + size + " bytes"));
    }

    private static Optional<PartialNumbers> floating(FloatingPoint type) {
        int exponent = type.getExponentSize();
        int mantissa = type.getMantissaSize();
        int bits = 8 * type.getSize();
        int impliedOne = 2;
        boolean isSupported = type.getMantissaNormalization() == impliedOne
                && exponent >= 2
                && exponent <= 11
                && mantissa >= 1
                && mantissa <= 52
                && type.getSignLocation() < bits
                && type.getExponentLocation() + exponent <= bits
                && type.getMantissaLocation() + mantissa <= bits;
        if (!isSupported || ElementType.ieee(type).isPresent()) {
            return Optional.empty();
        }
        Fields fields = new Fields(
                type.getSignLocation(),
                type.getExponentLocation(),
                exponent,
                type.getExponentBias(),
                type.getMantissaLocation(),
                mantissa);
        return fields.type()
                .map(whole -> of(
                        whole,
                        type.getByteOrder(),
                        type.getSize(),
                        fields::bits,
                        "floats of " + (1 + exponent + mantissa) + " bits with an exponent of " + exponent + " bits"));
    }

    /** The positions of the fields of a float, and their sizes in bits. */
    private record Fields(int sign, int exponentAt, int exponentSize, int bias, int mantissaAt, int mantissaSize) {
        /** {@return the smallest type that has all values; empty if there is none} */
        Optional<DataType> type() {
            int largest = (1 << exponentSize) - 2 - bias;
            int smallest = 1 - bias;
            if (mantissaSize <= 10 && largest <= 15 && smallest >= -14) {
                return Optional.of(DataType.FLOAT16);
            }
            if (mantissaSize <= 23 && largest <= Float.MAX_EXPONENT && smallest >= Float.MIN_EXPONENT) {
                return Optional.of(DataType.FLOAT32);
            }
            return largest <= Double.MAX_EXPONENT && smallest >= Double.MIN_EXPONENT
                    ? Optional.of(DataType.FLOAT64)
                    : Optional.empty();
        }

        /** {@return the bits of the float in a word as a {@code double}} */
        long bits(long word) {
            long exponent = word >>> exponentAt & ((1L << exponentSize) - 1);
            long mantissa = word >>> mantissaAt & ((1L << mantissaSize) - 1);
            double fraction = Math.scalb((double) mantissa, -mantissaSize);
            double value;
            if (exponent == (1L << exponentSize) - 1) {
                value = mantissa == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
            } else if (exponent == 0) {
                value = Math.scalb(fraction, 1 - bias);
            } else {
                value = Math.scalb(1 + fraction, (int) exponent - bias);
            }
            return Double.doubleToRawLongBits((word >>> sign & 1) == 0 ? value : -value);
        }
    }

    /** {@return the type that the numbers become} */
    ElementType whole() {
        return new ElementType(type, ByteOrder.LITTLE_ENDIAN, Map.of());
    }

    @Override
    public DataType type(int longest) {
        return type;
    }

    @Override
    public Optional<String> change() {
        return Optional.of(name + " become " + type.name());
    }

    @Override
    public long scratchBytes(DataType measured) {
        return 0;
    }

    @Override
    public Resolver resolver(FileMetadata file, DataType measured, LongAdder bytesRead, Scratch scratch) {
        return this::put;
    }

    /** Puts the number at the position of a buffer, which is advanced. */
    void put(ByteBuffer from, ByteBuffer target) throws StoreException {
        int size = stored.type().itemSize();
        long word = 0;
        for (int i = 0; i < size; i++) {
            int shift = 8 * (order == ByteOrder.BIG_ENDIAN ? size - 1 - i : i);
            word |= (from.get() & 0xFFL) << shift;
        }
        long found = number.in(word);
        if (type.kind() == DataType.Kind.FLOAT) {
            double value = Double.longBitsToDouble(found);
            found = switch (type.itemSize()) {
                case 2 -> Half.ofDouble(value);
                case 4 -> Float.floatToRawIntBits((float) value);
                default -> found;
            };
        }
        for (int i = 0; i < type.itemSize(); i++) {
            target.put((byte) (found >>> (8 * i)));
        }
    }
}
