package dev.rechunker.io.s3;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads the remaining bytes of a buffer, without a copy and without moving it. */
final class BufferInput extends InputStream {
    private final ByteBuffer buffer;

    BufferInput(ByteBuffer buffer) {
        this.buffer = buffer.duplicate();
    }

    @Override
    public int read() {
        return buffer.hasRemaining() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(bytes, offset, count);
        return count == 0 ? -1 : count;
    }

    @Override
    public int available() {
        return buffer.remaining();
    }
}
