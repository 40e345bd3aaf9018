package dev.rechunker.io.azure;

import com.azure.core.http.rest.PagedFlux;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobDownloadAsyncResponse;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import dev.rechunker.io.bytes.Bucket;
import dev.rechunker.io.bytes.Continuation;
import dev.rechunker.io.bytes.RangeSource;
import dev.rechunker.io.bytes.Retries;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.bytes.Upload;
import dev.rechunker.io.bytes.WebPlace;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A container of Azure Blob Storage. */
final class AzureBucket implements Bucket {
    /** The memory of the SDK and its HTTP client for one request, in bytes, TLS included. */
    private static final long CLIENT = 384 << 10;

    private static final int MOST_PARTS = 50_000;

    /** How many blobs a listing names at once. */
    private static final int PAGE = 1000;

    /** How many values are deleted at the same time. */
    private static final int DELETED_AT_ONCE = 16;

    private final BlobContainerAsyncClient client;
    private final String name;
    private final URI endpoint;
    private final boolean isAnonymous;

    AzureBucket(BlobContainerAsyncClient client, String name, URI endpoint, boolean isAnonymous) {
        this.client = client;
        this.name = name;
        this.endpoint = endpoint;
        this.isAnonymous = isAnonymous;
    }

    @Override
    public String name() {
        return name;
    }

    String name(String key) {
        return name + "/" + key;
    }

    @Override
    public String identity() {
        return WebPlace.of(endpoint, client.getBlobContainerName());
    }

    @Override
    public long requestBytes() {
        return CLIENT;
    }

    @Override
    public int mostParts() {
        return MOST_PARTS;
    }

    BlobAsyncClient blob(String key) {
        return client.getBlobAsyncClient(key);
    }

    /** {@return the result of a request, which is repeated as long as that may help} */
    <T> T request(String name, Retries.Request<T> request) throws IOException {
        return new Retries().of(once(name, request));
    }

    private <T> Retries.Request<T> once(String name, Retries.Request<T> request) {
        return () -> {
            try {
                return request.send();
            } catch (RuntimeException e) {
                throw AzureFailure.of(name, e, isAnonymous);
            }
        };
    }

    @Override
    public Optional<RangeSource.Answer> get(String name, String key, Span span, Retries retries) throws IOException {
        return retries.of(once(name, () -> get(name, key, span)));
    }

    private Optional<RangeSource.Answer> get(String name, String key, Span span) {
        try {
            return span.from() < 0 ? last(name, key, span.length()) : range(name, key, span, null);
        } catch (RuntimeException e) {
            if (AzureFailure.isMissing(e)) {
                return Optional.empty();
            }
            if (AzureFailure.isRange(e) && !span.equals(Span.ALL)) {
                return get(name, key, Span.ALL); // the value is shorter than the requested range, or empty
            }
            throw e;
        }
    }

    /** {@return the end of a value, of which the size is requested first: the server knows no ranges at the end} */
    private Optional<RangeSource.Answer> last(String name, String key, long length) {
        BlobProperties properties =
                Objects.requireNonNull(blob(key).getProperties().block());
        if (isDirectory(properties.getMetadata())) {
            return Optional.empty();
        }
        long size = properties.getBlobSize();
        return size == 0
                ? Optional.of(AzureAnswer.empty(properties.getETag()))
                : range(name, key, new Span(Math.max(0, size - length), length), properties.getETag());
    }

    private Optional<RangeSource.Answer> range(String name, String key, Span span, @Nullable String tag) {
        boolean isOpen = span.length() > Long.MAX_VALUE - span.from();
        BlobRange range = span.equals(Span.ALL)
                ? null
                : isOpen ? new BlobRange(span.from()) : new BlobRange(span.from(), span.length());
        BlobRequestConditions same = new BlobRequestConditions().setIfMatch(tag);
        DownloadRetryOptions once = new DownloadRetryOptions().setMaxRetryRequests(0);
        BlobDownloadAsyncResponse response = Objects.requireNonNull(
                blob(key).downloadStreamWithResponse(range, once, same, false).block());
        AzureAnswer answer = AzureAnswer.of(name, response);
        if (isDirectory(response.getDeserializedHeaders().getMetadata())) {
            answer.abandon();
            return Optional.empty();
        }
        return Optional.of(answer);
    }

    /** {@return whether a blob is a directory of an account with a hierarchical namespace} */
    private static boolean isDirectory(@Nullable Map<String, String> metadata) {
        return metadata != null
                && metadata.entrySet().stream()
                        .anyMatch(entry -> entry.getKey().equalsIgnoreCase("hdi_isfolder")
                                && entry.getValue().equalsIgnoreCase("true"));
    }

    @Override
    public void put(String key, List<ByteBuffer> value) throws IOException {
        request(name(key), () -> put(key, value, new BlobRequestConditions()));
    }

    private boolean put(String key, List<ByteBuffer> value, BlobRequestConditions conditions) {
        BlockBlobSimpleUploadOptions upload = new BlockBlobSimpleUploadOptions(data(value))
                .setContentMd5(digest(value))
                .setRequestConditions(conditions);
        blob(key).getBlockBlobAsyncClient().uploadWithResponse(upload).block();
        return true;
    }

    /** {@return the remaining bytes of buffers, which are not copied as a whole} */
    static BinaryData data(List<ByteBuffer> value) {
        return BinaryData.fromListByteBuffer(value.stream()
                .map(bytes -> bytes.duplicate().asReadOnlyBuffer())
                .toList());
    }

    /** {@return the checksum that the server compares with the bytes it receives} */
    static byte[] digest(List<ByteBuffer> value) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            value.forEach(bytes -> digest.update(bytes.duplicate()));
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    @Override
    public PutNew putNew(String key, List<ByteBuffer> value) throws IOException {
        AtomicInteger tries = new AtomicInteger();
        return request(name(key), () -> {
            tries.incrementAndGet();
            try {
                put(key, value, new BlobRequestConditions().setIfNoneMatch("*"));
                return PutNew.STORED;
            } catch (RuntimeException e) {
                if (AzureFailure.exists(e)) {
                    return tries.get() > 1 ? PutNew.MAY_BE_OURS : PutNew.EXISTS;
                }
                throw e;
            }
        });
    }

    @Override
    public Upload<?> upload(String key) {
        return new AzureUpload(this, key);
    }

    @Override
    public void list(String prefix, boolean isFlat, Pages pages) throws IOException {
        String place = name(prefix.replaceFirst("/\\z", ""));
        ListBlobsOptions options = new ListBlobsOptions()
                .setMaxResultsPerPage(PAGE)
                .setPrefix(prefix)
                .setDetails(new BlobListDetails().setRetrieveMetadata(true));
        Continuation continuation = new Continuation(place);
        do {
            PagedFlux<BlobItem> all = isFlat ? client.listBlobsByHierarchy("/", options) : client.listBlobs(options);
            String token = continuation.token();
            PagedResponse<BlobItem> page = request(
                    place,
                    () -> Objects.requireNonNull((token == null ? all.byPage() : all.byPage(token)).blockFirst()));
            List<String> keys = new ArrayList<>();
            List<String> prefixes = new ArrayList<>();
            for (BlobItem item : page.getElements()) {
                if (Boolean.TRUE.equals(item.isPrefix())) {
                    prefixes.add(item.getName());
                } else if (!isDirectory(item.getMetadata())) {
                    keys.add(item.getName());
                }
            }
            pages.accept(keys, prefixes);
            continuation.follow(page.getContinuationToken());
        } while (continuation.token() != null);
    }

    @Override
    public void delete(List<String> keys) throws IOException {
        request(keys.size() == 1 ? name(keys.get(0)) : name, () -> {
            Flux.fromIterable(keys)
                    .flatMap(
                            key -> blob(key)
                                    .delete()
                                    .onErrorResume(
                                            RuntimeException.class,
                                            e -> AzureFailure.isMissing(e) ? Mono.empty() : Mono.error(e)),
                            DELETED_AT_ONCE)
                    .then()
                    .block();
            return true;
        });
    }

    @Override
    public void close() {}
}
