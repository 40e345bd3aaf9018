package dev.rechunker.io.bytes;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A place that keeps values, each a run of bytes, under keys.
 *
 * <p>A key is one or more parts joined by {@code /}. A part is not empty, neither {@code .} nor {@code ..}, and has no
 * backslash, colon or control character in it. A prefix is a key, or empty for everything. All methods may be called
 * from any thread, and throw {@link dev.rechunker.store.StoreException} if a key is malformed or leads out of the
 * store.
 */
public interface KeyStore extends Closeable {
    /** {@return where it is, for messages} */
    String name();

    /** {@return a text that two stores share exactly if they are the same place} */
    String identity();

    /** {@return a directory on the same device, for temporary files; empty if there is none} */
    default Optional<Path> localDirectory() {
        return Optional.empty();
    }

    /**
     * {@return a directory below a prefix that is no part of the store, for the files of a run that writes there; empty
     * if there is none}
     */
    default Optional<Path> workDirectory(String prefix) throws IOException {
        return Optional.empty();
    }

    /**
     * Deletes what sinks have left below a prefix, at any depth, that were never closed because their process is gone.
     */
    default void sweep(String prefix) throws IOException {}

    /**
     * Has what is put or committed from now on on its device when the method returns that does it.
     *
     * @throws UnsupportedOperationException if that cannot be promised
     */
    default void makeDurable() {
        throw new UnsupportedOperationException(
                name() + " cannot promise that what was written survives a loss of power");
    }

    /** {@return whether values can be put and deleted; if not, those methods throw UnsupportedOperationException} */
    boolean isWritable();

    /** {@return what one open source holds besides the caller's buffers, in bytes, at most} */
    long sourceBytes();

    /** {@return the value of a key for reading, or empty if there is none} */
    Optional<ByteSource> open(String key) throws IOException;

    /** {@return the names directly below a prefix; both lists empty if there is nothing} */
    Listing list(String prefix) throws IOException;

    /** Stores the remaining bytes of {@code value}: readers see the old value or the new one, nothing in between. */
    void put(String key, ByteBuffer value) throws IOException;

    /** {@return a sink for a value that is put together piece by piece and seen by readers when it is committed} */
    ByteSink create(String key) throws IOException;

    /** Deletes the value of a key, if there is one. */
    void delete(String key) throws IOException;

    /**
     * Deletes every value whose key starts with {@code prefix + "/"}; links are removed, not followed.
     *
     * @param prefix not empty: a store is not deleted as a whole
     */
    void deleteTree(String prefix) throws IOException;

    /**
     * Deletes what is directly below a prefix and has a name that {@code names} accepts, a directory with everything
     * below it, and what was left there by sinks that were never closed.
     */
    void deleteBelow(String prefix, Predicate<String> names) throws IOException;

    @Override
    default void close() throws IOException {}
}
