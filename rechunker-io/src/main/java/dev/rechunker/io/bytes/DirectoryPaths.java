package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.File;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The paths of values below a directory. No path leads out of the directory, even if there are links in it. */
final class DirectoryPaths {
    private static final int REMEMBERED = 1 << 12;

    /** On Windows, {@code C:x} is in another directory, and {@code x:y} is a part of the file x. */
    private static final boolean IS_WINDOWS = File.separatorChar == '\\';

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
     * {@return the directory of a prefix; the root for the empty prefix}
     *
     * @throws StoreException if the prefix is malformed
     */
    Path directory(String prefix) throws StoreException {
        Keys.checkPrefix(root.toString(), prefix);
        return resolve(prefix);
    }

    private Path resolve(String key) throws StoreException {
        if (IS_WINDOWS && key.indexOf(':') >= 0) {
            throw new StoreException(
                    root + ": \"" + key + "\" cannot be the name of a file on Windows, as it has a colon");
        }
        try {
            return key.isEmpty() ? root : root.resolve(key);
        } catch (InvalidPathException e) {
            throw new StoreException(
                    root + ": \"" + key
                            + "\" cannot be the name of a file: the encoding of file names, sun.jnu.encoding, is "
                            + System.getProperty("sun.jnu.encoding")
                            + ", which lacks some of its characters; set LC_ALL or LANG to a UTF-8 locale such as C.UTF-8",
                    e);
        }
    }

    /** {@return the directory that contains a path} */
    static Path parent(Path file) {
        Path parent = file.getParent();
        return parent == null ? file.getFileSystem().getPath("") : parent;
    }

    /**
     * Refuses a path outside of the root.
     *
     * @param key the key of the path, for the message
     * @param real the path with all links resolved
     */
    void requireInside(String key, Path real) throws IOException {
        if (!real.startsWith(root.toRealPath())) {
            throw new StoreException(root + ": \"" + key + "\" is a link out of the store, to " + real
                    + "; only links inside of the store are followed");
        }
    }

    /** {@return whether a directory was recently found to exist inside of the root} */
    boolean isKnown(Path directory) {
        return inside.contains(directory);
    }

    /** Remembers that a directory exists inside of the root. */
    void remember(Path directory) {
        if (inside.size() >= REMEMBERED) {
            forget();
        }
        inside.add(directory);
    }

    /** Forgets all directories: some may have been removed or replaced by links. */
    void forget() {
        inside.clear();
    }
}
