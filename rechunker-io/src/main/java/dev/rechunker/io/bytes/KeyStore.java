package dev.rechunker.io.bytes;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.Places;
import dev.rechunker.store.SpillStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * A place that keeps values, each a run of bytes, under keys.
 *
 * <p>A key is one or more parts joined by {@code /}. A part is not empty, neither {@code .} nor {@code ..}, and has no
 * backslash, colon or control character in it. Nor is it {@code .rechunker-run}, or begins with
 * {@code .rechunker-tmp-}: these hide what runs and sinks keep for themselves, which is neither listed nor found by a
 * key. A prefix is a key, or empty for everything. All methods may be called from any thread, and throw
 * {@link dev.rechunker.store.StoreException} if a key is malformed or leads out of the store.
 */
public interface KeyStore extends Closeable {
    /** {@return where it is, for messages} */
    String name();

    /** {@return a text that two stores share exactly if they are the same place} */
    String identity();

    /** {@return the place of what is below a prefix, in the form of {@link Places}} */
    default String place(String prefix) throws IOException {
        Keys.checkPrefix(name(), prefix);
        return Places.of(identity(), prefix);
    }

    /** {@return a URI by which another process finds the same place, without anything secret; empty if none does} */
    default Optional<String> address() {
        return Optional.empty();
    }

    /** {@return a directory on the same device, for temporary files; empty if there is none} */
    default Optional<Path> localDirectory() {
        return Optional.empty();
    }

    /** {@return what a store has that is a directory of a file system; empty for others} */
    default Optional<LocalKeys> local() {
        return Optional.empty();
    }

    /**
     * Deletes what sinks have left below a prefix, at any depth, that were never closed because their process is
     * certainly gone: of another machine, or from before this one was started, nobody knows.
     */
    default void sweep(String prefix) throws IOException {}

    /** As {@link #sweep}, but also where nobody knows: for whoever has to be the last that writes there. */
    default void sweepAll(String prefix) throws IOException {}

    /** {@return whether values can be put and deleted; if not, those methods throw UnsupportedOperationException} */
    boolean isWritable();

    /**
     * {@return whether a request takes long, however few bytes it moves: values are then best read with few requests,
     * and many at once}
     */
    default boolean isRemote() {
        return false;
    }

    /**
     * {@return whether a part of a value is read as well as the whole: no slower, and nothing is checked by reading the
     * whole}
     */
    default boolean readsParts() {
        return false;
    }

    /** {@return whether {@link #list} can tell what there is; if not, it throws UnsupportedOperationException} */
    default boolean isListable() {
        return true;
    }

    /** {@return what it holds as long as it is open, in bytes, at most: a list of its keys} */
    default long heldBytes() {
        return 0;
    }

    /** {@return what one open source or sink holds besides the caller's buffers, in bytes, at most} */
    long sourceBytes();

    /** {@return the value of a key for reading, or empty if there is none} */
    Optional<ByteSource> open(String key) throws IOException;

    /**
     * {@return the value of a key for reading, or empty if there is none}
     *
     * @param first what is going to be read first: a remote store asks for it with the request that opens the value
     */
    default Optional<ByteSource> open(String key, Span first) throws IOException {
        return open(key);
    }

    /** {@return the names directly below a prefix; both lists empty if there is nothing} */
    Listing list(String prefix) throws IOException;

    /** Stores the remaining bytes of {@code value}: readers see the old value or the new one, nothing in between. */
    void put(String key, ByteBuffer value) throws IOException;

    /**
     * Stores a value under a key that has none. If two do so at once, one of them succeeds, as far as the store can
     * tell.
     *
     * @return whether it was stored; false if there is a value
     */
    default boolean putNew(String key, ByteBuffer value) throws IOException {
        Optional<ByteSource> there = open(key);
        if (there.isPresent()) {
            there.get().close();
            return false;
        }
        put(key, value);
        return true;
    }

    /**
     * {@return what a sink takes from the scratch, at most}
     *
     * @param most the most bytes of its value
     */
    default long sinkScratch(long most) {
        return 0;
    }

    /**
     * {@return a sink for a value that is put together piece by piece and seen by readers when it is committed}
     *
     * @param most the most bytes that the value will have
     * @param scratch of which it takes {@link #sinkScratch}, and uses until it is closed
     */
    ByteSink create(String key, long most, Scratch scratch) throws IOException;

    /** {@return whether there is {@link #createShared}} */
    default boolean sharesSinks() {
        return false;
    }

    /**
     * {@return a sink for a value whose pieces come in any order}
     *
     * @throws UnsupportedOperationException if the store has none
     */
    default SharedSink createShared(String key) throws IOException {
        throw new UnsupportedOperationException(name() + " takes values front to back");
    }

    /**
     * {@return a shared sink that another one can go on with, of which there is one at a time for a key}
     *
     * @param kept the bytes, at least, that an earlier one has written that was neither committed nor closed, if this
     *     one goes on with it
     * @throws dev.rechunker.store.StoreException if they are not there
     * @throws UnsupportedOperationException if the store has none
     */
    default SharedSink createLasting(String key, OptionalLong kept) throws IOException {
        throw new UnsupportedOperationException(name() + " takes values front to back");
    }

    /**
     * {@return a file, which need not exist, for what is to be known of lasting sinks below a prefix} It is no value,
     * and goes with the values below the prefix when those are deleted.
     *
     * @throws UnsupportedOperationException if the store has no shared sinks
     */
    default Path notesOnSinks(String prefix) throws IOException {
        throw new UnsupportedOperationException(name() + " takes values front to back");
    }

    /** {@return the size of the parts of large values in {@link #createInParts}; 0 if the store has none} */
    default long partBytes() {
        return 0;
    }

    /**
     * {@return a value that is put in parts, in any order and by several threads, and replaces one that was there}
     *
     * @param parts how many; all but the last have one size, which is at least {@link #partBytes()}
     * @throws UnsupportedOperationException if the store has none
     */
    default SpillStore.Value createInParts(String key, int parts) throws IOException {
        throw new UnsupportedOperationException(name() + " takes values front to back");
    }

    /** Deletes the value of a key, if there is one. */
    void delete(String key) throws IOException;

    /**
     * Deletes the value of a key, every value whose key starts with {@code prefix + "/"}, and what runs and sinks have
     * left there; links are removed, not followed.
     *
     * @param prefix not empty: a store is not deleted as a whole
     */
    void deleteTree(String prefix) throws IOException;

    /**
     * Deletes values all parts of whose names below a prefix {@code names} accepts, and what was left among them by
     * sinks that were never closed. Others stay, and so do the directories that hold them. Links are removed, not
     * followed.
     */
    void deleteBelow(String prefix, Predicate<String> names) throws IOException;

    @Override
    default void close() throws IOException {}
}
