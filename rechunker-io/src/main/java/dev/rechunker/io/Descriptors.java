package dev.rechunker.io;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeySpill;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.io.concat.Concat;
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
    private static final String CONCAT = "concat";
    private static final String KEY = "key";

    private Descriptors() {}

    /** {@return the store, or empty if it is of a kind that nobody here knows} */
    static Optional<ChunkStore> open(StoreDescriptor store) throws IOException {
        if (store.kind().equals(CONCAT)) {
            return Optional.of(Concat.open(
                    store,
                    member -> open(member)
                            .orElseThrow(() ->
                                    new StoreException("a store of kind \"" + member.kind() + "\" is not known"))));
        }
        Optional<StoreFormat> format = FormatTable.ofKind(store.kind());
        if (format.isEmpty()) {
            return Optional.empty();
        }
        if (format.get() instanceof KeyFormat tree) {
            return Optional.of(in(store, keys -> tree.describer().open(keys, store)));
        }
        return Optional.of(file((FileFormat) format.get(), store));
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

    /** {@return a file, which is a value of a key store if the descriptor has a key} */
    private static ChunkStore file(FileFormat format, StoreDescriptor store) throws IOException {
        if (!store.settings().containsKey(KEY)) {
            return format.opener().open(path(place(store)));
        }
        String key = store.text(KEY);
        return format.valueOpener().open(keys(place(store)), key);
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
