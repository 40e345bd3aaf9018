package dev.rechunker.io.s3;

import dev.rechunker.io.bytes.KeyScheme;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.StoreException;

/** Opens {@code s3://bucket/path}. No class of the SDK is loaded before. */
public final class S3Scheme implements KeyScheme {
    private static final String CLIENT = "software.amazon.awssdk.services.s3.S3Client";

    /** Creates the scheme. */
    public S3Scheme() {}

    @Override
    public String scheme() {
        return "s3";
    }

    @Override
    public KeyStore open(String uri) throws StoreException {
        try {
            Class.forName(CLIENT, false, S3Scheme.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new StoreException(
                    "S3: add software.amazon.awssdk:s3 and software.amazon.awssdk:url-connection-client to the class"
                            + " path",
                    e);
        }
        return S3.keys(uri);
    }
}
