package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * A step between decoded and encoded bytes, in both directions.
 *
 * <p>Thread-safe; each thread uses its own buffers and {@link Scratch}. Buffers are direct; their byte order is
 * ignored.
 */
public interface Codec extends Closeable {
    /** {@return the name of the codec in its {@code CodecSpec}} */
    String name();

    /** {@return the name and all options on which encoded bytes depend; equal for codecs that encode equally} */
    String identity();

    /**
     * {@return the largest encoded size of {@code decodedSize} bytes, by any reasonable conforming writer; the exact
     * size if {@link #fixedSize}}
     */
    long maxEncodedSize(long decodedSize);

    /** {@return whether the encoded size depends only on the decoded size} */
    default boolean fixedSize() {
        return false;
    }

    /** {@return whether the encoded and the decoded buffer can be the same memory; then their sizes are equal} */
    default boolean inPlace() {
        return false;
    }

    /** {@return the memory that {@link #decode} needs for chunks of a size} */
    Needs decodeNeeds(long decodedSize);

    /** {@return the memory that {@link #encode} needs for chunks of a size} */
    Needs encodeNeeds(long decodedSize);

    /**
     * Decodes all remaining bytes of {@code encoded} to the position of {@code decoded}, which is then after the last
     * byte written.
     *
     * @throws CodecException if the bytes are corrupt, or decode to more bytes than {@code decoded} has remaining;
     *     decoding stops there
     */
    void decode(ByteBuffer encoded, ByteBuffer decoded, Scratch scratch) throws CodecException;

    /**
     * Encodes the remaining bytes of {@code decoded}, which are not changed, to the position of {@code encoded}, which
     * is then after the last byte written. {@code encoded} must have {@link #maxEncodedSize} bytes remaining.
     *
     * @throws CodecException if these elements cannot be encoded
     */
    void encode(ByteBuffer decoded, ByteBuffer encoded, Scratch scratch) throws CodecException;

    /** Frees native memory. */
    @Override
    default void close() {}

    /**
     * The memory for one call, in addition to its two buffers.
     *
     * @param scratchBytes the scratch memory, at most, in bytes
     * @param nativeBytes other memory, on the heap or native, at most, in bytes
     */
    record Needs(long scratchBytes, long nativeBytes) {
        /** No memory. */
        public static final Needs NONE = new Needs(0, 0);
    }
}
