package dev.rechunker.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A place for the temporary copy of a run that any machine reaches, such as a prefix of a bucket: values under names,
 * written once, read in ranges, and deleted.
 *
 * <p>Names are of the form {@code run/array/block/slab}: parts of letters, digits and hyphens, joined by {@code /}. All
 * methods may be called from any thread. Putting the same value again, also at the same time, is legal and changes
 * nothing: that is how a task is repeated. What was put is read from then on by every process.
 */
public interface SpillStore extends Closeable {
    /** {@return where it is, for messages: {@code s3://bucket/tmp}} */
    String name();

    /** {@return a text that two share exactly if they are the same place} */
    String identity();

    /**
     * {@return what another process opens it by, without anything secret; empty if it cannot}
     *
     * @see StoreProvider#openSpill
     */
    default Optional<StoreDescriptor> descriptor() {
        return Optional.empty();
    }

    /** {@return what one request holds besides the caller's buffers, in bytes, at most} */
    long requestBytes();

    /**
     * {@return the least size of the parts in which larger values are put, several at once; a value of up to twice that
     * is put whole}
     */
    default long partBytes() {
        return Long.MAX_VALUE;
    }

    /** {@return how many bytes of a range are best read at once} */
    default int readBytes() {
        return 1 << 15;
    }

    /**
     * {@return a value in the making}
     *
     * @param parts how many it will have, at least 1; all but the last have the same size
     */
    Value create(String name, int parts) throws IOException;

    /** A value that is put part by part, in any order, by any number of threads at once. */
    interface Value extends AutoCloseable {
        /**
         * Puts a part; again, if it failed.
         *
         * @param number from 0
         * @param bytes the remaining bytes of these buffers, one behind the other; they are not moved
         */
        void put(int number, List<ByteBuffer> bytes) throws IOException;

        /**
         * Has the value readable; again, if it failed.
         *
         * @throws IllegalStateException if a part was not put, or the value was given up
         */
        void commit() throws IOException;

        /** Gives up what was put, as far as that can be done, unless it is there. */
        @Override
        void close();
    }

    /**
     * {@return the value of a name, opened with the request for a range of it; or empty if there is none}
     *
     * @param offset where the range begins in the value; it is read front to back
     */
    Optional<EncodedUnit> open(String name, long offset, long length) throws IOException;

    /** Deletes the values whose names start with {@code prefix + "/"}. */
    void delete(String prefix) throws IOException;

    @Override
    default void close() throws IOException {}
}
