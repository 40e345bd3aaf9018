package dev.rechunker.io;

import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeySpill;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.io.concat.Concat;
import dev.rechunker.io.reference.References;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.SpillStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import dev.rechunker.view.ViewedStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the stores of this library by their descriptors. */
final class Descriptors {
    private static final String CONCAT = "concat";
    private static final String KEY = "key";
    private static final String LINKS = "links";

    private Descriptors() {}

    /** {@return the store, or empty if this library has no stores of its kind} */
    static Optional<ChunkStore> open(StoreDescriptor store) throws IOException {
        if (store.kind().equals(CONCAT)) {
            return Optional.of(Concat.open(store, Descriptors::member));
        }
        Optional<StoreFormat> format = FormatTable.ofKind(store.kind());
        if (format.isEmpty()) {
            return Optional.empty();
        }
        if (format.get() instanceof KeyFormat tree) {
            return Optional.of(withKeys(store, keys -> tree.describer().open(keys, store)));
        }
        if (format.get() instanceof DirectoryFormat local) {
            return Optional.of(local.describer().open(path(place(store)), store));
        }
        return Optional.of(file((FileFormat) format.get(), store));
    }

    /** {@return the store of a source that is joined with others, which may be a view} */
    private static ChunkStore member(StoreDescriptor store) throws IOException {
        if (store.kind().equals(ViewedStore.KIND)) {
            return ViewedStore.open(store, Descriptors::member);
        }
        return open(store)
                .orElseThrow(() -> new StoreException("this library has no stores of kind \"" + store.kind() + "\""));
    }

    /** {@return the place for spills, or empty if this library has no such places of its kind} */
    static Optional<SpillStore> openSpill(StoreDescriptor store) throws IOException {
        return store.kind().equals(KeySpill.KIND)
                ? Optional.of(withKeys(store, keys -> KeySpill.of(store, keys)))
                : Optional.empty();
    }

    /** Opens an object in a key store. The object closes the key store when it is closed. */
    @FunctionalInterface
    private interface KeyOpener<T> {
        T open(KeyStore keys) throws IOException;
    }

    /** {@return an object in the key store of a descriptor; the key store is closed if the object cannot be opened} */
    private static <T> T withKeys(StoreDescriptor store, KeyOpener<T> opener) throws IOException {
        KeyStore keys = keys(place(store));
        try {
            return opener.open(keys);
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
    }

    private static String place(StoreDescriptor store) throws StoreException {
        return store.text("place");
    }

    /** {@return the store in a file; the file is a value of a key store if the descriptor has a key} */
    private static ChunkStore file(FileFormat format, StoreDescriptor store) throws IOException {
        if (!store.settings().containsKey(KEY)) {
            if (format.kind().equals(References.KIND) && place(store).contains("?")) {
                return References.open(
                        URI.create(place(store)), store.settings().containsKey(LINKS));
            }
            FileFormat.FileOpener opener =
                    store.settings().containsKey(LINKS) ? format.followingOpener() : format.opener();
            return opener.open(path(place(store)));
        }
        String key = store.text(KEY);
        return format.valueOpener().open(keys(place(store)), key);
    }

    private static KeyStore keys(String place) throws IOException {
        if (!place.startsWith("file:")) {
            return Stores.keys(place);
        }
        try {
            if (AssembledKeys.isAddress(place)) {
                return AssembledKeys.at(place);
            }
            DirectoryKeys directory = DirectoryKeys.at(place);
            Path path = Path.of(directory.name());
            return Files.isRegularFile(path) ? ZipKeys.open(path) : directory;
        } catch (IllegalArgumentException e) {
            throw new StoreException(place + " is not the path of a file: " + e.getMessage(), e);
        }
    }

    private static Path path(String place) throws StoreException {
        try {
            return Path.of(URI.create(place));
        } catch (IllegalArgumentException e) {
            throw new StoreException(place + " is not the path of a file: " + e.getMessage(), e);
        }
    }
}
