package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;

/** A codec that can decode piece by piece, without a complete chunk in memory. */
interface StreamDecoder extends Codec {
    /** {@return whether chunks of a size are better decoded piece by piece than at once} */
    boolean prefersStream(long decodedSize);

    /** {@return the memory that {@link #decodeStream} needs for chunks of a size, including its buffers} */
    Needs decodeStreamNeeds(long decodedSize, int itemSize);

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

    /**
     * {@return the decoded size of the smallest part of a chunk that can be decoded separately; 0 if a chunk can only
     * be decoded from its start}
     */
    long blockBytes(long decodedSize);
}
