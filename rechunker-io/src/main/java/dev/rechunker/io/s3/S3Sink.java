package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.memory.Scratch;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

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

    private final S3Client client;
    private final String bucket;
    private final String key;
    private final Whole whole;
    private final ByteBuffer memory;
    private final List<CompletedPart> sent = new ArrayList<>();
    private @Nullable String upload;
    /** How much of the first part is written, and of the part behind those that are sent. */
    private int headSize;

    private int tailSize;

    /** Sends a value by one request. */
    interface Whole {
        void put(ByteBuffer value) throws IOException;
    }

    /** Creates it; {@code most} are the most bytes of its value. */
    S3Sink(S3Client client, String bucket, String key, long most, Scratch scratch, Whole whole) throws StoreException {
        this.client = client;
        this.bucket = bucket;
        this.key = key;
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
            sent.clear(); // it begins anew: parts of a number that was sent before replace those
            tailSize = 0;
        }
        if (at != PART * (1L + sent.size()) + tailSize) {
            throw new StoreException(name() + " cannot be written at byte " + at + " after byte "
                    + (PART * (1L + sent.size()) + tailSize) + ": of a large value, only the first " + PART
                    + " bytes can be written late; put the index of shards at their end");
        }
        if (tailSize == PART) {
            send(2 + sent.size(), memory.slice(PART, PART));
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

    private void send(int number, ByteBuffer part) throws IOException {
        try {
            if (upload == null) {
                upload = client.createMultipartUpload(request -> request.bucket(bucket)
                                .key(key)
                                .contentType(S3Keys.CONTENT_TYPE)
                                .checksumAlgorithm(ChecksumAlgorithm.CRC32_C))
                        .uploadId();
            }
            String checksum = S3Keys.checksum(part);
            UploadPartRequest request = UploadPartRequest.builder()
                    .bucket(bucket)
                    .key(key)
                    .uploadId(upload)
                    .partNumber(number)
                    .checksumCRC32C(checksum)
                    .build();
            String tag = client.uploadPart(request, S3Keys.body(part)).eTag();
            CompletedPart completed = CompletedPart.builder()
                    .partNumber(number)
                    .eTag(tag)
                    .checksumCRC32C(checksum)
                    .build();
            sent.add(number == 1 ? 0 : sent.size(), completed);
        } catch (SdkException e) {
            throw S3Failure.of(name(), e);
        }
    }

    @Override
    public void commit() throws IOException {
        if (sent.isEmpty()) {
            whole.put(memory.slice(0, tailSize == 0 ? headSize : PART + tailSize));
            return;
        }
        send(2 + sent.size(), memory.slice(PART, tailSize));
        send(1, memory.slice(0, PART));
        try {
            client.completeMultipartUpload(request ->
                    request.bucket(bucket).key(key).uploadId(upload).multipartUpload(parts -> parts.parts(sent)));
            upload = null;
        } catch (SdkException e) {
            throw S3Failure.of(name(), e);
        }
    }

    private String name() {
        return "s3://" + bucket + "/" + key;
    }

    /**
     * Gives up the parts that were sent; a server that cannot be reached keeps them until its own rules remove them.
     */
    @Override
    public void close() {
        String abandoned = upload;
        upload = null;
        if (abandoned != null) {
            try {
                client.abortMultipartUpload(
                        request -> request.bucket(bucket).key(key).uploadId(abandoned));
            } catch (SdkException e) {
                return; // nobody sees them, and what made the value fail is the news
            }
        }
    }
}
