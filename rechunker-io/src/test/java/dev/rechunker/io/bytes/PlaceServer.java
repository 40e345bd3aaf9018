package dev.rechunker.io.bytes;

import java.io.IOException;

/** A server on this machine that stands in for a place, such as Google Cloud Storage. */
public interface PlaceServer extends AutoCloseable {
    /** {@return the address of the server, without a trailing slash} */
    String address();

    /**
     * {@return the URI of a path in a new bucket}
     *
     * @param address the address of the server, or of a proxy for it
     */
    String place(String address, String path) throws IOException;

    /** {@return the URI of a path in a new bucket} */
    default String place(String path) throws IOException {
        return place(address(), path);
    }

    @Override
    void close();
}
