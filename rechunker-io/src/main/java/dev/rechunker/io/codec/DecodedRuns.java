package dev.rechunker.io.codec;

import dev.rechunker.store.ArrayReader.RunSink;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A buffer that passes on the elements of a part of a chunk while the chunk is decoded front to back. */
final class DecodedRuns {
    private final String codec;
    private final long decodedSize;
    private final long from;
    private final long to;
    private final int itemSize;
    private final RunSink sink;
    private final ByteBuffer buffer;
    /** The position in the chunk of the first byte in the buffer. */
    private long start;

    /**
     * Creates the buffer.
     *
     * @param codec the name of the codec for messages
     * @param from the first byte of the chunk to pass on
     * @param to the byte after the last one to pass on
     * @param buffer memory for more than one element
     */
    DecodedRuns(String codec, long decodedSize, long from, long to, int itemSize, RunSink sink, ByteBuffer buffer) {
        this.codec = codec;
        this.decodedSize = decodedSize;
        this.from = from;
        this.to = to;
        this.itemSize = itemSize;
        this.sink = sink;
        this.buffer = buffer.clear();
    }

    /** {@return the buffer, with free space from its position on for the next decoded bytes} */
    ByteBuffer buffer() {
        return buffer;
    }

    /**
     * Passes on the whole elements in the buffer, after decoded bytes were put into it.
     *
     * @throws CodecException if there are more bytes than the chunk has
     */
    void pass() throws IOException {
        buffer.flip();
        if (start + buffer.limit() > decodedSize) {
            throw new CodecException(codec + ": the chunk decodes to more than " + decodedSize + " bytes");
        }
        int whole = buffer.limit() / itemSize * itemSize;
        int first = (int) Math.max(0, Math.min(whole, from - start));
        int end = (int) Math.max(first, Math.min(whole, to - start));
        if (end > first) {
            sink.accept(buffer.slice(first, end - first));
        }
        start += whole;
        buffer.position(whole).compact();
    }

    /** {@return how many bytes of the chunk were decoded and passed on, or left out, so far} */
    long size() {
        return start + buffer.position();
    }

    /**
     * Checks that all bytes of the chunk were decoded.
     *
     * @throws CodecException if there are fewer
     */
    void requireComplete() throws CodecException {
        if (size() != decodedSize) {
            throw new CodecException(codec + ": the chunk decodes to " + size() + " bytes instead of " + decodedSize);
        }
    }
}
