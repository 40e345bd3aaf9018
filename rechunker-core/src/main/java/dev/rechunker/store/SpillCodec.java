package dev.rechunker.store;

import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Compresses the pieces of temporary copies in files, fast rather than small. Found by {@link java.util.ServiceLoader};
 * whether it is used depends on what the data and the device are like.
 *
 * <p>Any number of threads may use one at once, each with its own buffers and scratch. Buffers are direct. Nobody reads
 * an encoding but the version that has written it.
 */
public interface SpillCodec {
    /** By how many bytes an encoding may exceed its piece. */
    int MOST_OVERHEAD = 16;

    /** {@return the one on the class path, or that the thread's own class loader knows, if there is any} */
    static Optional<SpillCodec> find() {
        return ServiceLoader.load(SpillCodec.class, SpillCodec.class.getClassLoader())
                .findFirst()
                .or(() -> ServiceLoader.load(SpillCodec.class).findFirst());
    }

    /** {@return how it is called} */
    String name();

    /** {@return the room in which a piece of so many bytes is encoded} */
    long encodeRoom(long bytes, int itemSize);

    /** {@return what {@link #encode} takes from its scratch, for pieces of at most so many bytes} */
    long encodeScratch(long bytes, int itemSize);

    /** {@return what {@link #decode} takes from its scratch, for pieces of at most so many bytes} */
    long decodeScratch(long bytes, int itemSize);

    /** {@return what a thread holds outside of the caller's buffers} */
    long nativeBytes(int itemSize);

    /**
     * Encodes the remaining bytes of a piece to the position of a buffer, which ends behind the last byte written.
     *
     * @param itemSize the bytes of an element
     */
    void encode(ByteBuffer piece, int itemSize, ByteBuffer encoded, Scratch scratch) throws IOException;

    /**
     * Decodes the remaining bytes of a buffer to what remains of a piece, all of it.
     *
     * @throws IOException if they are not the encoding of as many bytes
     */
    void decode(ByteBuffer encoded, int itemSize, ByteBuffer piece, Scratch scratch) throws IOException;
}
