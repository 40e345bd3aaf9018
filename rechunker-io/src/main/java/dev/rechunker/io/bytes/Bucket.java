package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The requests to a bucket of an object store, by which {@link BucketKeys} is a key store. Keys are those of the whole
 * bucket, without a slash at the start. A request is repeated as long as that may help. Then it fails with a
 * {@link dev.rechunker.store.StoreException} if it will always fail, and with another exception of I/O if it may
 * succeed later.
 */
public interface Bucket {
    /** {@return the location of the bucket, for messages, such as {@code s3://bucket}} */
    String name();

    /** {@return the location of the bucket, equal for all addresses of it} */
    String identity();

    /** {@return the memory of the client for one request, in bytes, TLS included} */
    long requestBytes();

    /** {@return the number of parts of which an {@link #upload} consists at most} */
    int mostParts();

    /**
     * {@return a response with a range of a value, or with all of it; empty if there is no such value}
     *
     * @param name the name of the value in messages
     * @param retries counts failures, incomplete responses included; ignored by clients that count by themselves
     */
    Optional<RangeSource.Answer> get(String name, String key, Span span, Retries retries) throws IOException;

    /** Stores the remaining bytes of buffers as one value, by one request. The buffers are not moved. */
    void put(String key, List<ByteBuffer> value) throws IOException;

    /** Stores a value, as {@link #put}, if the key has none. */
    PutNew putNew(String key, List<ByteBuffer> value) throws IOException;

    /** The result of {@link #putNew}. */
    enum PutNew {
        /** The value was stored. */
        STORED,
        /** The key has a value. */
        EXISTS,
        /**
         * The key has a value, which may be this one: the request was repeated, and the response to the first one may
         * have been lost.
         */
        MAY_BE_OURS,
        /** The server does not support the condition, and the value was not stored. */
        UNSUPPORTED
    }

    /** {@return a value that is sent in parts} */
    Upload<?> upload(String key);

    /**
     * Lists the keys that start with a prefix.
     *
     * @param isFlat whether to list only keys without a slash after the prefix, and the others by what they have before
     *     that slash
     */
    void list(String prefix, boolean isFlat, Pages pages) throws IOException;

    /** Receives the pages of a listing. */
    interface Pages {
        /**
         * Receives a page.
         *
         * @param keys keys of values
         * @param prefixes starts of keys, which end with a slash
         */
        void accept(List<String> keys, List<String> prefixes) throws IOException;
    }

    /** Deletes values, of which some may not exist. */
    void delete(List<String> keys) throws IOException;

    /** Closes what was opened for this bucket. */
    void close();
}
