package dev.rechunker.store;

import java.io.IOException;
import java.util.Optional;

/**
 * Small values that a run keeps next to a node of a store that is not a directory, until its copy to this node is done.
 * Readers of the store do not see them. Names have the form of {@link SpillStore}, and methods may be called from any
 * thread.
 */
public interface RunValues {
    /** {@return where they are, for messages} */
    String name();

    /** {@return the value with a name; empty if there is none} */
    Optional<byte[]> get(String name) throws IOException;

    /** Stores a value, which replaces an earlier one in one step. */
    void put(String name, byte[] value) throws IOException;

    /**
     * Stores a value unless the name has one.
     *
     * @return whether it was stored
     */
    boolean putNew(String name, byte[] value) throws IOException;

    /** Deletes the values whose names start with {@code prefix + "/"}. */
    void delete(String prefix) throws IOException;

    /** Deletes all values. */
    void deleteAll() throws IOException;
}
