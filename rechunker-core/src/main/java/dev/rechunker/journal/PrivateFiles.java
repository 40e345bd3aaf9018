package dev.rechunker.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * Temporary files and directories for the user of this process only, where the file system has POSIX permissions. They
 * may be in a directory to which others write: what is there is not replaced, and links are not followed.
 */
public final class PrivateFiles {
    private PrivateFiles() {}

    /**
     * {@return a new file}
     *
     * @param options further options, such as for reading
     * @throws java.nio.file.FileAlreadyExistsException if there is one, or a link
     */
    public static FileChannel create(Path file, OpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(Set.of(options));
        all.add(StandardOpenOption.CREATE_NEW);
        all.add(StandardOpenOption.WRITE);
        all.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, all, permissions(file, "rw-------"));
    }

    /**
     * {@return an existing file, or with {@link StandardOpenOption#CREATE} perhaps a new one with the usual
     * permissions}
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws FileSystemException if there is a link
     */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(Set.of(options));
        all.add(LinkOption.NOFOLLOW_LINKS);
        try {
            return FileChannel.open(file, all);
        } catch (IOException e) {
            if (Files.isSymbolicLink(file)) {
                throw refusal(file, e);
            }
            throw e;
        }
    }

    private static FileSystemException refusal(Path link, IOException cause) {
        FileSystemException refusal =
                new FileSystemException(link.toString(), null, "is a link, and links are not followed here");
        refusal.initCause(cause);
        return refusal;
    }

    /**
     * Creates a directory.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is something of this name
     */
    public static void createDirectory(Path directory) throws IOException {
        Files.createDirectory(directory, permissions(directory, "rwx------"));
    }

    private static FileAttribute<?>[] permissions(Path file, String permissions) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
