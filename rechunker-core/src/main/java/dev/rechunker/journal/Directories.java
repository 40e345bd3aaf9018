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

/** Operations on directories that other processes change at the same time, and delete when they are empty. */
public final class Directories {
    /** The most times that another process may delete the directory before this one gives up. */
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

    /** An action that creates something in an existing directory. */
    interface Maker<T> {
        T make() throws IOException;
    }

    /**
     * Creates something in a directory. The directory is created first if it does not exist, and again if another
     * process deletes it meanwhile.
     *
     * @return the result of {@code maker}
     */
    static <T> T createIn(Path directory, Maker<T> maker) throws IOException {
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
