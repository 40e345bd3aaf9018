package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Encodes chunks that are assembled from parts. Parts are runs of elements in C order, all of the same size, except
 * that the last can be shorter. Each part is encoded separately, by any thread. The result is a valid chunk in any
 * order of the parts.
 */
public interface PartEncoder {
    /** {@return the size of the head, which {@link #writeHead} writes before the first part, in bytes} */
    int headBytes();

    /** {@return the memory for one call of {@link #encode}, including its result} */
    Codec.Needs needs();

    /**
     * {@return the position of a part in the chunk, if it is fixed; empty if a part is written after those that were
     * written before}
     */
    OptionalLong position(int part);

    /**
     * {@return an encoded part, in scratch memory or in the given buffer}
     *
     * @param part the part, whose remaining bytes are not changed
     * @throws CodecException if these elements cannot be encoded
     */
    ByteBuffer encode(ByteBuffer part, Scratch scratch) throws CodecException;

    /**
     * Writes the head of a chunk.
     *
     * @param positions the position of each part
     * @param size the size of the encoded chunk
     * @param head a little-endian buffer of {@link #headBytes} bytes
     */
    void writeHead(long[] positions, long size, ByteBuffer head) throws CodecException;
}
