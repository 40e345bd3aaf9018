package dev.rechunker.io.bytes;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A value that is being written. A value of at most {@link Upload#WHOLE} bytes is kept in memory, and sent by one
 * request. A larger value is sent in parts, which the server shows when the upload is completed. Two parts are in
 * memory: the last one, and the first one until the end, because formats write there late.
 */
final class UploadSink implements ByteSink {
    private static final int PART = Upload.PART;

    private final Upload<?> upload;
    private final Whole whole;
    private final ByteBuffer memory;
    /** The number of parts after the first one that were sent. */
    private int sent;

    /** The number of bytes in memory of the first part. */
    private int headSize;

    /** The number of bytes in memory of the part after those that were sent. */
    private int tailSize;

    /** Sends a value by one request. */
    interface Whole {
        void put(ByteBuffer value) throws IOException;
    }

    /**
     * Creates a sink for a value of at most {@code most} bytes.
     *
     * @param mostParts the number of parts that the store allows
     */
    UploadSink(Upload<?> upload, int mostParts, long most, Scratch scratch, Whole whole) throws StoreException {
        this.upload = upload;
        this.whole = whole;
        if (most / PART >= mostParts) {
            throw new StoreException(name() + " may have " + most + " bytes, but the store allows at most " + mostParts
                    + " parts, here of " + PART + " bytes");
        }
        this.memory = scratch.take(scratchBytes(most));
    }

    /** {@return the bytes of scratch memory that a sink for a value of at most {@code most} bytes takes} */
    static long scratchBytes(long most) {
        return Math.min(most, Upload.WHOLE);
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += at < PART ? writeHead((int) at, bytes) : writeTail(at, bytes);
        }
    }

    private int writeHead(int at, ByteBuffer bytes) {
        int count = copy(bytes, at, Math.min(PART, memory.capacity()) - at);
        headSize = Math.max(headSize, at + count);
        return count;
    }

    private int writeTail(long at, ByteBuffer bytes) throws IOException {
        if (at == PART) {
            sent = 0; // the value starts again: a part replaces the one that was sent with the same number
            tailSize = 0;
        }
        if (at != PART * (1L + sent) + tailSize) {
            throw new StoreException(name() + " cannot be written at byte " + at + " after byte "
                    + (PART * (1L + sent) + tailSize) + ": in a large value, only the first " + PART
                    + " bytes can be written late; place the index of shards at their end");
        }
        if (tailSize == PART) {
            sendTail();
            tailSize = 0;
        }
        int count = copy(bytes, PART + tailSize, memory.capacity() - PART - tailSize);
        tailSize += count;
        return count;
    }

    private int copy(ByteBuffer bytes, int to, int free) {
        int count = Math.min(bytes.remaining(), free);
        if (count <= 0) {
            throw new IllegalStateException(name() + " is longer than it was declared to be");
        }
        memory.put(to, bytes, bytes.position(), count);
        bytes.position(bytes.position() + count);
        return count;
    }

    @Override
    public void commit() throws IOException {
        if (sent == 0) {
            whole.put(memory.slice(0, tailSize == 0 ? headSize : PART + tailSize));
            return;
        }
        sendTail();
        upload.send(1, List.of(memory.slice(0, PART)));
        upload.complete(1 + sent);
    }

    private void sendTail() throws IOException {
        upload.send(2 + sent, List.of(memory.slice(PART, tailSize)));
        sent++;
    }

    private String name() {
        return upload.name();
    }

    @Override
    public void close() {
        upload.abandon();
    }
}
