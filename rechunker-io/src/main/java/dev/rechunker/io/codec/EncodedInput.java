package dev.rechunker.io.codec;

import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** An encoded chunk that is read once, front to back, through a buffer, or is in memory as a whole. */
final class EncodedInput {
    private final String codec;
    private final @Nullable EncodedUnit source;
    private final ByteBuffer buffer;
    private long read;

    /**
     * Creates the input.
     *
     * @param codec the name of the codec for messages
     * @param buffer the buffer, whose content is not kept
     */
    EncodedInput(String codec, EncodedUnit source, ByteBuffer buffer) {
        this(codec, source, buffer.limit(0), 0);
    }

    private EncodedInput(String codec, @Nullable EncodedUnit source, ByteBuffer buffer, long read) {
        this.codec = codec;
        this.source = source;
        this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
        this.read = read;
    }

    /** {@return the remaining bytes of a chunk in memory, whose position stays the same} */
    static EncodedInput of(String codec, ByteBuffer encoded) {
        return new EncodedInput(codec, null, encoded.slice(), encoded.remaining());
    }

    /** {@return the bytes that were read and not taken yet, little-endian; the caller moves its position} */
    ByteBuffer buffer() {
        return buffer;
    }

    /** {@return whether all bytes were taken} */
    boolean isAtEnd() {
        return !buffer.hasRemaining() && (source == null || read == source.size());
    }

    /** Reads as much as fits into the buffer if nothing is left in it; {@return whether there are bytes} */
    boolean fill() throws IOException {
        if (!buffer.hasRemaining()) {
            load();
        }
        return buffer.hasRemaining();
    }

    /** Takes a number of bytes, which can be more than the buffer has. */
    void skip(int bytes) throws IOException {
        for (int left = bytes; left > 0; ) {
            require(1);
            int taken = Math.min(left, buffer.remaining());
            buffer.position(buffer.position() + taken);
            left -= taken;
        }
    }

    /** Reads until a number of bytes is in the buffer, which is at most its capacity. */
    void require(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            load();
        }
        if (buffer.remaining() < bytes) {
            throw new CodecException(codec + ": the chunk is cut off");
        }
    }

    private void load() throws IOException {
        if (source == null) {
            return;
        }
        buffer.compact();
        int more = (int) Math.min(buffer.remaining(), source.size() - read);
        buffer.limit(buffer.position() + more);
        source.read(read, buffer);
        read += more;
        buffer.flip();
    }
}
