package dev.rechunker.io;

import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A format whose stores consist of documents and chunks under keys: in a directory, in a zip file, in a bucket or on a
 * web server.
 *
 * @param documents the names of the documents by which a store is recognised: each group or array has one of them;
 *     empty if stores of this format are opened by another format
 * @param opener opens an existing store
 * @param creator creates a store of the default version
 * @param creators create a store of a version, by the name of the version
 * @param describer opens a store by its descriptor
 * @param zipped whether stores are also written as zip files
 */
record KeyFormat(
        String kind,
        String title,
        List<String> endings,
        List<String> documents,
        Opener opener,
        Creator creator,
        Map<String, Creator> creators,
        Describer describer,
        boolean zipped)
        implements StoreFormat {
    /** The end of a path or URI of a zip file. */
    private static final Pattern ZIP_ENDING = Pattern.compile("(?i)[.](zip|ozx)/*([?].*)?$");

    /** Opens a store in a key store. The opened store closes the key store when it is closed. */
    interface Opener {
        ChunkStore open(KeyStore keys) throws IOException;
    }

    /** Creates a store in a key store, which it closes when it is closed. Nothing is written yet. */
    interface Creator {
        ChunkStore create(KeyStore keys);
    }

    /** Opens the store of a descriptor in a key store. */
    interface Describer {
        ChunkStore open(KeyStore keys, StoreDescriptor descriptor) throws IOException;
    }

    @Override
    public List<String> versions() {
        return List.copyOf(creators.keySet());
    }

    @Override
    public boolean isLocal() {
        return false;
    }

    @Override
    public boolean isFile(String place) {
        return zipped && hasZipEnding(place);
    }

    /** {@return the store in a directory, whose keys {@code directory} makes, or in a zip file} */
    ChunkStore open(Path path, Function<Path, DirectoryKeys> directory) throws IOException {
        return opener.open(Files.isDirectory(path) ? directory.apply(path) : ZipKeys.open(path));
    }

    @Override
    public ChunkStore create(Path place) {
        return creator.create(keys(place));
    }

    @Override
    public ChunkStore create(String place) throws IOException {
        return creator.create(keys(place));
    }

    @Override
    public ChunkStore create(String place, String version) throws IOException {
        Creator requested = creators.get(version);
        if (requested == null) {
            throw new IllegalArgumentException(title + " has no version \"" + version + "\"; it has " + versions());
        }
        return requested.create(keys(place));
    }

    private KeyStore keys(String place) throws IOException {
        if (hasZipEnding(place) && !zipped) {
            throw new StoreException(title + " is not written to zip files; end the name otherwise: " + place);
        }
        if (!Stores.isUri(place)) {
            return keys(Path.of(place));
        }
        if (hasZipEnding(place)) {
            throw new StoreException("zip files are written on this machine only; write to a path, or to a name without"
                    + " the ending of a zip file: " + place);
        }
        return Stores.keys(place);
    }

    private KeyStore keys(Path place) {
        return isFile(place.toString()) ? AssembledKeys.zip(place) : new DirectoryKeys(place);
    }

    private static boolean hasZipEnding(String place) {
        return ZIP_ENDING.matcher(place).find();
    }
}
