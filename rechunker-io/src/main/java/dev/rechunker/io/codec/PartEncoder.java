package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Encodes chunks that are put together from parts, runs of elements of one size in C order, of which only the last may
 * be shorter. Each part is encoded on its own, by any thread; what comes out is a chunk like any other, wherever in it
 * the parts were put down.
 */
public interface PartEncoder {
    /** {@return the bytes in front of the first part that {@link #head} fills} */
    int headBytes();

    /** {@return what one call of {@link #encode} needs, what it returns included} */
    Codec.Needs needs();

    /** {@return where a part has to be put down, if it is not anywhere behind what was put down before} */
    OptionalLong place(int part);

    /**
     * {@return the part as it is stored, in scratch, or the same buffer}
     *
     * @param part the remaining bytes, which are not changed
     * @throws CodecException if these elements cannot be encoded
     */
    ByteBuffer encode(ByteBuffer part, Scratch scratch) throws CodecException;

    /**
     * Fills in the head of a chunk.
     *
     * @param places where each of its parts was put down
     * @param size the size of the encoded chunk
     * @param head {@link #headBytes} bytes, little-endian
     */
    void head(long[] places, long size, ByteBuffer head) throws CodecException;
}
