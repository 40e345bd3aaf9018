package dev.rechunker.io.gcs;

import com.google.api.client.googleapis.batch.BatchRequest;
import com.google.api.client.googleapis.batch.json.JsonBatchCallback;
import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpResponseException;
import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.ComposeRequest;
import com.google.api.services.storage.model.ComposeRequest.SourceObjects;
import com.google.api.services.storage.model.Objects;
import com.google.api.services.storage.model.StorageObject;
import dev.rechunker.io.bytes.Bucket;
import dev.rechunker.io.bytes.BufferInput;
import dev.rechunker.io.bytes.Continuation;
import dev.rechunker.io.bytes.RangeSource;
import dev.rechunker.io.bytes.Retries;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.bytes.Upload;
import dev.rechunker.io.bytes.WebPlace;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A bucket of Google Cloud Storage. */
final class GcsBucket implements Bucket {
    /** The memory of the HTTP client for one request, in bytes, TLS included. */
    private static final long CLIENT = 256 << 10;

    /** The most requests of a batch. */
    private static final int BATCH = 100;

    private static final int MOST_PARTS = 10_000;

    private final Storage client;
    private final String bucket;
    private final @Nullable URI endpoint;
    private final @Nullable String userProject;
    private final boolean isAnonymous;

    /**
     * Creates a bucket.
     *
     * @param endpoint the address of the server; null for Google's
     * @param userProject the project that pays for requests; null for the owner of the bucket
     */
    GcsBucket(
            Storage client, String bucket, @Nullable URI endpoint, @Nullable String userProject, boolean isAnonymous) {
        this.client = client;
        this.bucket = bucket;
        this.endpoint = endpoint;
        this.userProject = userProject;
        this.isAnonymous = isAnonymous;
    }

    @Override
    public String name() {
        return "gs://" + bucket;
    }

    String name(String key) {
        return name() + "/" + key;
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

    /** {@return the result of a request, which is repeated as long as that may help} */
    private <T> T request(String name, Retries.Request<T> request) throws IOException {
        return new Retries().of(once(name, request));
    }

    private <T> Retries.Request<T> once(String name, Retries.Request<T> request) {
        return () -> {
            try {
                return request.send();
            } catch (IOException e) {
                throw GcsFailure.of(name, e, isAnonymous);
            }
        };
    }

    @Override
    public Optional<RangeSource.Answer> get(String name, String key, Span span, Retries retries) throws IOException {
        return retries.of(once(name, () -> get(name, key, span)));
    }

    private Optional<RangeSource.Answer> get(String name, String key, Span span) throws IOException {
        Storage.Objects.Get get = client.objects().get(bucket, key).setUserProject(userProject);
        get.getRequestHeaders().setAcceptEncoding("identity");
        if (!span.equals(Span.ALL)) {
            get.getRequestHeaders().setRange(span.header());
        }
        try {
            return Optional.of(GcsAnswer.of(name, get.executeMedia()));
        } catch (HttpResponseException e) {
            if (GcsFailure.isMissing(e)) {
                return Optional.empty();
            }
            if (e.getStatusCode() == GcsFailure.RANGE && !span.equals(Span.ALL)) {
                return get(name, key, Span.ALL); // the value is shorter than the requested range, or empty
            }
            throw e;
        }
    }

    @Override
    public void put(String key, List<ByteBuffer> value) throws IOException {
        request(name(key), () -> insert(key, value).execute());
    }

    private Storage.Objects.Insert insert(String key, List<ByteBuffer> value) throws IOException {
        StorageObject object =
                new StorageObject().setName(key).setCrc32c(BufferInput.crc32c(value)); // the server compares it
        Storage.Objects.Insert insert = client.objects().insert(bucket, object, new GcsContent(value));
        insert.getMediaHttpUploader().setDirectUploadEnabled(true).setDisableGZipContent(true);
        return insert.setUserProject(userProject).setFields("generation");
    }

    @Override
    public PutNew putNew(String key, List<ByteBuffer> value) throws IOException {
        AtomicInteger tries = new AtomicInteger();
        return request(name(key), () -> {
            tries.incrementAndGet();
            try {
                insert(key, value).setIfGenerationMatch(0L).execute();
                return PutNew.STORED;
            } catch (HttpResponseException e) {
                if (e.getStatusCode() == GcsFailure.PRECONDITION) {
                    return tries.get() > 1 ? PutNew.MAY_BE_OURS : PutNew.EXISTS;
                }
                throw e;
            }
        });
    }

    @Override
    public Upload<?> upload(String key) {
        return new GcsUpload(this, key);
    }

    /** Makes a value of the values of other keys, of which there are at most 32. */
    void compose(String key, List<String> parts) throws IOException {
        List<SourceObjects> sources =
                parts.stream().map(part -> new SourceObjects().setName(part)).toList();
        ComposeRequest compose = new ComposeRequest()
                .setSourceObjects(sources)
                .setDestination(new StorageObject().setContentType(GcsContent.TYPE));
        request(
                name(key),
                () -> client.objects()
                        .compose(bucket, key, compose)
                        .setUserProject(userProject)
                        .setFields("generation")
                        .execute());
    }

    @Override
    public void list(String prefix, boolean isFlat, Pages pages) throws IOException {
        String name = name(prefix.replaceFirst("/\\z", ""));
        Continuation continuation = new Continuation(name);
        do {
            Objects page = request(
                    name,
                    () -> client.objects()
                            .list(bucket)
                            .setPrefix(prefix)
                            .setDelimiter(isFlat ? "/" : null)
                            .setPageToken(continuation.token())
                            .setUserProject(userProject)
                            .setFields("nextPageToken,prefixes,items/name")
                            .execute());
            List<StorageObject> items = page.getItems() == null ? List.of() : page.getItems();
            List<String> prefixes = page.getPrefixes() == null ? List.of() : page.getPrefixes();
            pages.accept(items.stream().map(StorageObject::getName).toList(), prefixes);
            continuation.follow(page.getNextPageToken());
        } while (continuation.token() != null);
    }

    @Override
    public void delete(List<String> keys) throws IOException {
        if (keys.size() == 1) {
            request(name(keys.get(0)), () -> {
                try {
                    deletion(keys.get(0)).execute();
                    return true;
                } catch (HttpResponseException e) {
                    if (GcsFailure.isMissing(e)) {
                        return false;
                    }
                    throw e;
                }
            });
            return;
        }
        for (int from = 0; from < keys.size(); from += BATCH) {
            List<String> left = new ArrayList<>(keys.subList(from, Math.min(keys.size(), from + BATCH)));
            request(name(), () -> deleteBatch(left));
        }
    }

    private Storage.Objects.Delete deletion(String key) throws IOException {
        return client.objects().delete(bucket, key).setUserProject(userProject);
    }

    /** Deletes the values of keys, and removes those keys that do not have one any more. */
    private boolean deleteBatch(List<String> keys) throws IOException {
        BatchRequest batch = client.batch();
        List<String> failed = new ArrayList<>();
        List<HttpResponseException> failures = new ArrayList<>();
        for (String key : keys) {
            deletion(key).queue(batch, new JsonBatchCallback<Void>() {
                @Override
                public void onSuccess(Void nothing, HttpHeaders headers) {}

                @Override
                public void onFailure(GoogleJsonError error, HttpHeaders headers) {
                    HttpResponseException e =
                            new HttpResponseException.Builder(error.getCode(), error.getMessage(), headers).build();
                    if (!GcsFailure.isMissing(e)) {
                        failed.add(key);
                        failures.add(e);
                    }
                }
            });
        }
        batch.execute();
        keys.retainAll(failed);
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return true;
    }

    @Override
    public void close() {}
}
