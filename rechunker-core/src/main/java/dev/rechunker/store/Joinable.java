package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import java.io.IOException;
import java.util.Optional;

/**
 * The ability of a store to let several processes write one array. A store that has it returns it from
 * {@link ChunkStore#joinable()}; processes open the store by its {@link ChunkStore#descriptor()}.
 */
public interface Joinable {
    /**
     * {@return a writer of units of an array that {@link ChunkStore#create} began and nobody committed, while other
     * processes write units of the same array}
     *
     * <p>What was written stays. If a unit is written twice, it is the one or the other. Only the last writer is
     * committed, when all others have ended: that makes the array exist, and removes incomplete units of processes that
     * were killed.
     *
     * @param spec what {@link ChunkStore#resolve} returned
     * @throws StoreException if no such array was begun there, or one with another spec
     */
    ArrayWriter join(String path, ArraySpec spec) throws IOException;

    /**
     * {@return a place next to a node for the temporary copy of processes that write it together, which readers do not
     * see; empty if there is none}
     *
     * <p>It stays open as long as this store.
     */
    default Optional<SpillStore> spillStore(String path) throws IOException {
        return Optional.empty();
    }
}
