package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A codec that can encode and decode piece by piece, without a complete chunk in memory. */
interface StreamCodec extends StreamDecoder {
    /** {@return the memory that {@link #encodeStream} needs for chunks of a size, including its buffers} */
    Needs encodeStreamNeeds(long decodedSize);

    /** Encodes the remaining bytes of {@code decoded}, which are not changed; {@return the encoded size} */
    long encodeStream(ByteBuffer decoded, CodecChain.EncodedSink encoded, Scratch scratch) throws IOException;

    /** {@return the best size of parts, in bytes} */
    int partBytes(int decodedSize);

    /** {@return an encoder of parts of a size; empty if chunks cannot be assembled from such parts} */
    Optional<PartEncoder> parts(int decodedSize, int partBytes);
}
