package dev.rechunker.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The place of data, by which a copy finds out that its target overlaps its source. Immutable. A place is a text that
 * ends with a slash, and is a prefix of another one exactly if it contains the other place.
 */
public final class DataPlace {
    private final String prefix;

    private DataPlace(String prefix) {
        this.prefix = prefix;
    }

    /** {@return the place of everything whose names begin with a text, with or without a slash at its end} */
    public static DataPlace of(String root) {
        return new DataPlace(root.endsWith("/") ? root : root + "/");
    }

    /** {@return the place of a file or directory, with links resolved; it need not exist} */
    public static DataPlace ofFile(Path file) {
        return of(real(file).toUri().toString());
    }

    /**
     * {@return the place of a path below this one}
     *
     * @param path names separated by slashes; empty for this place
     */
    public DataPlace below(String path) {
        return path.isEmpty() ? this : new DataPlace(prefix + path + "/");
    }

    /** {@return whether the places are the same, or one contains the other} */
    public boolean overlaps(DataPlace other) {
        return prefix.startsWith(other.prefix) || other.prefix.startsWith(prefix);
    }

    /**
     * Deletes a file that is about to be replaced if it has several names (hard links). The data under the other names,
     * which may be a part of a source, then stay as they are.
     */
    public static void keepOtherNames(Path file) throws IOException {
        if (Files.isRegularFile(file)
                && file.getFileSystem().supportedFileAttributeViews().contains("unix")
                && (int) Files.getAttribute(file, "unix:nlink") > 1) {
            Files.delete(file.toRealPath());
        }
    }

    /** {@return the path with links resolved, as far as it exists} */
    private static Path real(Path path) {
        Path absolute = path.toAbsolutePath();
        Path existing = absolute;
        while (existing != null) {
            try {
                return existing.toRealPath()
                        .resolve(existing.relativize(absolute))
                        .normalize();
            } catch (IOException e) {
                existing = existing.getParent(); // does not exist, or cannot be accessed
            }
        }
        return absolute.normalize();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DataPlace same && same.prefix.equals(prefix);
    }

    @Override
    public int hashCode() {
        return prefix.hashCode();
    }

    /** {@return the text} */
    @Override
    public String toString() {
        return prefix;
    }
}
