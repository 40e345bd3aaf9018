package dev.rechunker.io.gcs;

import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.storage.Storage;
import com.google.api.services.storage.StorageScopes;
import com.google.auth.http.HttpCredentialsAdapter;
import com.google.auth.oauth2.GoogleCredentials;
import dev.rechunker.io.bytes.BucketAddress;
import dev.rechunker.io.bytes.BucketKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens buckets of Google Cloud Storage as key stores.
 *
 * <p>Credentials are Google's application default credentials: the file of {@code GOOGLE_APPLICATION_CREDENTIALS},
 * those of {@code gcloud auth application-default login}, or those of the machine. An emulator is given by its
 * endpoint, in the URI or in {@code STORAGE_EMULATOR_HOST}; the latter gets requests without credentials.
 */
public final class Gcs {
    private static final BucketAddress.Options OPTIONS = new BucketAddress.Options(
            Set.of("endpoint", "userProject"),
            Set.of("anonymous"),
            "userProject=name&anonymous=true&endpoint=http://host:port");

    private static final String EMULATOR = "STORAGE_EMULATOR_HOST";
    private static final int CONNECT_MILLIS = 10_000;
    private static final int READ_MILLIS = 30_000;

    private Gcs() {}

    /**
     * {@return a store of the objects in a bucket below a prefix}
     *
     * @param uri {@code gs://bucket/prefix}, with the options {@code userProject=name} for a bucket whose requests the
     *     caller pays, {@code anonymous=true} for public data, and {@code endpoint} in its query
     * @throws StoreException if the URI is malformed or contains credentials, or there are no credentials
     */
    public static KeyStore keys(String uri) throws StoreException {
        return keys(uri, System.getenv(EMULATOR));
    }

    static KeyStore keys(String uri, @Nullable String emulator) throws StoreException {
        BucketAddress address = address(uri);
        URI endpoint = address.endpoint().orElse(null);
        boolean isEmulator = false;
        if (endpoint == null && emulator != null && !emulator.isBlank()) {
            isEmulator = true;
            endpoint = BucketAddress.endpoint(
                    "the setting " + EMULATOR, emulator.contains("://") ? emulator : "http://" + emulator);
        }
        HttpRequestInitializer signing = request -> {};
        boolean isAnonymous = isEmulator || address.has("anonymous");
        if (!isAnonymous) {
            signing = new HttpCredentialsAdapter(credentials("gs://" + address.bucket()));
        }
        GcsBucket bucket = new GcsBucket(
                client(endpoint, signing),
                address.bucket(),
                endpoint,
                address.option("userProject").orElse(null),
                isAnonymous);
        return new BucketKeys(bucket, address.prefix(), address.uri());
    }

    /**
     * {@return a store of the objects in a bucket below a prefix}
     *
     * @param client makes all requests, with its own credentials
     * @param prefix the prefix, without slashes around it; empty for the whole bucket
     */
    public static KeyStore keys(Storage client, String bucket, String prefix) {
        URI root = URI.create(client.getRootUrl());
        URI endpoint = client.getRootUrl().equals(Storage.DEFAULT_ROOT_URL) ? null : root;
        return new BucketKeys(new GcsBucket(client, bucket, endpoint, null, false), prefix, null);
    }

    /** {@return the parts of a URI} */
    static BucketAddress address(String uri) throws StoreException {
        return BucketAddress.parse("gs", uri, OPTIONS);
    }

    private static GoogleCredentials credentials(String name) throws StoreException {
        try {
            return GoogleCredentials.getApplicationDefault().createScoped(List.of(StorageScopes.DEVSTORAGE_READ_WRITE));
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            // The library describes each place at which it has looked.
            throw message.contains("credentials were not found")
                    ? new StoreException(name + ": no credentials were found; run \"gcloud auth application-default"
                            + " login\", set GOOGLE_APPLICATION_CREDENTIALS to a file of credentials, or add"
                            + " ?anonymous=true to the address of public data")
                    : new StoreException(name + ": the credentials cannot be read: " + message, e);
        }
    }

    private static Storage client(@Nullable URI endpoint, HttpRequestInitializer signing) {
        HttpRequestInitializer initializer = request -> {
            signing.initialize(request);
            request.setConnectTimeout(CONNECT_MILLIS).setReadTimeout(READ_MILLIS);
            request.setNumberOfRetries(1); // for credentials that have expired; GcsBucket repeats failed requests
        };
        Storage.Builder builder = new Storage.Builder(Transport.SHARED, GsonFactory.getDefaultInstance(), initializer)
                .setApplicationName("rechunker");
        if (endpoint != null) {
            builder.setRootUrl(endpoint.toString().replaceFirst("/*\\z", "/"));
        }
        return builder.build();
    }

    /** It has no state other than the connections of the JDK. */
    private static final class Transport {
        static final NetHttpTransport SHARED = new NetHttpTransport();

        private Transport() {}
    }
}
