package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A value in the making. One of at most {@link #WHOLE} bytes is held, and sent by one request. Of a larger one the
 * first part is held to the end, since formats write there late, and one part behind it; the others are on the server
 * already, which shows nothing of them before the upload is completed.
 */
final class S3Sink implements ByteSink {
    /** The size of a part; servers take at least 5 MiB, and some only parts of one size. */
    static final int PART = 8 << 20;

    /** The largest value that one request sends. */
    static final int WHOLE = 2 * PART;

    private static final int MOST_PARTS = 10_000;

    private final S3Upload upload;
    private final Whole whole;
    private final ByteBuffer memory;
    /** How many parts behind the first are sent. */
    private int sent;

    /** How much of the first part is written, and of the part behind those that are sent. */
    private int headSize;

    private int tailSize;

    /** Sends a value by one request. */
    interface Whole {
        void put(ByteBuffer value) throws IOException;
    }

    /** Creates it; {@code most} are the most bytes of its value. */
    S3Sink(S3Client client, String bucket, String key, long most, Scratch scratch, Whole whole) throws StoreException {
        this.upload = new S3Upload(client, bucket, key);
        this.whole = whole;
        if (most / PART >= MOST_PARTS) {
            throw new StoreException(name() + " may have " + most + " bytes, more than " + MOST_PARTS + " parts of "
                    + PART + " bytes hold");
        }
        this.memory = scratch.take(scratchBytes(most));
    }

    /** {@return what a sink of so large a value takes from the scratch} */
    static long scratchBytes(long most) {
        return Math.min(most, WHOLE);
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
            sent = 0; // it begins anew: parts of a number that was sent before replace those
            tailSize = 0;
        }
        if (at != PART * (1L + sent) + tailSize) {
            throw new StoreException(name() + " cannot be written at byte " + at + " after byte "
                    + (PART * (1L + sent) + tailSize) + ": of a large value, only the first " + PART
                    + " bytes can be written late; put the index of shards at their end");
        }
        if (tailSize == PART) {
            sendTail();
            tailSize = 0;
        }
        int count = copy(bytes, PART + tailSize, memory.capacity() - PART - tailSize);
        tailSize += count;
        return count;
    }

    private int copy(ByteBuffer bytes, int to, int room) {
        int count = Math.min(bytes.remaining(), room);
        if (count <= 0) {
            throw new IllegalStateException(name() + " gets more bytes than it was declared to have");
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
