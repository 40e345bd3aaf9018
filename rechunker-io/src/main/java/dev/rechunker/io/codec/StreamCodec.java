package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A codec that can encode and decode piece by piece, without a complete chunk in memory. */
interface StreamCodec extends Codec {
    /** {@return the memory that {@link #decodeStream} needs for chunks of a size, including its buffers} */
    Needs decodeStreamNeeds(long decodedSize, int itemSize);

    /** {@return the memory that {@link #encodeStream} needs for chunks of a size, including its buffers} */
    Needs encodeStreamNeeds(long decodedSize);

    /**
     * Decodes the bytes {@code [from, to)} of a chunk, front to back.
     *
     * @param decodedSize the decoded size of the whole chunk
     * @param itemSize the size of an element; {@code from}, {@code to} and the size of runs are multiples of it
     * @throws CodecException if the bytes are corrupt, or decode to another number of bytes
     */
    void decodeStream(
            EncodedUnit encoded, long decodedSize, long from, long to, int itemSize, RunSink decoded, Scratch scratch)
            throws IOException;

    /** {@return the decoded size of the smallest part of a chunk that can be decoded separately} */
    long blockBytes(long decodedSize);

    /** Encodes the remaining bytes of {@code decoded}, which are not changed; {@return the encoded size} */
    long encodeStream(ByteBuffer decoded, CodecChain.EncodedSink encoded, Scratch scratch) throws IOException;

    /** {@return the best size of parts, in bytes} */
    int partBytes(int decodedSize);

    /** {@return an encoder of parts of a size; empty if chunks cannot be assembled from such parts} */
    Optional<PartEncoder> parts(int decodedSize, int partBytes);
}
