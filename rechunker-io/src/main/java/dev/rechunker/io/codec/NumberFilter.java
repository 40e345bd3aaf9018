package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;

/** A filter of numcodecs that turns each number into one of another type, or another number of the same type. */
abstract class NumberFilter implements Codec {
    private final String name;
    final NumberType decodedType;
    final NumberType encodedType;

    NumberFilter(String name, NumberType decodedType, NumberType encodedType) {
        this.name = name;
        this.decodedType = decodedType;
        this.encodedType = encodedType;
    }

    /** Decodes so many numbers; buffers begin at 0 and have the types' byte orders. */
    abstract void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count);

    /** Encodes so many numbers; buffers begin at 0 and have the types' byte orders. */
    abstract void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count);

    /** {@return the settings besides the types} */
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

    /** Numbers are taken one by one from front to back, each before its place is overwritten. */
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
            throw new CodecException(name + ": " + encoded.remaining() + " bytes are stored, not the "
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

    /** Converts so many numbers as {@code astype} of NumPy does. */
    static void cast(ByteBuffer from, NumberType fromType, ByteBuffer to, NumberType toType, int count) {
        for (int i = 0; i < count; i++) {
            fromType.convert(from, i * fromType.size(), toType, to, i * toType.size());
        }
    }
}
