package dev.rechunker.io;

import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A format whose stores are directories of this machine, which a library reads and writes by their paths.
 *
 * @param check recognises a directory
 * @param opener opens a directory
 * @param describer opens the directory of a descriptor
 * @param creator creates a directory; nothing is written yet
 */
record DirectoryFormat(
        String kind,
        String title,
        List<String> endings,
        List<String> versions,
        Check check,
        Opener opener,
        Describer describer,
        Creator creator)
        implements StoreFormat {
    /** Recognises a directory. */
    interface Check {
        boolean isIn(Path directory);
    }

    /** Opens a directory. */
    interface Opener {
        ChunkStore open(Path directory) throws IOException;
    }

    /** Opens the directory of a descriptor. */
    interface Describer {
        ChunkStore open(Path directory, StoreDescriptor descriptor) throws IOException;
    }

    /** Creates a directory. */
    interface Creator {
        ChunkStore create(Path directory);
    }

    boolean isIn(Path directory) {
        return check.isIn(directory);
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public boolean isFile(String place) {
        return false;
    }

    @Override
    public ChunkStore create(Path place) {
        return creator.create(place);
    }

    @Override
    public ChunkStore create(String place) throws StoreException {
        if (Stores.isUri(place)) {
            throw new StoreException(title + " is written to directories of this machine only; write to a path");
        }
        return create(Path.of(place));
    }

    @Override
    public ChunkStore create(String place, String version) throws StoreException {
        if (!versions.contains(version)) {
            throw new IllegalArgumentException(title + " has no version \"" + version + "\"; it has " + versions);
        }
        return create(place);
    }
}
