package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
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
     * Decodes the bytes {@code [from, to)} of a chunk, front to back.
     *
     * @param decodedSize the bytes that all of {@code encoded} must decode to
     * @param itemSize the runs handed over are a multiple of it, and so are {@code from} and {@code to}
     * @throws CodecException if the bytes are corrupt, or decode to another number of bytes
     */
    void decodeStream(
            EncodedUnit encoded, long decodedSize, long from, long to, int itemSize, RunSink decoded, Scratch scratch)
            throws IOException;

    /** {@return the decoded bytes of what can be decoded by itself of a chunk of this size} */
    long blockBytes(long decodedSize);

    /** {@return the encoded size of the remaining bytes of {@code decoded}, which are not changed} */
    long encodeStream(ByteBuffer decoded, CodecChain.EncodedSink encoded, Scratch scratch) throws IOException;

    /** {@return the size of parts at which it works best} */
    int partBytes(int decodedSize);

    /** {@return what encodes chunks of this size from parts of that size, if they can be put together so} */
    Optional<PartEncoder> parts(int decodedSize, int partBytes);
}
