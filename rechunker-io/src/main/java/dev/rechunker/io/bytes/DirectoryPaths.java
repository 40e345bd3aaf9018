package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The paths of values below a directory. No path that is written to leads out of the directory, even if there are links
 * in it; one that is read does so only if that was allowed, or if it leads to content of the annex that the directory
 * belongs to.
 */
final class DirectoryPaths {
    private static final int REMEMBERED = 1 << 12;

    /** On Windows, {@code C:x} is in another directory, and {@code x:y} is a part of the file x. */
    private static final boolean IS_WINDOWS = File.separatorChar == '\\';

    /**
     * The directory in which git-annex keeps the contents of files: in {@code .git}, or in a repository without files.
     */
    private static final String ANNEX = "annex";

    private static final String GIT = ".git";

    private final Path root;
    private final boolean followLinks;
    private final Set<Path> inside = ConcurrentHashMap.newKeySet();

    /**
     * Creates it for a directory.
     *
     * @param followLinks whether links that lead out of the directory are followed for reading
     */
    DirectoryPaths(Path root, boolean followLinks) {
        this.root = root;
        this.followLinks = followLinks;
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

    /** {@return whether links that lead out of the directory are followed for reading} */
    boolean followLinks() {
        return followLinks;
    }

    /**
     * Refuses a path outside of the root.
     *
     * @param key the key of the path, for the message
     * @param real the path with all links resolved
     */
    void requireInside(String key, Path real) throws IOException {
        if (!isInside(real)) {
            throw outside(key, real);
        }
    }

    /** Refuses to read from a directory outside of the root, unless links are followed. */
    void requireReadable(String key, Path real) throws IOException {
        if (!followLinks) {
            requireInside(key, real);
        }
    }

    /**
     * Refuses to read a file that a link outside of the root leads to, unless links are followed, or git-annex keeps it
     * in the repository that the root is in.
     */
    void requireReadableFile(String key, Path real) throws IOException {
        if (!followLinks && !isInside(real) && !isInAnnex(real)) {
            throw outside(key, real);
        }
    }

    private boolean isInside(Path real) throws IOException {
        return real.startsWith(root.toRealPath());
    }

    /**
     * {@return whether a file is in {@code .git/.../annex} or {@code annex} of a directory that the root is in, too}
     */
    private boolean isInAnnex(Path real) throws IOException {
        Path common = root.toRealPath();
        while (common != null && !real.startsWith(common)) {
            common = common.getParent();
        }
        if (common == null || common.getNameCount() == 0) {
            return false;
        }
        Path below = common.relativize(real);
        int annex = 0;
        if (below.startsWith(GIT)) {
            while (annex < below.getNameCount()
                    && !below.getName(annex).toString().equals(ANNEX)) {
                annex++;
            }
        }
        return annex < below.getNameCount() - 1
                && below.getName(annex).toString().equals(ANNEX);
    }

    private StoreException outside(String key, Path real) {
        return new StoreException(root + ": \"" + key + "\" is a link out of the store, to " + real
                + ", which is only followed with --follow-links or, in Java, Stores.openFollowingLinks");
    }

    /**
     * Refuses to read a path that is a link to nothing, or leads through one: what it stands for is missing, and not
     * merely never written.
     */
    void requireNoDeadLink(String key, Path file) throws IOException {
        for (Path p = file; !Files.exists(p) && !p.equals(root); p = parent(p)) {
            if (Files.isSymbolicLink(p)) {
                throw new StoreException(root + ": \"" + key + "\" cannot be read, as " + p + " is a link to "
                        + Files.readSymbolicLink(p)
                        + ", which does not exist; if git-annex or DataLad manages the store, fetch it with"
                        + " \"git annex get\" or \"datalad get\"");
            }
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
