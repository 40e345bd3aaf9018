package dev.rechunker.io.bytes;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A stream of the remaining bytes of buffers, one after the other. The buffers are not copied, and their positions do
 * not change.
 */
public final class BufferInput extends InputStream {
    private final Deque<ByteBuffer> buffers = new ArrayDeque<>();

    /** Creates a stream. */
    public BufferInput(List<ByteBuffer> bytes) {
        bytes.forEach(buffer -> buffers.add(buffer.duplicate()));
    }

    /**
     * {@return the CRC-32C of the remaining bytes of buffers, in the notation of object stores: Base64, high byte
     * first}
     */
    public static String crc32c(List<ByteBuffer> bytes) {
        CRC32C sum = new CRC32C();
        bytes.forEach(buffer -> sum.update(buffer.duplicate()));
        byte[] value =
                ByteBuffer.allocate(Integer.BYTES).putInt((int) sum.getValue()).array();
        return Base64.getEncoder().encodeToString(value);
    }

    private boolean hasRemaining() {
        while (!buffers.isEmpty() && !buffers.getFirst().hasRemaining()) {
            buffers.removeFirst();
        }
        return !buffers.isEmpty();
    }

    @Override
    public int read() {
        return hasRemaining() ? buffers.getFirst().get() & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        if (!hasRemaining()) {
            return -1;
        }
        int count = Math.min(length, buffers.getFirst().remaining());
        buffers.getFirst().get(bytes, offset, count);
        return count;
    }

    @Override
    public int available() {
        return hasRemaining() ? buffers.getFirst().remaining() : 0;
    }
}
