package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.BufferInput;
import dev.rechunker.io.bytes.Upload;
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
import software.amazon.awssdk.services.s3.model.RequestPayer;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * A multipart upload of a value, whose parts are sent in any order by any number of threads. It starts with the first
 * part. The value does not exist before the upload is completed.
 */
final class S3Upload implements Upload {
    private final S3Client client;
    private final String bucket;
    private final String key;
    private final @Nullable RequestPayer payer;
    private final NavigableMap<Integer, CompletedPart> sent = new ConcurrentSkipListMap<>();
    private @Nullable String id;
    private boolean completed;
    private boolean abandoned;

    S3Upload(S3Client client, String bucket, String key, @Nullable RequestPayer payer) {
        this.client = client;
        this.payer = payer;
        this.bucket = bucket;
        this.key = key;
    }

    @Override
    public String name() {
        return "s3://" + bucket + "/" + key;
    }

    private synchronized String id() {
        if (completed || abandoned) {
            throw new IllegalStateException(name() + (completed ? " is complete" : " was closed"));
        }
        String begun = id;
        if (begun == null) {
            begun = client.createMultipartUpload(request -> request.bucket(bucket)
                            .key(key)
                            .requestPayer(payer)
                            .contentType(S3Bucket.CONTENT_TYPE)
                            .checksumAlgorithm(ChecksumAlgorithm.CRC32_C))
                    .uploadId();
            id = begun;
        }
        return begun;
    }

    @Override
    public void send(int number, List<ByteBuffer> part) throws IOException {
        try {
            String checksum = BufferInput.crc32c(part);
            UploadPartRequest request = UploadPartRequest.builder()
                    .bucket(bucket)
                    .key(key)
                    .requestPayer(payer)
                    .uploadId(id())
                    .partNumber(number)
                    .checksumCRC32C(checksum)
                    .build();
            String tag = client.uploadPart(request, S3Bucket.body(part)).eTag();
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

    @Override
    public synchronized void complete(int parts) throws IOException {
        if (completed) {
            return;
        }
        List<CompletedPart> all = new ArrayList<>(sent.headMap(parts, true).values());
        if (all.size() < parts) {
            throw new IllegalStateException(
                    (parts - all.size()) + " of the " + parts + " parts of " + name() + " were not put");
        }
        String begun = id();
        try {
            client.completeMultipartUpload(request -> request.bucket(bucket)
                    .key(key)
                    .requestPayer(payer)
                    .uploadId(begun)
                    .multipartUpload(upload -> upload.parts(all)));
        } catch (SdkException e) {
            // If a response was lost, the repeated request finds the upload already completed.
            if (!S3Failure.is(e, S3Failure.MISSING) || !S3Failure.wasRetried(e) || !exists()) {
                throw S3Failure.of(name(), e);
            }
        }
        completed = true;
    }

    private boolean exists() {
        try {
            client.headObject(request -> request.bucket(bucket).key(key).requestPayer(payer));
            return true;
        } catch (SdkException e) {
            return false;
        }
    }

    @Override
    public synchronized void abandon() {
        String begun = id;
        boolean left = begun != null && !completed && !abandoned;
        abandoned = true;
        if (left) {
            try {
                client.abortMultipartUpload(request ->
                        request.bucket(bucket).key(key).requestPayer(payer).uploadId(begun));
            } catch (SdkException e) {
                return; // the parts are invisible, and an earlier failure is being reported
            }
        }
    }
}
