package dev.rechunker.io.codec;

import dev.rechunker.memory.Scratch;
import dev.rechunker.store.EncodedUnit;
import dev.rechunker.store.RunSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A codec that never has to hold a chunk as a whole, neither encoded nor decoded. */
interface StreamCodec extends Codec {
    /** {@return what {@link #decodeStream} needs for chunks of this size, its buffers included} */
    Needs decodeStreamNeeds(long decodedSize, int itemSize);

    /** {@return what {@link #encodeStream} needs for chunks of this size, its buffers included} */
    Needs encodeStreamNeeds(long decodedSize);

    /**
     * Decodes all of {@code encoded}, front to back.
     *
     * @param decodedSize the bytes that it must decode to
     * @param itemSize the runs handed over are a multiple of it
     * @throws CodecException if the bytes are corrupt, or decode to another number of bytes
     */
    void decodeStream(EncodedUnit encoded, long decodedSize, int itemSize, RunSink decoded, Scratch scratch)
            throws IOException;

    /** {@return the encoded size of the remaining bytes of {@code decoded}, which are not changed} */
    long encodeStream(ByteBuffer decoded, CodecChain.EncodedSink encoded, Scratch scratch) throws IOException;

    /** {@return the size of parts at which it works best} */
    int partBytes(int decodedSize);

    /** {@return what encodes chunks of this size from parts of that size, if they can be put together so} */
    Optional<PartEncoder> parts(int decodedSize, int partBytes);
}
