package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.Bucket;
import dev.rechunker.io.bytes.BufferInput;
import dev.rechunker.io.bytes.Continuation;
import dev.rechunker.io.bytes.RangeSource;
import dev.rechunker.io.bytes.Retries;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.bytes.Upload;
import dev.rechunker.io.bytes.WebPlace;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.RequestPayer;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** A bucket of S3. The SDK repeats requests. */
final class S3Bucket implements Bucket {
    static final String CONTENT_TYPE = "application/octet-stream";

    /** The memory of the SDK and its HTTP client for one request, in bytes, TLS included. */
    private static final long CLIENT = 256 << 10;

    private static final int MOST_PARTS = 10_000;

    private final S3Client client;
    private final SdkAutoCloseable closed;
    private final String bucket;
    private final @Nullable URI endpoint;
    private final @Nullable RequestPayer payer;

    /**
     * Creates a bucket.
     *
     * @param closed the object to close with the bucket
     * @param endpoint the address of the server; null for Amazon's
     * @param payer who pays for requests; null for the owner of the bucket
     */
    S3Bucket(
            S3Client client,
            SdkAutoCloseable closed,
            String bucket,
            @Nullable URI endpoint,
            @Nullable RequestPayer payer) {
        this.client = client;
        this.closed = closed;
        this.bucket = bucket;
        this.endpoint = endpoint;
        this.payer = payer;
    }

    @Override
    public String name() {
        return "s3://" + bucket;
    }

    @Override
    public String identity() {
        return endpoint == null ? name() : WebPlace.of(endpoint, bucket);
    }

    @Override
    public long requestBytes() {
        return CLIENT;
    }

    @Override
    public int mostParts() {
        return MOST_PARTS;
    }

    @Override
    public Optional<RangeSource.Answer> get(String name, String key, Span span, Retries retries) throws IOException {
        GetObjectRequest.Builder request =
                GetObjectRequest.builder().bucket(bucket).key(key).requestPayer(payer);
        if (!span.equals(Span.ALL)) {
            request.range(span.header());
        }
        try {
            ResponseInputStream<GetObjectResponse> response = client.getObject(request.build());
            return Optional.of(S3Answer.of(name, response));
        } catch (SdkException e) {
            if (S3Failure.is(e, S3Failure.MISSING)) {
                requireBucket(e);
                return Optional.empty();
            }
            if (S3Failure.is(e, S3Failure.RANGE) && !span.equals(Span.ALL)) {
                return get(name, key, Span.ALL, retries); // the value is shorter than the requested range, or empty
            }
            throw S3Failure.of(name, e);
        }
    }

    private void requireBucket(SdkException e) throws StoreException {
        if (e instanceof NoSuchBucketException) {
            throw new StoreException(name() + " cannot be opened: there is no bucket \"" + bucket + "\"", e);
        }
    }

    @Override
    public Upload<?> upload(String key) {
        return new S3Upload(client, bucket, key, payer);
    }

    @Override
    public void put(String key, List<ByteBuffer> value) throws IOException {
        try {
            client.putObject(request(key, value).build(), body(value));
        } catch (SdkException e) {
            requireBucket(e);
            throw S3Failure.of(name() + "/" + key, e);
        }
    }

    @Override
    public PutNew putNew(String key, List<ByteBuffer> value) throws IOException {
        try {
            client.putObject(request(key, value).ifNoneMatch("*").build(), body(value));
            return PutNew.STORED;
        } catch (SdkException e) {
            if (S3Failure.is(e, S3Failure.PRECONDITION)) {
                return S3Failure.wasRetried(e) ? PutNew.MAY_BE_OURS : PutNew.EXISTS;
            }
            if (S3Failure.is(e, S3Failure.NOT_IMPLEMENTED)) {
                return PutNew.UNSUPPORTED;
            }
            requireBucket(e);
            throw S3Failure.of(name() + "/" + key, e);
        }
    }

    private PutObjectRequest.Builder request(String key, List<ByteBuffer> value) {
        return PutObjectRequest.builder()
                .bucket(bucket)
                .key(key)
                .requestPayer(payer)
                .checksumCRC32C(BufferInput.crc32c(value)); // the server compares it
    }

    /**
     * {@return a body of the remaining bytes of buffers, which is read again for each retry and never copied as a
     * whole}
     */
    static RequestBody body(List<ByteBuffer> value) {
        long bytes = value.stream().mapToLong(ByteBuffer::remaining).sum();
        return RequestBody.fromContentProvider(() -> new BufferInput(value), bytes, CONTENT_TYPE);
    }

    @Override
    public void delete(List<String> keys) throws IOException {
        try {
            if (keys.size() == 1) {
                client.deleteObject(
                        request -> request.bucket(bucket).key(keys.get(0)).requestPayer(payer));
                return;
            }
            List<ObjectIdentifier> batch = keys.stream()
                    .map(key -> ObjectIdentifier.builder().key(key).build())
                    .toList();
            List<S3Error> errors = client.deleteObjects(request -> request.bucket(bucket)
                            .requestPayer(payer)
                            .delete(delete -> delete.objects(batch).quiet(true)))
                    .errors();
            if (!errors.isEmpty()) {
                throw new IOException(name() + ": " + errors.size() + " objects could not be deleted, one of them "
                        + errors.get(0).key() + " (" + errors.get(0).code() + ")");
            }
        } catch (SdkException e) {
            throw S3Failure.of(name(), e);
        }
    }

    /** Lists the keys that start with a prefix, at most 1000 at a time. */
    @Override
    public void list(String prefix, boolean isFlat, Pages pages) throws IOException {
        String place = name() + "/" + prefix.replaceFirst("/\\z", "");
        Continuation continuation = new Continuation(place);
        do {
            ListObjectsV2Response page;
            try {
                page = client.listObjectsV2(request -> request.bucket(bucket)
                        .prefix(prefix)
                        .delimiter(isFlat ? "/" : null)
                        .requestPayer(payer)
                        .continuationToken(continuation.token()));
            } catch (SdkException e) {
                requireBucket(e);
                throw S3Failure.of(place, e);
            }
            pages.accept(
                    page.contents().stream().map(S3Object::key).toList(),
                    page.commonPrefixes().stream().map(CommonPrefix::prefix).toList());
            continuation.follow(next(place, page));
        } while (continuation.token() != null);
    }

    /**
     * {@return the token of the next page; null after the last one} A listing that is known to be incomplete is
     * refused.
     */
    private static @Nullable String next(String place, ListObjectsV2Response page) throws StoreException {
        if (!Boolean.TRUE.equals(page.isTruncated())) {
            return null;
        }
        String next = page.nextContinuationToken();
        if (next == null || next.isEmpty()) {
            throw new StoreException(place + ": the server returned an incomplete listing (IsTruncated) without a"
                    + " NextContinuationToken to get the rest");
        }
        return next;
    }

    @Override
    public void close() {
        closed.close();
    }
}
