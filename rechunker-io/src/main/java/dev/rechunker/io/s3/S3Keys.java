package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.ByteSink;
import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Keys;
import dev.rechunker.io.bytes.Listing;
import dev.rechunker.io.bytes.RangeSource;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.bytes.WebPlace;
import dev.rechunker.resource.Scratch;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
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
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** The objects in a bucket below a prefix. */
final class S3Keys implements KeyStore {
    static final String CONTENT_TYPE = "application/octet-stream";

    /** The memory of the SDK and its HTTP client for one request, in bytes, TLS included. */
    private static final long CLIENT = 256 << 10;

    private final S3Client client;
    private final SdkAutoCloseable closed;
    private final String bucket;
    private final String prefix;
    private final @Nullable URI endpoint;
    private final @Nullable String address;

    /**
     * Creates a store.
     *
     * @param closed the object to close with the store
     * @param endpoint the address of the server; null for Amazon's
     * @param address the URI by which another process can open the same store; null if it would need this client
     */
    S3Keys(
            S3Client client,
            SdkAutoCloseable closed,
            String bucket,
            String prefix,
            @Nullable URI endpoint,
            @Nullable String address) {
        this.client = client;
        this.closed = closed;
        this.bucket = bucket;
        this.prefix = prefix.isEmpty() ? "" : prefix + "/";
        this.endpoint = endpoint;
        this.address = address;
    }

    @Override
    public String name() {
        return "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
    }

    @Override
    public String identity() {
        return endpoint == null ? name() : WebPlace.of(endpoint, name().substring("s3://".length()));
    }

    @Override
    public Optional<String> address() {
        return Optional.ofNullable(address);
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public long sourceBytes() {
        return CLIENT + RangeSource.PIECE;
    }

    @Override
    public Optional<ByteSource> open(String key) throws IOException {
        return open(key, Span.ALL);
    }

    @Override
    public Optional<ByteSource> open(String key, Span first) throws IOException {
        Keys.check(name(), key);
        String name = name() + "/" + key;
        return RangeSource.open(name, (span, retries) -> get(name, key, span), first);
    }

    private Optional<RangeSource.Answer> get(String name, String key, Span span) throws IOException {
        GetObjectRequest.Builder request =
                GetObjectRequest.builder().bucket(bucket).key(prefix + key);
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
                return get(name, key, Span.ALL); // the value is shorter than the requested range, or empty
            }
            throw S3Failure.of(name, e);
        }
    }

    @Override
    public long partBytes() {
        return S3Sink.PART;
    }

    @Override
    public SpillStore.Value createInParts(String key, int parts) throws IOException {
        Keys.check(name(), key);
        return parts == 1
                ? new S3OnePart(name() + "/" + key, bytes -> put(key, bytes))
                : new S3Value(new S3Upload(client, bucket, prefix + key), parts);
    }

    private void requireBucket(SdkException e) throws StoreException {
        if (e instanceof NoSuchBucketException) {
            throw new StoreException(name() + " cannot be opened: there is no bucket \"" + bucket + "\"", e);
        }
    }

    @Override
    public Listing list(String below) throws IOException {
        Keys.checkPrefix(name(), below);
        String start = below.isEmpty() ? prefix : prefix + below + "/";
        TreeSet<String> values = new TreeSet<>();
        TreeSet<String> directories = new TreeSet<>();
        eachPage(start, "/", page -> {
            for (S3Object object : page.contents()) {
                if (object.key().length() > start.length()) {
                    values.add(object.key().substring(start.length()));
                }
            }
            for (CommonPrefix directory : page.commonPrefixes()) {
                String key = directory.prefix();
                directories.add(key.substring(start.length(), key.length() - 1));
            }
        });
        return new Listing(new ArrayList<>(values), new ArrayList<>(directories));
    }

    @Override
    public void put(String key, ByteBuffer value) throws IOException {
        put(key, List.of(value));
    }

    private void put(String key, List<ByteBuffer> value) throws IOException {
        Keys.check(name(), key);
        try {
            client.putObject(request(key, value).build(), body(value));
        } catch (SdkException e) {
            requireBucket(e);
            throw S3Failure.of(name() + "/" + key, e);
        }
    }

    /**
     * {@return whether a value was stored under a key without one} Servers without conditional requests store it in any
     * case.
     */
    @Override
    public boolean putNew(String key, ByteBuffer value) throws IOException {
        Keys.check(name(), key);
        try {
            List<ByteBuffer> bytes = List.of(value);
            client.putObject(request(key, bytes).ifNoneMatch("*").build(), body(bytes));
            return true;
        } catch (SdkException e) {
            if (S3Failure.is(e, S3Failure.PRECONDITION)) {
                return S3Failure.wasRetried(e) && holds(key, value);
            }
            if (S3Failure.is(e, S3Failure.NOT_IMPLEMENTED)) {
                return KeyStore.super.putNew(key, value);
            }
            requireBucket(e);
            throw S3Failure.of(name() + "/" + key, e);
        }
    }

    /**
     * {@return whether a key has this value: if a response was lost, the repeated request finds the value of the first}
     */
    private boolean holds(String key, ByteBuffer value) throws IOException {
        Optional<ByteSource> opened = open(key);
        if (opened.isEmpty()) {
            return false;
        }
        try (ByteSource source = opened.get()) {
            if (source.size() != value.remaining()) {
                return false;
            }
            ByteBuffer there = ByteBuffer.allocate(value.remaining());
            source.read(0, there);
            return there.flip().equals(value);
        }
    }

    private PutObjectRequest.Builder request(String key, List<ByteBuffer> value) {
        return PutObjectRequest.builder().bucket(bucket).key(prefix + key).checksumCRC32C(checksum(value));
    }

    /** {@return the checksum of the remaining bytes, which the server compares with the bytes it receives} */
    static String checksum(List<ByteBuffer> value) {
        CRC32C sum = new CRC32C();
        value.forEach(bytes -> sum.update(bytes.duplicate()));
        byte[] bytes =
                ByteBuffer.allocate(Integer.BYTES).putInt((int) sum.getValue()).array();
        return Base64.getEncoder().encodeToString(bytes);
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
    public long sinkScratch(long most) {
        return S3Sink.scratchBytes(most);
    }

    @Override
    public ByteSink create(String key, long most, Scratch scratch) throws IOException {
        Keys.check(name(), key);
        return new S3Sink(client, bucket, prefix + key, most, scratch, bytes -> put(key, bytes));
    }

    @Override
    public void delete(String key) throws IOException {
        Keys.check(name(), key);
        try {
            client.deleteObject(request -> request.bucket(bucket).key(prefix + key));
        } catch (SdkException e) {
            throw S3Failure.of(name() + "/" + key, e);
        }
    }

    @Override
    public void deleteTree(String below) throws IOException {
        Keys.check(name(), below);
        delete(below);
        deleteAll(prefix + below + "/", name -> true);
    }

    @Override
    public void deleteBelow(String below, Predicate<String> names) throws IOException {
        Keys.checkPrefix(name(), below);
        deleteAll(below.isEmpty() ? prefix : prefix + below + "/", names);
    }

    private void deleteAll(String start, Predicate<String> names) throws IOException {
        eachPage(start, null, page -> {
            List<ObjectIdentifier> batch = new ArrayList<>();
            for (S3Object object : page.contents()) {
                if (Keys.allParts(object.key().substring(start.length()), names)) {
                    batch.add(ObjectIdentifier.builder().key(object.key()).build());
                }
            }
            delete(batch);
        });
    }

    private void delete(List<ObjectIdentifier> batch) throws IOException {
        if (batch.isEmpty()) {
            return;
        }
        try {
            List<S3Error> errors = client.deleteObjects(request -> request.bucket(bucket)
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

    /** Receives the pages of a listing. */
    private interface PageConsumer {
        void accept(ListObjectsV2Response page) throws IOException;
    }

    /** Lists the keys that start with a prefix, at most 1000 at a time. */
    private void eachPage(String start, @Nullable String delimiter, PageConsumer consumer) throws IOException {
        Continuation continuation = new Continuation(name());
        do {
            ListObjectsV2Response page;
            try {
                page = client.listObjectsV2(request -> request.bucket(bucket)
                        .prefix(start)
                        .delimiter(delimiter)
                        .continuationToken(continuation.token()));
            } catch (SdkException e) {
                requireBucket(e);
                throw S3Failure.of(name(), e);
            }
            consumer.accept(page);
            continuation.follow(page);
        } while (continuation.token() != null);
    }

    @Override
    public void close() {
        closed.close();
    }

    @Override
    public String toString() {
        return name();
    }
}
