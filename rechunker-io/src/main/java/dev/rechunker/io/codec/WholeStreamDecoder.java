package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import dev.rechunker.store.EncodedUnit;
import java.io.IOException;

/** A codec whose chunks can be decoded piece by piece, but only from the first to the last byte. */
interface WholeStreamDecoder extends StreamDecoder {
    /** The size of the buffer for encoded bytes. */
    int INPUT = 64 << 10;

    /** The size of the buffer for decoded bytes, without the rest of an element. */
    int OUTPUT = 256 << 10;

    /** {@return the native memory of {@link #decodeAll} in bytes} */
    long streamMemory();

    /**
     * Decodes a chunk.
     *
     * @throws CodecException if the bytes are corrupt, or decode to more bytes than a chunk has
     */
    void decodeAll(EncodedInput encoded, DecodedRuns decoded) throws IOException;

    @Override
    default Needs decodeStreamNeeds(long decodedSize, int itemSize) {
        return new Needs((long) INPUT + OUTPUT + itemSize, streamMemory());
    }

    @Override
    default void decodeStream(
            EncodedUnit encoded, long decodedSize, long from, long to, int itemSize, RunSink decoded, Scratch scratch)
            throws IOException {
        int mark = scratch.mark();
        EncodedInput in = new EncodedInput(name(), encoded, scratch.take(INPUT));
        DecodedRuns out = new DecodedRuns(
                name(), decodedSize, from, to, itemSize, decoded, scratch.take((long) OUTPUT + itemSize));
        decodeAll(in, out);
        if (!in.isAtEnd()) {
            throw new CodecException(name() + ": bytes follow the encoded chunk");
        }
        out.requireComplete();
        scratch.release(mark);
    }

    @Override
    default long blockBytes(long decodedSize) {
        return 0;
    }
}
