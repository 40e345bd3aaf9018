package dev.rechunker.io.bytes;

import java.io.IOException;
import java.util.Set;

/**
 * Opens key stores by URIs of one scheme. Implementations are found by {@link java.util.ServiceLoader}, so storage
 * whose library is absent costs nothing.
 */
public interface KeyScheme {
    /** {@return the scheme of the URIs, in lower case, such as {@code s3}} */
    String scheme();

    /** {@return all schemes of the URIs, in lower case} */
    default Set<String> schemes() {
        return Set.of(scheme());
    }

    /**
     * {@return the store at a URI, which need not exist yet}
     *
     * @param uri starts with one of the schemes and {@code ://}
     * @throws dev.rechunker.store.StoreException if the URI is not understood, or a library is not on the class path;
     *     the message does not repeat parts of the URI that may be secret
     */
    KeyStore open(String uri) throws IOException;
}
