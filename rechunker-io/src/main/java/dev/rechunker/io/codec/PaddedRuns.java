package dev.rechunker.io.codec;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Elements of variable length of a part of a chunk, which are padded and passed on in runs. So the padding of the
 * elements of a chunk, which may take much more memory than there is, takes only that of a run.
 */
public final class PaddedRuns implements DecodableLengths.ElementSink<IOException> {
    private static final int BUFFER = 1 << 18;
    private static final long LEAST_BLOCK = 1 << 20;
    private static final long MOST_BLOCK = 16 << 20;

    private final DecodableLengths codec;
    private final int itemSize;
    private final long from;
    private final long to;
    private final RunSink sink;
    private final ByteBuffer buffer;

    /**
     * Creates runs.
     *
     * @param from the first byte of the part in the padded chunk
     * @param to the byte after it
     */
    PaddedRuns(DecodableLengths codec, long from, long to, RunSink sink, Scratch scratch) {
        this.codec = codec;
        this.itemSize = codec.type().itemSize();
        this.from = from / itemSize;
        this.to = to / itemSize;
        this.sink = sink;
        this.buffer = scratch.take(bufferBytes(itemSize));
    }

    /** {@return the size of a buffer for runs of elements of a size, in bytes} */
    public static long bufferBytes(int itemSize) {
        return (long) Math.max(1, BUFFER / itemSize) * itemSize;
    }

    /**
     * {@return the {@linkplain dev.rechunker.store.ReadTraits#blockBytes() size of blocks} for chunks that are decoded
     * again for each stretch: the padded size of elements that take about as long to pass on}
     *
     * @param decodedBytes the bytes that are decoded for a stretch; {@link Long#MAX_VALUE} for as few stretches as is
     *     useful
     */
    public static long blockBytes(long decodedBytes) {
        return Math.max(LEAST_BLOCK, Math.min(MOST_BLOCK, decodedBytes));
    }

    @Override
    public void accept(long element, ByteBuffer contents) throws IOException {
        if (element >= from && element < to) {
            codec.put(element, contents, buffer);
            if (!buffer.hasRemaining()) {
                end();
            }
        }
    }

    /** Passes on what is left. */
    void end() throws IOException {
        if (buffer.flip().hasRemaining()) {
            sink.accept(buffer);
        }
        buffer.clear();
    }
}
