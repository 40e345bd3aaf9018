package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Libraries;
import dev.rechunker.store.StoreException;
import java.util.List;

/** Opens {@code s3://bucket/path}. No class of the SDK is loaded before. */
public final class S3Scheme implements KeyScheme {
    private static final Libraries LIBRARIES = new Libraries(
            "S3",
            List.of("software.amazon.awssdk.services.s3.S3Client"),
            List.of("software.amazon.awssdk:s3", "software.amazon.awssdk:url-connection-client"));

    /** Creates the scheme. */
    public S3Scheme() {}

    @Override
    public String scheme() {
        return "s3";
    }

    @Override
    public KeyStore open(String uri) throws StoreException {
        LIBRARIES.require();
        return S3.keys(uri);
    }
}
