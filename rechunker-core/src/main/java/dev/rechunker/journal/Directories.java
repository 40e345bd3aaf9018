package dev.rechunker.journal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Directories that others change at the same time, and remove as soon as they are empty. */
public final class Directories {
    /** So often another may have removed the directory; then it is not to be had by this path. */
    private static final int MOST_ATTEMPTS = 1000;

    private Directories() {}

    /** {@return the files of a directory whose names match a pattern} */
    public static List<Path> list(Path directory, String pattern) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, pattern)) {
            found.forEach(files::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    /** Makes something in a directory that exists. */
    interface Maker<T> {
        T make() throws IOException;
    }

    /** {@return what is made in a directory, which is made if need be, and made again if another has removed it} */
    static <T> T in(Path directory, Maker<T> maker) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.createDirectories(directory);
                return maker.make();
            } catch (NoSuchFileException | FileAlreadyExistsException e) {
                if (Thread.currentThread().isInterrupted() || attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
