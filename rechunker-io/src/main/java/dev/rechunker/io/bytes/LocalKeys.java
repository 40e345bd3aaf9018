package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.file.Path;

/** What a {@link KeyStore} can do only if it is a writable directory of a file system. */
public interface LocalKeys {
    /**
     * {@return a directory below a prefix, hidden from the store, for the files of a run that writes there}
     *
     * @throws dev.rechunker.store.StoreException if it would be outside of the store's directory
     */
    Path workDirectory(String prefix) throws IOException;

    /** Makes later writes durable: each value is on its device before the method that puts or commits it returns. */
    void makeDurable();
}
