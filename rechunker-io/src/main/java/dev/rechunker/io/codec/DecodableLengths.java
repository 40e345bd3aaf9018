package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A codec that decodes elements of variable length, or only their lengths. */
interface DecodableLengths extends Codec {
    /** {@return the type of elements; if it is not measured, only lengths are decoded} */
    DataType type();

    @Override
    default String identity() {
        return name();
    }

    @Override
    default Needs decodeNeeds(long decodedSize) {
        return Needs.NONE;
    }

    /**
     * Decodes the elements of a chunk one by one.
     *
     * @param encoded has the chunk at its position, which is then after it
     * @param count the number of elements
     * @throws CodecException if the bytes are corrupt
     */
    <E extends IOException> void decodeEach(ByteBuffer encoded, long count, ElementSink<E> sink, Scratch scratch)
            throws CodecException, E;

    /** Receives elements in their order. */
    interface ElementSink<E extends IOException> {
        /**
         * Receives an element.
         *
         * @param element its number in the chunk
         * @param contents has the contents from position to limit, valid until this method returns
         */
        void accept(long element, ByteBuffer contents) throws CodecException, E;
    }

    @Override
    default void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException {
        long count = decoded.remaining() / type().itemSize();
        this.<CodecException>decodeEach(
                encoded,
                count,
                (element, contents) -> PaddedRuns.put(name(), type(), element, contents, decoded),
                scratch);
    }
}
