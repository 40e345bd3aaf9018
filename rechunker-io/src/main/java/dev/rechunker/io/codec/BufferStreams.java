package dev.rechunker.io.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Adapts buffers to streams, for compressors that work on streams only. */
final class BufferStreams {
    /** The size of the array that copies bytes. */
    static final int ARRAY = 16 << 10;

    private BufferStreams() {}

    /** {@return a stream that reads the remaining bytes of a buffer, and advances its position} */
    static InputStream reading(ByteBuffer buffer) {
        return new InputStream() {
            @Override
            public int read() {
                return buffer.hasRemaining() ? buffer.get() & 0xFF : -1;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                if (length > 0 && !buffer.hasRemaining()) {
                    return -1;
                }
                int count = Math.min(length, buffer.remaining());
                buffer.get(bytes, offset, count);
                return count;
            }

            @Override
            public int available() {
                return buffer.remaining();
            }
        };
    }

    /** {@return a stream that writes to a buffer, and advances its position} */
    static OutputStream writing(ByteBuffer buffer) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                requireSpace(1);
                buffer.put((byte) b);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                requireSpace(length);
                buffer.put(bytes, offset, length);
            }

            private void requireSpace(int bytes) throws IOException {
                if (bytes > buffer.remaining()) {
                    throw new IOException("the buffer has no space for " + bytes + " more bytes");
                }
            }
        };
    }

    /** Reads a stream to its end; refuses a stream with more bytes than the buffer has remaining. */
    static void readAll(InputStream from, ByteBuffer to) throws IOException {
        byte[] array = new byte[ARRAY];
        while (true) {
            int got = from.read(array, 0, Math.min(array.length, Math.max(1, to.remaining())));
            if (got < 0) {
                return;
            }
            if (got > to.remaining()) {
                throw new CodecException("the chunk decodes to more bytes than expected");
            }
            to.put(array, 0, got);
        }
    }

    /** Writes the remaining bytes of a buffer to a stream. */
    static void writeAll(ByteBuffer from, OutputStream to) throws IOException {
        byte[] array = new byte[ARRAY];
        while (from.hasRemaining()) {
            int count = Math.min(array.length, from.remaining());
            from.get(array, 0, count);
            to.write(array, 0, count);
        }
    }
}
