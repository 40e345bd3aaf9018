package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;

/** Prints what comes of a key that is not of ASCII: in a process of its own, with file names of its own encoding. */
final class FileNamesMain {
    private FileNamesMain() {}

    /** Takes a directory. */
    public static void main(String[] args) throws IOException {
        DirectoryKeys keys = new DirectoryKeys(Path.of(args[0]));
        try {
            keys.open("gr\u00f6\u00dfe/zarr.json");
        } catch (StoreException e) {
            System.out.println("open=" + e.getMessage());
        }
        try {
            keys.list("gr\u00f6\u00dfe");
        } catch (StoreException e) {
            System.out.println("list=" + e.getMessage());
        }
    }
}
