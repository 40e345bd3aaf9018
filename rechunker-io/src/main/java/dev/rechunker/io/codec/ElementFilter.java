package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A filter that converts each number to another number, of the same or another type. */
abstract class ElementFilter implements Codec {
    private final String name;
    private final int decodedSize;
    private final ByteOrder decodedOrder;
    private final int encodedSize;
    private final ByteOrder encodedOrder;

    /** Creates a filter of numbers of some sizes and byte orders. */
    ElementFilter(String name, int decodedSize, ByteOrder decodedOrder, int encodedSize, ByteOrder encodedOrder) {
        this.name = name;
        this.decodedSize = decodedSize;
        this.decodedOrder = decodedOrder;
        this.encodedSize = encodedSize;
        this.encodedOrder = encodedOrder;
    }

    /** Decodes {@code count} numbers. Buffers start at 0 and have the byte orders of the types. */
    abstract void decodeNumbers(ByteBuffer encoded, ByteBuffer decoded, int count) throws CodecException;

    /** Encodes {@code count} numbers. Buffers start at 0 and have the byte orders of the types. */
    abstract void encodeNumbers(ByteBuffer decoded, ByteBuffer encoded, int count) throws CodecException;

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final long maxEncodedSize(long size) {
        return Math.multiplyExact(size / decodedSize, encodedSize);
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
        return decodedSize == encodedSize;
    }

    @Override
    public final Needs decodeNeeds(long size) {
        return Needs.NONE;
    }

    @Override
    public final Needs encodeNeeds(long size) {
        return Needs.NONE;
    }

    @Override
    public final void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        int count = decoded.remaining() / decodedSize;
        if (encoded.remaining() != (long) count * encodedSize) {
            throw new CodecException(name + ": " + encoded.remaining() + " bytes are stored instead of the "
                    + (long) count * encodedSize + " of " + count + " numbers");
        }
        decodeNumbers(encoded.slice().order(encodedOrder), decoded.slice().order(decodedOrder), count);
        encoded.position(encoded.limit());
        decoded.position(decoded.position() + count * decodedSize);
    }

    @Override
    public final void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException {
        int count = decoded.remaining() / decodedSize;
        encodeNumbers(decoded.slice().order(decodedOrder), encoded.slice().order(encodedOrder), count);
        decoded.position(decoded.limit());
        encoded.position(encoded.position() + count * encodedSize);
    }
}
