package dev.rechunker.io.s3;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * A value that is sent in parts, in any order, by any number of threads; begun with the first part. The server shows
 * nothing of it before it is completed.
 */
final class S3Upload {
    private final S3Client client;
    private final String bucket;
    private final String key;
    private final NavigableMap<Integer, CompletedPart> sent = new ConcurrentSkipListMap<>();
    private @Nullable String id;
    private boolean completed;
    private boolean abandoned;

    S3Upload(S3Client client, String bucket, String key) {
        this.client = client;
        this.bucket = bucket;
        this.key = key;
    }

    String name() {
        return "s3://" + bucket + "/" + key;
    }

    private synchronized String id() {
        if (completed || abandoned) {
            throw new IllegalStateException(name() + (completed ? " is complete" : " was given up"));
        }
        String begun = id;
        if (begun == null) {
            begun = client.createMultipartUpload(request -> request.bucket(bucket)
                            .key(key)
                            .contentType(S3Keys.CONTENT_TYPE)
                            .checksumAlgorithm(ChecksumAlgorithm.CRC32_C))
                    .uploadId();
            id = begun;
        }
        return begun;
    }

    /**
     * Sends a part, or replaces it.
     *
     * @param number from 1
     */
    void send(int number, List<ByteBuffer> part) throws IOException {
        try {
            String checksum = S3Keys.checksum(part);
            UploadPartRequest request = UploadPartRequest.builder()
                    .bucket(bucket)
                    .key(key)
                    .uploadId(id())
                    .partNumber(number)
                    .checksumCRC32C(checksum)
                    .build();
            String tag = client.uploadPart(request, S3Keys.body(part)).eTag();
            CompletedPart completed = CompletedPart.builder()
                    .partNumber(number)
                    .eTag(tag)
                    .checksumCRC32C(checksum)
                    .build();
            sent.put(number, completed);
        } catch (SdkException e) {
            throw S3Failure.of(name(), e);
        }
    }

    /**
     * Makes a value of the parts from 1 to a number. Does nothing the second time.
     *
     * @throws IllegalStateException if one of them was not sent, or they were given up
     */
    synchronized void complete(int parts) throws IOException {
        if (completed) {
            return;
        }
        List<CompletedPart> all = new ArrayList<>(sent.headMap(parts, true).values());
        if (all.size() < parts) {
            throw new IllegalStateException(name() + " lacks " + (parts - all.size()) + " of its " + parts + " parts");
        }
        String begun = id();
        try {
            client.completeMultipartUpload(request ->
                    request.bucket(bucket).key(key).uploadId(begun).multipartUpload(upload -> upload.parts(all)));
        } catch (SdkException e) {
            // An answer may get lost, and then the next try finds nothing more to complete.
            if (!S3Failure.is(e, S3Failure.MISSING) || !S3Failure.wasRetried(e) || !isThere()) {
                throw S3Failure.of(name(), e);
            }
        }
        completed = true;
    }

    private boolean isThere() {
        try {
            client.headObject(request -> request.bucket(bucket).key(key));
            return true;
        } catch (SdkException e) {
            return false;
        }
    }

    /** Gives up what was sent; a server that cannot be reached keeps it until its own rules remove it. */
    synchronized void abandon() {
        String begun = id;
        boolean left = begun != null && !completed && !abandoned;
        abandoned = true;
        if (left) {
            try {
                client.abortMultipartUpload(
                        request -> request.bucket(bucket).key(key).uploadId(begun));
            } catch (SdkException e) {
                return; // nobody sees it, and what made the value fail is the news
            }
        }
    }
}
