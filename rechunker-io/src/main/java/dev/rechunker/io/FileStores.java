package dev.rechunker.io;

import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

/** {@link Stores} by URI, for whoever names a place of files and knows no formats. Found by the service loader. */
public final class FileStores implements StoreProvider {
    /** Creates it; called by the service loader. */
    public FileStores() {}

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public ChunkStore open(URI place) throws IOException {
        return Stores.open(path(place));
    }

    @Override
    public ChunkStore create(URI place) throws IOException {
        return Stores.create(path(place));
    }

    private static Path path(URI place) throws StoreException {
        try {
            return Path.of(place);
        } catch (IllegalArgumentException e) {
            throw new StoreException(place + " is not a path of a file: " + e.getMessage(), e);
        }
    }
}
