package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
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

    /** {@return the name and every setting that the encoded bytes depend on; equal for codecs that encode alike} */
    String identity();

    /**
     * {@return the most bytes that {@code decodedSize} bytes may take when encoded, by any conforming writer within
     * reason; exact if {@link #fixedSize}}
     */
    long maxEncodedSize(long decodedSize);

    /** {@return whether the size of the encoded bytes depends on nothing but the size of the decoded} */
    default boolean fixedSize() {
        return false;
    }

    /** {@return whether the encoded and the decoded buffer may be the same memory; then their sizes are equal} */
    default boolean inPlace() {
        return false;
    }

    /** {@return what {@link #decode} needs for chunks of this size} */
    Needs decodeNeeds(long decodedSize);

    /** {@return what {@link #encode} needs for chunks of this size} */
    Needs encodeNeeds(long decodedSize);

    /**
     * Decodes all the remaining bytes of {@code encoded} to the position of {@code decoded}, which ends behind the last
     * byte written.
     *
     * @throws CodecException if the bytes are corrupt, or decode to more than what {@code decoded} has remaining; stops
     *     there, however much they claim to decode to
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
     * @param nativeBytes held outside of any buffer, on the heap or off it, at most
     */
    record Needs(long scratchBytes, long nativeBytes) {
        /** Nothing. */
        public static final Needs NONE = new Needs(0, 0);
    }
}
