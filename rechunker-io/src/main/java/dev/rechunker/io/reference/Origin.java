package dev.rechunker.io.reference;

import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The location of a document of references, to which names of files in it are relative. */
sealed interface Origin {
    /** {@return the location, for messages} */
    String name();

    /** {@return the location as data that a copy must not overwrite} */
    DataPlace place() throws IOException;

    /** {@return the document} */
    InputStream open() throws IOException;

    /** {@return the settings of buckets, without a question mark; empty if there are none} */
    String settings();

    /** {@return the descriptor of the store, if another process can open it} */
    Optional<StoreDescriptor> descriptor();

    /**
     * A file on this machine.
     *
     * @param followLinks whether the document may name files outside of its directory
     * @param settings the settings of buckets that it names
     */
    record Local(Path file, boolean followLinks, String settings) implements Origin {
        @Override
        public String name() {
            return file.toString();
        }

        @Override
        public DataPlace place() {
            return DataPlace.ofFile(file);
        }

        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(file);
        }

        @Override
        public Optional<StoreDescriptor> descriptor() {
            String uri = file.toAbsolutePath().normalize().toUri().toString();
            StoreDescriptor plain =
                    StoreDescriptor.of(References.KIND, settings.isEmpty() ? uri : uri + "?" + settings);
            return Optional.of(followLinks ? plain.with("links", "follow") : plain);
        }
    }

    /** A value of a key store. */
    record Remote(KeyStore keys, String key) implements Origin {
        @Override
        public String name() {
            return keys.name() + "/" + key;
        }

        @Override
        public DataPlace place() throws IOException {
            return keys.place(key);
        }

        @Override
        public InputStream open() throws IOException {
            return ValueInput.open(keys, key);
        }

        @Override
        public String settings() {
            String address = keys.address().orElse("");
            int question = address.indexOf('?');
            return question < 0 ? "" : address.substring(question + 1);
        }

        @Override
        public Optional<StoreDescriptor> descriptor() {
            return keys.address()
                    .map(address -> StoreDescriptor.of(References.KIND, address).with("key", key));
        }
    }
}
