package dev.rechunker.io;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeySpill;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.io.zarr.ZarrFormat;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the stores of this library by their descriptors. */
final class Descriptors {
    private Descriptors() {}

    /** {@return the store, or empty if it is of a kind that nobody here knows} */
    static Optional<ChunkStore> open(StoreDescriptor store) throws IOException {
        return switch (store.kind()) {
            case "zarr" -> Optional.of(zarr(store));
            case "n5" -> Optional.of(in(store, N5::create));
            case "ome-zarr" -> Optional.of(in(store, keys -> OmeZarr.create(keys, store)));
            case "hdf5" -> Optional.of(hdf5(store));
            case "concat" ->
                Optional.of(Concat.open(
                        store,
                        member -> open(member)
                                .orElseThrow(() ->
                                        new StoreException("a store of kind \"" + member.kind() + "\" is not known"))));
            default -> Optional.empty();
        };
    }

    /** {@return the place for spills, or empty if it is of a kind that nobody here knows} */
    static Optional<SpillStore> openSpill(StoreDescriptor store) throws IOException {
        return store.kind().equals(KeySpill.KIND)
                ? Optional.of(in(store, keys -> KeySpill.of(store, keys)))
                : Optional.empty();
    }

    /** What opens something that is kept in a key store, and closes that with it. */
    @FunctionalInterface
    private interface Door<T> {
        T open(KeyStore keys) throws IOException;
    }

    /** {@return what a door opens in the key store that is described, which is closed if it refuses} */
    private static <T> T in(StoreDescriptor store, Door<T> door) throws IOException {
        KeyStore keys = keys(place(store));
        try {
            return door.open(keys);
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
    }

    private static String place(StoreDescriptor store) throws StoreException {
        return store.text("place");
    }

    private static ChunkStore zarr(StoreDescriptor store) throws IOException {
        return in(
                store,
                keys -> store.settings().containsKey("format")
                        ? Zarr.create(keys, format(store.text("format")))
                        : Zarr.create(keys));
    }

    private static ChunkStore hdf5(StoreDescriptor store) throws IOException {
        if (!store.settings().containsKey("key")) {
            return Hdf5.open(path(place(store)));
        }
        String key = store.text("key");
        return Hdf5.open(keys(place(store)), key);
    }

    private static ZarrFormat format(String name) throws StoreException {
        try {
            return ZarrFormat.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new StoreException("a version of Zarr is called \"" + name + "\", which is not known", e);
        }
    }

    private static KeyStore keys(String place) throws IOException {
        if (!place.startsWith("file:")) {
            return Stores.keys(place);
        }
        Path path = path(place);
        return Files.isRegularFile(path) ? ZipKeys.open(path) : new DirectoryKeys(path);
    }

    private static Path path(String place) throws StoreException {
        try {
            return Path.of(URI.create(place));
        } catch (IllegalArgumentException e) {
            throw new StoreException(place + " is not a path of a file: " + e.getMessage(), e);
        }
    }
}
