package dev.rechunker.exec;

import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A codec for the pieces of temporary files, fast rather than small. It is found by {@link java.util.ServiceLoader}; it
 * is used if calibration has shown that it saves time.
 *
 * <p>Any number of threads may use one codec at once, each with its own buffers and scratch. Buffers are direct. An
 * encoding is only read by the version of the codec that wrote it.
 */
public interface SpillCodec {
    /** The most bytes by which an encoding may exceed its piece. */
    int MAX_OVERHEAD = 16;

    /** {@return the codec on the class path, or the one that the thread's class loader finds, if there is one} */
    static Optional<SpillCodec> find() {
        return ServiceLoader.load(SpillCodec.class, SpillCodec.class.getClassLoader())
                .findFirst()
                .or(() -> ServiceLoader.load(SpillCodec.class).findFirst());
    }

    /** {@return the name of the codec} */
    String name();

    /** {@return the size of the buffer into which a piece is encoded, in bytes} */
    long encodeBuffer(long bytes, int itemSize);

    /** {@return the most that {@link #encode} takes from its scratch, for pieces up to this size} */
    long encodeScratch(long bytes, int itemSize);

    /** {@return the most that {@link #decode} takes from its scratch, for pieces up to this size} */
    long decodeScratch(long bytes, int itemSize);

    /** {@return the bytes that a thread uses outside of the caller's buffers} */
    long nativeBytes(int itemSize);

    /**
     * Encodes the remaining bytes of a piece into a buffer from its position, which is moved past the last byte
     * written.
     *
     * @param itemSize the bytes of an element
     */
    void encode(ByteBuffer piece, int itemSize, ByteBuffer encoded, Scratch scratch) throws IOException;

    /**
     * Decodes the remaining bytes of a buffer into all remaining bytes of a piece.
     *
     * @throws IOException if they are not the encoding of a piece of that size
     */
    void decode(ByteBuffer encoded, int itemSize, ByteBuffer piece, Scratch scratch) throws IOException;
}
