package dev.rechunker.io.codec;

import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The part of an encoded frame that is in memory: the whole frame, or the part that was last loaded. If positions
 * increase, each byte is read once.
 *
 * <p>Malformed frames could refer to the same bytes many times. Therefore the size of all requests is limited to that
 * of the frame, and the bytes that are read to a multiple of that.
 */
final class FrameWindow {
    /**
     * The limit of read bytes, as a multiple of the frame. It is enough for blocks that several threads have written
     * out of order.
     */
    private static final int MOST_READS = 64;

    private final @Nullable EncodedUnit source;
    private final ByteBuffer bytes;
    private final long size;
    private long start;
    private int length;
    private long expectedEnd;
    private long requested;
    private long read;

    private FrameWindow(@Nullable EncodedUnit source, ByteBuffer bytes, long size, int length) {
        this.source = source;
        this.bytes = bytes;
        this.size = size;
        this.length = length;
    }

    /** {@return a window with a whole frame, from byte 0 of a little-endian buffer to its limit} */
    static FrameWindow of(ByteBuffer frame) {
        return new FrameWindow(null, frame, frame.limit(), frame.limit());
    }

    /** {@return an empty window with the size of a little-endian buffer} */
    static FrameWindow over(EncodedUnit source, ByteBuffer buffer) {
        return new FrameWindow(source, buffer, source.size(), 0);
    }

    /** {@return the size of the frame in bytes} */
    long size() {
        return size;
    }

    /** {@return the buffer of the window, which {@link #at} refers to} */
    ByteBuffer bytes() {
        return bytes;
    }

    /** {@return the most bytes that are in memory at once} */
    int capacity() {
        return bytes.capacity();
    }

    /**
     * Reads the bytes that will be requested next, as many as the window holds. Positions that are not in the frame are
     * ignored here, and refused by {@link #at}.
     */
    void load(long from, long to) throws IOException {
        expectedEnd = to;
        boolean inFrame = from >= 0 && from < to && to <= size;
        if (inFrame && (from < start || to > start + length)) {
            fill(from, (int) Math.min(to - from, capacity()));
        }
    }

    /**
     * Reads {@code count} bytes from a position of the frame if they are not in the buffer; {@return their position in
     * the buffer, valid until the next call}
     *
     * @throws CodecException if the bytes are not in the frame, larger than the window, or requested too often
     */
    int at(long from, int count) throws IOException {
        requested += count;
        if (requested > size) {
            throw new CodecException("blosc: the blocks of a frame of " + size + " bytes overlap");
        }
        if (from < start || from + count > start + length) {
            fill(from, count);
        }
        return (int) (from - start);
    }

    private void fill(long from, int count) throws IOException {
        if (source == null || from < 0 || count < 0 || from > size - count) {
            throw new CodecException(
                    "blosc: " + count + " bytes at byte " + from + " are not in a frame of " + size + " bytes");
        }
        if (count > bytes.capacity()) {
            throw new CodecException(
                    count + " bytes at byte " + from + " are more than were expected: " + bytes.capacity());
        }
        // Bytes that are in the buffer are moved to its front, so that the source is read forward only.
        int kept = from > start && from < start + length ? (int) (start + length - from) : 0;
        bytes.clear().put(0, bytes, length - kept, kept);
        start = from;
        length = kept;
        long wanted = Math.min(capacity(), Math.min(size, expectedEnd) - from);
        bytes.position(kept).limit((int) Math.max(count, wanted));
        read += bytes.remaining();
        if (read / MOST_READS > size) {
            throw new CodecException(
                    "blosc: the blocks of a frame of " + size + " bytes are in an order that needs too many reads");
        }
        source.read(from + kept, bytes);
        length = bytes.limit();
        bytes.clear();
    }
}
