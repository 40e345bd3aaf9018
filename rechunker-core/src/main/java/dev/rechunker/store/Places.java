package dev.rechunker.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts that say where data are, as {@link ChunkStore#places} returns them. Each ends with a slash, and is a prefix of
 * another exactly if its place contains the other's.
 */
public final class Places {
    private Places() {}

    /**
     * {@return the place of a path below a root}
     *
     * @param root a text that identifies the root, with or without a slash at its end
     * @param path names separated by slashes; empty for the root
     */
    public static String of(String root, String path) {
        String place = root.endsWith("/") ? root : root + "/";
        return path.isEmpty() ? place : place + path + "/";
    }

    /** {@return the place of a file or directory, with links resolved; it need not exist} */
    public static String of(Path file) {
        return of(real(file).toUri().toString(), "");
    }

    /** {@return whether two places are the same, or one contains the other} */
    public static boolean overlap(String one, String other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    /**
     * Deletes a file that is about to be written again, if it also has other names by hard links: what these name,
     * which may be a part of a source, then stays as it is.
     */
    public static void leaveOtherNames(Path file) throws IOException {
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
}
