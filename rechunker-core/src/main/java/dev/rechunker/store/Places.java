package dev.rechunker.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts for the places of data, as {@link ChunkStore#places} tells them: each ends with a slash, and is the beginning
 * of another exactly if it contains it.
 */
public final class Places {
    private Places() {}

    /**
     * {@return the place of a path below a root}
     *
     * @param root any text that all names of the root share, with a slash at its end or without
     * @param path names with slashes between them; empty for the root
     */
    public static String of(String root, String path) {
        String place = root.endsWith("/") ? root : root + "/";
        return path.isEmpty() ? place : place + path + "/";
    }

    /** {@return the place of a file or directory, whichever links lead to it, which need not exist} */
    public static String of(Path file) {
        return of(real(file).toUri().toString(), "");
    }

    /** {@return whether the places are the same, or one contains the other} */
    public static boolean overlap(String one, String other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    /**
     * Frees the name of a file that is to be written anew, if the file has other names too, by hard links: what these
     * name, which may be a part of a source, stays as it is.
     */
    public static void leaveOtherNames(Path file) throws IOException {
        if (Files.isRegularFile(file)
                && file.getFileSystem().supportedFileAttributeViews().contains("unix")
                && (int) Files.getAttribute(file, "unix:nlink") > 1) {
            Files.delete(file.toRealPath());
        }
    }

    /** {@return the path without links, as far as there is something} */
    private static Path real(Path path) {
        Path absolute = path.toAbsolutePath();
        Path existing = absolute;
        while (existing != null) {
            try {
                return existing.toRealPath()
                        .resolve(existing.relativize(absolute))
                        .normalize();
            } catch (IOException e) {
                existing = existing.getParent(); // there is nothing, or nobody may look
            }
        }
        return absolute.normalize();
    }
}
