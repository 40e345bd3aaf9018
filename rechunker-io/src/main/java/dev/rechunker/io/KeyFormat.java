package dev.rechunker.io;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A format of documents and chunks under keys: a directory, a zip file, or a place in a bucket or on the web.
 *
 * @param documents the names of documents of which every group or array has one, by which a store is recognised; empty
 *     if stores are read by another format
 * @param opener opens a store that is there
 * @param creator creates one of the usual version
 * @param creators create one of a version, by its name
 * @param describer opens a store that is described
 */
record KeyFormat(
        String kind,
        String title,
        List<String> endings,
        List<String> documents,
        Opener opener,
        Creator creator,
        Map<String, Creator> creators,
        Describer describer)
        implements StoreFormat {
    /** Opens a store under keys, which are closed with it. */
    interface Opener {
        ChunkStore open(KeyStore keys) throws IOException;
    }

    /** Creates a store under keys, which are closed with it; nothing is written yet. */
    interface Creator {
        ChunkStore create(KeyStore keys);
    }

    /** Opens a store under keys as a descriptor says. */
    interface Describer {
        ChunkStore open(KeyStore keys, StoreDescriptor descriptor) throws IOException;
    }

    @Override
    public List<String> versions() {
        return List.copyOf(creators.keySet());
    }

    @Override
    public boolean isFile() {
        return false;
    }

    /** {@return what is in a directory or zip file} */
    ChunkStore open(Path path) throws IOException {
        return opener.open(Files.isDirectory(path) ? new DirectoryKeys(path) : ZipKeys.open(path));
    }

    @Override
    public ChunkStore create(Path directory) {
        return creator.create(new DirectoryKeys(directory));
    }

    @Override
    public ChunkStore create(String place) throws IOException {
        return creator.create(keys(place));
    }

    @Override
    public ChunkStore create(String place, String version) throws IOException {
        Creator known = creators.get(version);
        if (known == null) {
            throw new IllegalArgumentException(title + " has no version \"" + version + "\"; it has " + versions());
        }
        return known.create(keys(place));
    }

    private static KeyStore keys(String place) throws IOException {
        return Stores.isUri(place) ? Stores.keys(place) : new DirectoryKeys(Path.of(place));
    }
}
