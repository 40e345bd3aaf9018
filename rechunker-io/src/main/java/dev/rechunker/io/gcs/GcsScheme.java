package dev.rechunker.io.gcs;

import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Libraries;
import dev.rechunker.store.StoreException;
import java.util.List;

/** Opens {@code gs://bucket/path}. No class of Google's libraries is loaded before. */
public final class GcsScheme implements KeyScheme {
    private static final Libraries LIBRARIES = new Libraries(
            "Google Cloud Storage",
            List.of("com.google.api.services.storage.Storage", "com.google.auth.oauth2.GoogleCredentials"),
            List.of("com.google.apis:google-api-services-storage", "com.google.auth:google-auth-library-oauth2-http"));

    /** Creates the scheme. */
    public GcsScheme() {}

    @Override
    public String scheme() {
        return "gs";
    }

    @Override
    public KeyStore open(String uri) throws StoreException {
        LIBRARIES.require();
        return Gcs.keys(uri);
    }
}
