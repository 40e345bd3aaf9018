package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;

/** Prints the result of using a key that is not ASCII, in a process of its own with another encoding of file names. */
final class FileNamesMain {
    private FileNamesMain() {}

    /** Takes the path of a directory. */
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
