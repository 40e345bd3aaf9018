package dev.rechunker.io.codec;

import dev.rechunker.array.DataType;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.ArrayReader.RunSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Elements of variable length of a part of a chunk, which are padded and passed on in runs. So the padding of the
 * elements of a chunk, which may take much more memory than there is, takes only that of a run.
 */
public final class PaddedRuns implements DecodableLengths.ElementSink<IOException> {
    private static final int BUFFER = 1 << 18;
    private static final long LEAST_BLOCK = 1 << 20;
    private static final long MOST_BLOCK = 16 << 20;

    private final String name;
    private final DataType type;
    private final long from;
    private final long to;
    private final RunSink sink;
    private final ByteBuffer buffer;

    /**
     * Creates runs.
     *
     * @param name the name of the codec, for messages
     * @param type the type of elements; if it is not measured, they are only their lengths
     * @param from the first byte of the part in the padded chunk
     * @param to the byte after it
     */
    public PaddedRuns(String name, DataType type, long from, long to, RunSink sink, Scratch scratch) {
        this.name = name;
        this.type = type;
        this.from = from / type.itemSize();
        this.to = to / type.itemSize();
        this.sink = sink;
        this.buffer = scratch.take(bufferBytes(type.itemSize()));
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

    /** Takes the next element of the chunk, and passes it on if it is in the part. */
    @Override
    public void accept(long element, ByteBuffer contents) throws IOException {
        if (element >= from && element < to) {
            put(name, type, element, contents, buffer);
            if (!buffer.hasRemaining()) {
                end();
            }
        }
    }

    /** Passes on what is left. */
    public void end() throws IOException {
        if (buffer.flip().hasRemaining()) {
            sink.accept(buffer);
        }
        buffer.clear();
    }

    /**
     * Decodes an element: its length and, if the type is measured, its bytes and zero bytes up to the size of the type.
     *
     * @throws CodecException if the element is longer than the longest of the type
     */
    static void put(String name, DataType type, long element, ByteBuffer contents, ByteBuffer decoded)
            throws CodecException {
        int length = contents.remaining();
        boolean swapped = decoded.order() != ByteOrder.LITTLE_ENDIAN;
        decoded.putInt(swapped ? Integer.reverseBytes(length) : length);
        if (!type.isMeasured()) {
            return;
        }
        int padding = type.longest() - length;
        if (padding < 0) {
            throw new CodecException(name + ": element " + element + " has " + length
                    + " bytes, but the longest element had " + type.longest() + " when it was looked for");
        }
        decoded.put(contents);
        for (; padding >= Long.BYTES; padding -= Long.BYTES) {
            decoded.putLong(0);
        }
        for (; padding > 0; padding--) {
            decoded.put((byte) 0);
        }
    }
}
