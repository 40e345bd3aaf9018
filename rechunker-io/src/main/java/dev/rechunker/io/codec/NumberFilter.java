package dev.rechunker.io.codec;

import java.nio.ByteBuffer;

/** A filter of numcodecs that converts each number to another number, of the same or another type of NumPy. */
abstract class NumberFilter extends ElementFilter {
    final NumberType decodedType;
    final NumberType encodedType;

    NumberFilter(String name, NumberType decodedType, NumberType encodedType) {
        super(name, decodedType.size(), decodedType.order(), encodedType.size(), encodedType.order());
        this.decodedType = decodedType;
        this.encodedType = encodedType;
    }

    @Override
    abstract void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count);

    @Override
    abstract void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count);

    /** {@return the options other than the types, for the identity} */
    abstract String settings();

    @Override
    public final String identity() {
        return name() + "(" + settings() + decodedType + "," + encodedType + ")";
    }

    /** Converts {@code count} numbers like {@code astype} of NumPy. */
    static void cast(ByteBuffer from, NumberType fromType, ByteBuffer to, NumberType toType, int count) {
        for (int i = 0; i < count; i++) {
            fromType.convert(from, i * fromType.size(), toType, to, i * toType.size());
        }
    }
}
