package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The ability of a store to resume arrays that were created but not committed, also in another process. A store that
 * has it returns it from {@link ChunkStore#resumable()}.
 */
public interface Resumable {
    /**
     * {@return a directory that readers do not see, for the files that a run keeps until a copy to this node is done}
     *
     * <p>It need not exist. The run that creates it removes it.
     *
     * @throws StoreException if it would not be inside the store
     * @throws UnsupportedOperationException if the store has {@link #runValues} instead
     */
    Path workDirectory(String path) throws IOException;

    /** {@return what a store has instead of a {@link #workDirectory} if it is in no directory; otherwise empty} */
    default Optional<RunValues> runValues(String path) throws IOException {
        return Optional.empty();
    }

    /**
     * {@return a number that identifies the creation of an unfinished array in a store with {@link #runValues}, where
     * another run may have created the same array again meanwhile; 0 if there is no such array, or no such number}
     */
    default long creation(String path) throws IOException {
        return 0;
    }

    /**
     * {@return a writer that continues an array whose writer was closed, or its process killed, before the commit; what
     * was written stays}
     *
     * @param spec what {@link ChunkStore#resolve} returned
     * @throws StoreException if there is no such array, or it was created with another spec
     */
    ArrayWriter resume(String path, ArraySpec spec) throws IOException;
}
