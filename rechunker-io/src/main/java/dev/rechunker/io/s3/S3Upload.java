package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.BufferInput;
import dev.rechunker.io.bytes.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.RequestPayer;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/** A multipart upload of a value. It starts with the first part. */
final class S3Upload extends Upload<CompletedPart> {
    private final S3Client client;
    private final String bucket;
    private final String key;
    private final @Nullable RequestPayer payer;
    /** The name of the upload on the server; null before it has started, and after its end. */
    private @Nullable String id;

    S3Upload(S3Client client, String bucket, String key, @Nullable RequestPayer payer) {
        super("s3://" + bucket + "/" + key);
        this.client = client;
        this.payer = payer;
        this.bucket = bucket;
        this.key = key;
    }

    /** {@return the name of the upload on the server} None starts after the upload was abandoned. */
    private synchronized String id() {
        requireOpen();
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
    protected CompletedPart send(int number, List<ByteBuffer> part, @Nullable CompletedPart earlier)
            throws IOException {
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
            return CompletedPart.builder()
                    .partNumber(number)
                    .eTag(tag)
                    .checksumCRC32C(checksum)
                    .build();
        } catch (SdkException e) {
            throw S3Failure.of(name(), e);
        }
    }

    @Override
    protected synchronized void join(List<CompletedPart> parts) throws IOException {
        String begun = id();
        try {
            client.completeMultipartUpload(request -> request.bucket(bucket)
                    .key(key)
                    .requestPayer(payer)
                    .uploadId(begun)
                    .multipartUpload(upload -> upload.parts(parts)));
        } catch (SdkException e) {
            // If a response was lost, the repeated request finds the upload already completed.
            if (!S3Failure.is(e, S3Failure.MISSING) || !S3Failure.wasRetried(e) || !exists()) {
                throw S3Failure.of(name(), e);
            }
        }
        id = null;
    }

    private boolean exists() {
        try {
            client.headObject(request -> request.bucket(bucket).key(key).requestPayer(payer));
            return true;
        } catch (SdkException e) {
            return false;
        }
    }

    /** Aborts the upload. A server that has completed it has discarded the other parts. */
    @Override
    protected synchronized void discard(List<CompletedPart> parts) {
        String begun = id;
        if (begun != null) {
            try {
                client.abortMultipartUpload(request ->
                        request.bucket(bucket).key(key).requestPayer(payer).uploadId(begun));
            } catch (SdkException e) {
                return; // the parts are invisible, and an earlier failure is being reported
            }
        }
    }
}
