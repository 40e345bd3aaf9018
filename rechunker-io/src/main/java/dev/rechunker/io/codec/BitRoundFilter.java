package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.element.BitRounding;
import dev.rechunker.element.FloatFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The codec {@code bitround}: it rounds numbers to a number of bits, ties to even. Decoding does not change anything.
 *
 * <p>Of floats, these are bits of the fraction, and of complex numbers those of each part, as in numcodecs. Of
 * integers, which only the Zarr v3 registry has, they are the bits from the highest one that is set; negative numbers
 * count as unsigned ones with the same bits.
 */
final class BitRoundFilter extends NumberFilter {
    private final int keep;

    private BitRoundFilter(int keep, NumberType type) {
        super("bitround", type, type);
        this.keep = keep;
    }

    /** {@return a filter for elements of {@code type}} */
    static BitRoundFilter create(CodecOptions options, DataType type, ByteOrder order) throws CodecException {
        NumberType number = number(type, order);
        int keep = options.integer("keepbits", -1, number.isFloat() ? 0 : 1, allBits(number));
        options.requireNoOthers();
        if (keep < 0) {
            throw new CodecException("codec \"bitround\" needs the option keepbits");
        }
        return new BitRoundFilter(keep, number);
    }

    private static NumberType number(DataType type, ByteOrder order) throws CodecException {
        int size = type.wordSize();
        return switch (type.kind()) {
            case FLOAT, COMPLEX -> new NumberType(NumberType.Kind.FLOAT, size, order);
            case INT, UINT, DATETIME, TIMEDELTA -> new NumberType(NumberType.Kind.UINT, size, order);
            default ->
                throw new CodecException("codec \"bitround\": type " + type + " is neither a float nor an integer");
        };
    }

    /** {@return the number of bits that can be kept} */
    private static int allBits(NumberType type) {
        return type.isFloat() ? FloatFormat.ofSize(type.size()).fractionBits() : Byte.SIZE * type.size();
    }

    /** {@return whether the filter keeps all bits} */
    boolean changesNothing() {
        return keep == allBits(encodedType);
    }

    @Override
    String settings() {
        return keep + ",";
    }

    @Override
    void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) {
        decoded.put(0, encoded, 0, count * encodedType.size());
    }

    @Override
    void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) {
        int drop = allBits(encodedType) - keep;
        for (int at = 0; at < count * encodedType.size(); at += encodedType.size()) {
            long bits = encodedType.getLong(decoded, at);
            encodedType.putLong(
                    encoded, at, encodedType.isFloat() ? BitRounding.rounded(bits, drop) : roundedInteger(bits));
        }
    }

    private long roundedInteger(long bits) {
        int drop = Long.SIZE - Long.numberOfLeadingZeros(bits) - keep;
        if (drop <= 0) {
            return bits;
        }
        long sum = bits + ((bits >>> drop) & 1) + (1L << (drop - 1)) - 1;
        boolean overflows = Long.compareUnsigned(sum, bits) < 0 || encodedType.wrap(sum) != sum;
        return (overflows ? -1L : sum) >>> drop << drop;
    }
}
