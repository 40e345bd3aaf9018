package dev.rechunker.io.codec;

import dev.rechunker.memory.Scratch;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * One reversible step from decoded to encoded bytes.
 *
 * <p>Any number of threads may use one codec at once, each with its own buffers and {@link Scratch}. Buffers are
 * direct; their byte order is ignored.
 */
public interface Codec extends Closeable {
    /** {@return the codec's name, as in its {@code CodecSpec}} */
    String name();

    /**
     * {@return the most bytes that {@code decodedSize} bytes may take when encoded, by any conforming writer within
     * reason}
     */
    long maxEncodedSize(long decodedSize);

    /** {@return what {@link #decode} needs for chunks of this size} */
    Needs decodeNeeds(long decodedSize);

    /** {@return what {@link #encode} needs for chunks of this size} */
    Needs encodeNeeds(long decodedSize);

    /**
     * Decodes the remaining bytes of {@code encoded}, filling the remaining bytes of {@code decoded} exactly. Both
     * positions end at their limits.
     *
     * @throws CodecException if the bytes are corrupt, or decode to another number of bytes; stops there, however much
     *     they claim to decode to
     */
    void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException;

    /**
     * Encodes the remaining bytes of {@code decoded}, which are not changed, to the position of {@code encoded}, which
     * ends behind the last byte written and has {@link #maxEncodedSize} bytes remaining.
     *
     * @throws CodecException if these elements cannot be encoded
     */
    void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException;

    /** Frees native state. */
    @Override
    default void close() {}

    /**
     * The memory of one call, besides its two buffers.
     *
     * @param scratchBytes taken from the scratch, at most
     * @param nativeBytes held outside of any buffer, at most
     */
    record Needs(long scratchBytes, long nativeBytes) {
        /** Nothing. */
        public static final Needs NONE = new Needs(0, 0);
    }
}
