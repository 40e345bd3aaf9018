package dev.rechunker.io.bytes;

import java.io.IOException;

/**
 * Opens the places that one kind of URI names. Implementations are found by {@link java.util.ServiceLoader}, so that a
 * kind of storage whose library is not there costs nothing.
 */
public interface KeyScheme {
    /** {@return the scheme of the URIs that it opens, in lower case: {@code s3}} */
    String scheme();

    /**
     * {@return what is at a place, or can be written there}
     *
     * @param uri starts with the scheme and {@code ://}
     * @throws dev.rechunker.store.StoreException if the URI is not understood, or a library is not on the class path;
     *     the message does not repeat what might be a secret
     */
    KeyStore open(String uri) throws IOException;
}
