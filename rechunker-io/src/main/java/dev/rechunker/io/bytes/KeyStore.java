package dev.rechunker.io.bytes;

import dev.rechunker.resource.Scratch;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.RunValues;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * A store of values, each a sequence of bytes, under keys.
 *
 * <p>A key is one or more parts joined by {@code /}. A part is not empty, {@code .} or {@code ..}, and contains no
 * backslash or control character, nor, in a directory on Windows, a colon. It is not {@code .rechunker-run} and does
 * not start with {@code .rechunker-tmp-}: these names are reserved for files of runs and sinks, which are neither
 * listed nor found by a key. A prefix is a key, or empty for the whole store. All methods may be called from any
 * thread, and throw {@link dev.rechunker.store.StoreException} if a key is malformed or leads out of the store.
 */
public interface KeyStore extends Closeable {
    /** {@return the location of the store, for messages} */
    String name();

    /** {@return a text that is equal for two stores exactly if they are at the same location} */
    String identity();

    /** {@return the location of the values below a prefix} */
    default DataPlace place(String prefix) throws IOException {
        Keys.checkPrefix(name(), prefix);
        return DataPlace.of(identity()).below(prefix);
    }

    /** {@return the locations that data below a prefix may be in; the first is that of the keys} */
    default List<DataPlace> places(String prefix) throws IOException {
        return List.of(place(prefix));
    }

    /** {@return the descriptor of a store of a format in this key store; empty if no other process can open it} */
    default Optional<StoreDescriptor> descriptor(String kind) {
        return address().map(address -> StoreDescriptor.of(kind, address));
    }

    /** {@return a URI, without secrets, by which another process can open the same store; empty if there is none} */
    default Optional<String> address() {
        return Optional.empty();
    }

    /** {@return a local directory on the same device, for temporary files; empty if there is none} */
    default Optional<Path> localDirectory() {
        return Optional.empty();
    }

    /** {@return what only a store in a directory of a file system can do; empty for others} */
    default Optional<LocalKeys> local() {
        return Optional.empty();
    }

    /**
     * {@return the values of a run that writes below a prefix, which are hidden from the store, where that has no
     * directory for them; otherwise empty}
     */
    default Optional<RunValues> runValues(String prefix) {
        return Optional.empty();
    }

    /**
     * Deletes uncommitted files below a prefix, at any depth, whose process is certain to have ended. Files of another
     * machine, or from before this machine was started, stay: whether their process still runs is unknown.
     */
    default void deleteAbandoned(String prefix) throws IOException {}

    /**
     * Deletes the same files as {@link #deleteAbandoned}, and those of which it is unknown whether their process still
     * runs. For a caller that is certain to be the only one that writes there.
     */
    default void deleteUncommitted(String prefix) throws IOException {}

    /** {@return whether values can be put and deleted; if not, these methods throw UnsupportedOperationException} */
    boolean isWritable();

    /**
     * {@return whether a request takes long even for few bytes, so that callers should make few requests, many of them
     * at the same time}
     */
    default boolean isRemote() {
        return false;
    }

    /**
     * {@return whether reading parts of values costs no more than reading whole ones, and skips no check of the whole}
     */
    default boolean readsParts() {
        return false;
    }

    /** {@return whether {@link #list} is supported; if not, it throws UnsupportedOperationException} */
    default boolean isListable() {
        return true;
    }

    /** {@return the memory, in bytes, that the store uses at most as long as it is open, such as a list of its keys} */
    default long heldBytes() {
        return 0;
    }

    /** {@return the memory, in bytes, that one open source or sink uses at most in addition to the caller's buffers} */
    long sourceBytes();

    /** {@return the value of a key, for reading; empty if there is none} */
    Optional<ByteSource> open(String key) throws IOException;

    /**
     * {@return the value of a key, for reading; empty if there is none}
     *
     * @param first the bytes that will be read first: a remote store requests them when it opens the value
     */
    default Optional<ByteSource> open(String key, Span first) throws IOException {
        return open(key);
    }

    /** {@return the names directly below a prefix; empty if there are none} */
    Listing list(String prefix) throws IOException;

    /** Stores the remaining bytes of {@code value}. Readers see either the old value or the new one. */
    void put(String key, ByteBuffer value) throws IOException;

    /**
     * Stores a value under a key that has none. If two callers do so at the same time, one of them succeeds, as far as
     * the store can guarantee it.
     *
     * @return whether the value was stored; false if the key already has one
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
     * {@return the bytes that a sink takes from the scratch memory at most}
     *
     * @param most the maximum size of its value, in bytes
     */
    default long sinkScratch(long most) {
        return 0;
    }

    /**
     * {@return a sink for a value that is written in pieces and becomes visible when it is committed}
     *
     * @param most the maximum size of the value, in bytes
     * @param scratch memory of which the sink takes {@link #sinkScratch} bytes, and uses them until it is closed
     */
    ByteSink create(String key, long most, Scratch scratch) throws IOException;

    /** {@return whether {@link #createShared} is supported} */
    default boolean sharesSinks() {
        return false;
    }

    /**
     * {@return a sink for a value whose pieces are written in any order}
     *
     * @throws UnsupportedOperationException if the store does not support this
     */
    default SharedSink createShared(String key) throws IOException {
        throw new UnsupportedOperationException(name() + " accepts values from start to end only");
    }

    /**
     * {@return a shared sink that a later run can resume; there is at most one at a time for a key}
     *
     * @param kept if this sink resumes an earlier one that was neither committed nor closed: the least number of bytes
     *     that the earlier one has written
     * @throws dev.rechunker.store.StoreException if the earlier one has left fewer bytes, or none
     * @throws UnsupportedOperationException if the store does not support this
     */
    default SharedSink createResumable(String key, OptionalLong kept) throws IOException {
        throw new UnsupportedOperationException(name() + " accepts values from start to end only");
    }

    /**
     * {@return a file, which need not exist, for notes on the resumable sinks below a prefix} It is hidden from the
     * store, and deleted with the values below the prefix.
     *
     * @throws UnsupportedOperationException if the store does not support shared sinks
     */
    default Path resumableSinksFile(String prefix) throws IOException {
        throw new UnsupportedOperationException(name() + " accepts values from start to end only");
    }

    /**
     * {@return the least size, in bytes, of a part of a value in {@link #createInParts}; 0 if the store does not
     * support it}
     */
    default long partBytes() {
        return 0;
    }

    /**
     * {@return a value that is put in parts, in any order and by several threads, and then replaces the value of the
     * key}
     *
     * @param parts the number of parts; all but the last have the same size, which is at least {@link #partBytes()}
     * @throws UnsupportedOperationException if the store does not support this
     */
    default SpillStore.Value createInParts(String key, int parts) throws IOException {
        throw new UnsupportedOperationException(name() + " accepts values from start to end only");
    }

    /** Deletes the value of a key, if there is one. */
    void delete(String key) throws IOException;

    /**
     * Deletes the value of a key, every value whose key starts with {@code prefix + "/"}, and the hidden files of runs
     * and sinks there. Links are removed, not followed.
     *
     * @param prefix must not be empty: a store is not deleted as a whole
     */
    void deleteTree(String prefix) throws IOException;

    /**
     * Deletes the values below a prefix of whose keys {@code names} accepts every part below the prefix, and
     * uncommitted files among them. All other values stay, as do the directories that contain them. Links are removed,
     * not followed.
     */
    void deleteBelow(String prefix, Predicate<String> names) throws IOException;

    @Override
    default void close() throws IOException {}
}
