package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What a {@link KeyStore} has that is a writable directory of a file system; it returns it from its {@code local()}.
 */
public interface LocalKeys {
    /**
     * {@return a directory below a prefix that is not part of the store, for the files of a run that writes there}
     *
     * @throws dev.rechunker.store.StoreException if it would not be inside the directory
     */
    Path workDirectory(String prefix) throws IOException;

    /** Makes all later writes durable: what is put or committed is on its device before the method returns. */
    void makeDurable();
}
