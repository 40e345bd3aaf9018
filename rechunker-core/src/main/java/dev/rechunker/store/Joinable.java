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
     * {@return a writer of units of an array that was created but not committed; other processes may write units of the
     * same array at the same time}
     *
     * <p>What was written stays. If a unit is written twice, it is one of the two, complete. Only one writer is
     * committed, after all others have ended. That makes the array exist, and removes incomplete units of processes
     * that were killed.
     *
     * @param spec what {@link ChunkStore#resolve} returned
     * @throws StoreException if there is no such array, or it was created with another spec
     */
    ArrayWriter join(String path, ArraySpec spec) throws IOException;

    /**
     * {@return a store next to a node for the temporary copy of the processes that write the node; readers do not see
     * it. Empty if there is none}
     *
     * <p>It stays open as long as this store.
     */
    default Optional<SpillStore> spillStore(String path) throws IOException {
        return Optional.empty();
    }
}
