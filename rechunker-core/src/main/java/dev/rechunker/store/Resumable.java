package dev.rechunker.store;

import dev.rechunker.array.ArraySpec;
import java.io.IOException;
import java.nio.file.Path;

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
     */
    Path workDirectory(String path) throws IOException;

    /**
     * {@return a writer that continues an array whose writer was closed, or its process killed, before the commit; what
     * was written stays}
     *
     * @param spec what {@link ChunkStore#resolve} returned
     * @throws StoreException if there is no such array, or it was created with another spec
     */
    ArrayWriter resume(String path, ArraySpec spec) throws IOException;
}
