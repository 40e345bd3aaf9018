package dev.rechunker.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A store for the temporary copy of a run that every machine can reach, such as a prefix of a bucket. It stores values
 * under names; a value is written once, read in ranges, and deleted.
 *
 * <p>Names have the form {@code run/array/block/slab}: parts of letters, digits and hyphens, joined by {@code /}. All
 * methods may be called from any thread. Writing the same value again, also at the same time, is legal and changes
 * nothing: that is how a task is repeated. A value that was committed can be read by every process.
 */
public interface SpillStore extends Closeable {
    /** {@return where it is, for messages: {@code s3://bucket/tmp}} */
    String name();

    /** {@return a text that is equal for two spill stores exactly if they are the same place} */
    String identity();

    /**
     * {@return the description by which another process opens it, without secrets; empty if it cannot}
     *
     * @see StoreProvider#openSpill
     */
    default Optional<StoreDescriptor> descriptor() {
        return Optional.empty();
    }

    /** {@return the most bytes that one request uses in addition to the caller's buffers} */
    long requestBytes();

    /**
     * {@return the least size of the parts in which large values are written, several at once; a value up to twice that
     * size is written whole}
     */
    default long partBytes() {
        return Long.MAX_VALUE;
    }

    /** {@return the number of bytes of a range that should be read at once} */
    default int readBytes() {
        return 1 << 15;
    }

    /**
     * {@return a value to be written}
     *
     * @param parts the number of its parts, at least 1; all but the last have the same size
     */
    Value create(String name, int parts) throws IOException;

    /** A value that is written part by part, in any order, by any number of threads at once. */
    interface Value extends AutoCloseable {
        /**
         * Writes a part. If it failed, it may be called again.
         *
         * @param number of the part, from 0
         * @param bytes buffers whose remaining bytes are the part, in this order; their positions are not moved
         */
        void put(int number, List<ByteBuffer> bytes) throws IOException;

        /**
         * Makes the value readable. If it failed, it may be called again.
         *
         * @throws IllegalStateException if a part was not written, or the value was closed
         */
        void commit() throws IOException;

        /** Discards what was written, as far as possible, unless the value was committed. */
        @Override
        void close();
    }

    /**
     * {@return a range of the value with a name, to be read front to back; empty if there is no such value}
     *
     * @param offset of the range in the value
     */
    Optional<EncodedUnit> open(String name, long offset, long length) throws IOException;

    /** Deletes the values whose names start with {@code prefix + "/"}. */
    void delete(String prefix) throws IOException;

    @Override
    default void close() throws IOException {}
}
