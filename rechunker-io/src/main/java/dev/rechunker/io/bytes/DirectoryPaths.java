package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Where values lie below a directory: nothing outside of it is reached, whatever links are in it. */
final class DirectoryPaths {
    private static final int REMEMBERED = 1 << 12;

    private final Path root;
    private final Set<Path> inside = ConcurrentHashMap.newKeySet();

    DirectoryPaths(Path root) {
        this.root = root;
    }

    /** {@return the directory} */
    Path root() {
        return root;
    }

    /**
     * {@return the file of a key}
     *
     * @throws StoreException if the key is malformed
     */
    Path file(String key) throws StoreException {
        Keys.check(root.toString(), key);
        return resolve(key);
    }

    /**
     * {@return the directory of a prefix, the root for the empty one}
     *
     * @throws StoreException if the prefix is malformed
     */
    Path directory(String prefix) throws StoreException {
        Keys.checkPrefix(root.toString(), prefix);
        return resolve(prefix);
    }

    private Path resolve(String key) throws StoreException {
        try {
            return key.isEmpty() ? root : root.resolve(key);
        } catch (InvalidPathException e) {
            throw new StoreException(
                    root + ": \"" + key
                            + "\" is no name of a file here: the encoding of file names, sun.jnu.encoding, is "
                            + System.getProperty("sun.jnu.encoding")
                            + ", which cannot say it; set LC_ALL or LANG to one of UTF-8, as C.UTF-8",
                    e);
        }
    }

    /** {@return the directory that a path is in} */
    static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? file.getFileSystem().getPath("") : parent;
    }

    /**
     * Refuses what is outside.
     *
     * @param key whose file it is, for the message
     * @param real without links
     */
    void requireInside(String key, Path real) throws IOException {
        if (!real.startsWith(root.toRealPath())) {
            throw new StoreException(root + ": \"" + key + "\" is a link out of the store, to " + real
                    + "; links are followed inside a store only");
        }
    }

    /** {@return whether a directory was found inside, and there, not long ago} */
    boolean isKnown(Path directory) {
        return inside.contains(directory);
    }

    /** Remembers that a directory is inside, and there. */
    void remember(Path directory) {
        if (inside.size() >= REMEMBERED) {
            forget();
        }
        inside.add(directory);
    }

    /** Forgets which directories are inside: some may be gone, or links by now. */
    void forget() {
        inside.clear();
    }
}
