package dev.rechunker.io;

import dev.rechunker.io.bytes.KeySchemes;
import dev.rechunker.io.reference.References;
import dev.rechunker.io.tiledb.TileDb;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Opens and creates stores by URI for {@code dev.rechunker.Rechunker}, which finds this class by the service loader.
 */
public final class StoresByUri implements StoreProvider {
    private static final String FILE = "file";

    /** Creates a provider; the service loader calls this constructor. */
    public StoresByUri() {}

    @Override
    public Set<String> schemes() {
        Set<String> schemes = KeySchemes.schemes();
        schemes.add(FILE);
        return schemes;
    }

    @Override
    public ChunkStore open(URI place) throws IOException {
        return isFile(place) ? openFile(place) : Stores.open(place.toString());
    }

    /** {@return the store at a URI of a file} The URI of TileDB or of a document of references may have settings. */
    private static ChunkStore openFile(URI place) throws IOException {
        if (place.getRawQuery() == null) {
            return Stores.open(path(place));
        }
        Path path = path(URI.create(place.toString().replaceFirst("[?].*", "")));
        return TileDb.isIn(path) ? TileDb.open(path, place.getQuery()) : References.open(place, false);
    }

    /** {@return the store at a URI of a file} */
    static ChunkStore openFile(String place) throws IOException {
        try {
            return openFile(new URI(place));
        } catch (URISyntaxException e) {
            throw new StoreException("a URI that starts with file: is malformed at character " + e.getIndex());
        }
    }

    @Override
    public ChunkStore create(URI place) throws IOException {
        return isFile(place) ? Stores.create(path(place)) : Stores.create(place.toString());
    }

    @Override
    public Optional<ChunkStore> open(StoreDescriptor descriptor) throws IOException {
        return Descriptors.open(descriptor);
    }

    @Override
    public Optional<SpillStore> openSpill(StoreDescriptor descriptor) throws IOException {
        return Descriptors.openSpill(descriptor);
    }

    private static boolean isFile(URI place) {
        return FILE.equalsIgnoreCase(place.getScheme());
    }

    private static Path path(URI place) throws StoreException {
        try {
            return Path.of(place);
        } catch (IllegalArgumentException e) {
            throw new StoreException(place + " is not the path of a file: " + e.getMessage(), e);
        }
    }
}
