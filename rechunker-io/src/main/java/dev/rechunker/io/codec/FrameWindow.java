package dev.rechunker.io.codec;

import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The part of an encoded frame that is in memory: all of it, or what lies around the place that was last asked for.
 * Going forward reads the frame once.
 *
 * <p>Frames that lie could ask for the same bytes again and again, so the work is bounded: all that is asked for is no
 * more than the frame, and what is read no more than a few times that.
 */
final class FrameWindow {
    /** Several threads that write a frame leave its blocks in a little disorder, never in as much as this. */
    private static final int MOST_READS = 64;

    private final @Nullable EncodedUnit source;
    private final ByteBuffer bytes;
    private final long size;
    private long start;
    private int length;
    private long asked;
    private long read;

    private FrameWindow(@Nullable EncodedUnit source, ByteBuffer bytes, long size, int length) {
        this.source = source;
        this.bytes = bytes;
        this.size = size;
        this.length = length;
    }

    /** {@return a window that is the whole frame, from byte 0 of a little-endian buffer to its limit} */
    static FrameWindow of(ByteBuffer frame) {
        return new FrameWindow(null, frame, frame.limit(), frame.limit());
    }

    /** {@return a window of the size of a little-endian buffer, empty at first} */
    static FrameWindow over(EncodedUnit source, ByteBuffer buffer) {
        return new FrameWindow(source, buffer, source.size(), 0);
    }

    /** {@return the bytes of the frame} */
    long size() {
        return size;
    }

    /** {@return the buffer that {@link #at} points into} */
    ByteBuffer bytes() {
        return bytes;
    }

    /**
     * {@return where the byte {@code from} of the frame is in the buffer, so many bytes being there; good until the
     * next call}
     *
     * @throws CodecException if they are not in the frame, more than the window holds, or asked for too often
     */
    int at(long from, int count) throws IOException {
        asked += count;
        if (asked > size) {
            throw new CodecException("blosc: the blocks of a frame of " + size + " bytes overlap");
        }
        if (from < start || from + count > start + length) {
            fill(from, count);
        }
        return (int) (from - start);
    }

    private void fill(long from, int count) throws IOException {
        if (source == null || from < 0 || count < 0 || from > size - count) {
            throw new CodecException(count + " bytes at byte " + from + " are not in a frame of " + size);
        }
        if (count > bytes.capacity()) {
            throw new CodecException(
                    count + " bytes at byte " + from + " are more than were expected: " + bytes.capacity());
        }
        // What is there already is moved to the front, so that the source is read forwards only.
        int kept = from > start && from < start + length ? (int) (start + length - from) : 0;
        bytes.clear().put(0, bytes, length - kept, kept);
        start = from;
        length = kept;
        bytes.position(kept).limit((int) Math.min(bytes.capacity(), size - from));
        read += bytes.remaining();
        if (read / MOST_READS > size) {
            throw new CodecException("blosc: the blocks of a frame of " + size + " bytes are in disorder");
        }
        source.read(from + kept, bytes);
        length = bytes.limit();
        bytes.clear();
    }
}
