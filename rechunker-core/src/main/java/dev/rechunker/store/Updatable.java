package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import java.io.Closeable;
import java.io.IOException;

/**
 * The ability of a store to change arrays that exist: to write their units again, and to make their axes longer. A
 * store that has it returns it from {@link ChunkStore#updatable()}.
 */
public interface Updatable {
    /**
     * {@return a writer of an array that exists}
     *
     * <p>Units that are not written stay as they are. A unit that is written replaces the existing one in one step,
     * when it is written or when the array is committed. If the spec is longer than the array, the array becomes longer
     * when {@link ArrayWriter#commit()} returns, in one step; without a commit it does not. Readers that were opened
     * before see the array with its old length.
     *
     * @param path the path of the array
     * @param spec what {@link ChunkStore#node} says, or the same with larger extents
     * @throws StoreException if there is no array, or one that this store cannot change
     * @throws IllegalArgumentException if the spec is not that of the array with the same or larger extents
     */
    ArrayWriter update(String path, ArraySpec spec) throws IOException;

    /**
     * Keeps other runs from writing into an array that exists, by a note that remains if this process is killed. A
     * store with a {@link Resumable#workDirectory} does not need it. By default it does nothing.
     *
     * @return a resource that removes the note when it is closed
     * @throws StoreException if another run is writing into the array, or was killed while it did
     */
    default Closeable hold(String path) throws IOException {
        return () -> {};
    }
}
