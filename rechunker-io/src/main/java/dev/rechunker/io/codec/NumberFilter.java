package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/** A filter of numcodecs that converts each number to another number, of the same or another type. */
abstract class NumberFilter implements Codec {
    private final String name;
    final NumberType decodedType;
    final NumberType encodedType;

    NumberFilter(String name, NumberType decodedType, NumberType encodedType) {
        this.name = name;
        this.decodedType = decodedType;
        this.encodedType = encodedType;
    }

    /** Decodes {@code count} numbers. Buffers start at 0 and have the byte orders of the types. */
    abstract void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count);

    /** Encodes {@code count} numbers. Buffers start at 0 and have the byte orders of the types. */
    abstract void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count);

    /** {@return the options other than the types, for the identity} */
    abstract String settings();

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String identity() {
        return name + "(" + settings() + decodedType + "," + encodedType + ")";
    }

    @Override
    public final long maxEncodedSize(long decodedSize) {
        return Math.multiplyExact(decodedSize / decodedType.size(), encodedType.size());
    }

    @Override
    public final boolean fixedSize() {
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Numbers are converted from front to back, and each is read before it is overwritten.
     */
    @Override
    public final boolean inPlace() {
        return decodedType.size() == encodedType.size();
    }

    @Override
    public final Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public final Needs encodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    @Override
    public final void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int count = decoded.remaining() / decodedType.size();
        if (encoded.remaining() != (long) count * encodedType.size()) {
            throw new CodecException(name + ": " + encoded.remaining() + " bytes are stored instead of the "
                    + (long) count * encodedType.size() + " of " + count + " numbers");
        }
        decodeNumbers(
                encoded.slice().order(encodedType.order()), decoded.slice().order(decodedType.order()), count);
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + count * decodedType.size());
    }

    @Override
    public final void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) {
        int count = decoded.remaining() / decodedType.size();
        encodeNumbers(
                decoded.slice().order(decodedType.order()), encoded.slice().order(encodedType.order()), count);
        decoded.position(decoded.limit());
        encoded.position(encoded.position() + count * encodedType.size());
    }

    /** Converts {@code count} numbers like {@code astype} of NumPy. */
    static void cast(ByteBuffer from, NumberType fromType, ByteBuffer to, NumberType toType, int count) {
        for (int i = 0; i < count; i++) {
            fromType.convert(from, i * fromType.size(), toType, to, i * toType.size());
        }
    }
}
