package dev.rechunker.io.bytes;

import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removes files at any depth. */
final class FileTrees {
    private FileTrees() {}

    /** Removes a file, or a directory with everything below it; links are removed, not followed. */
    static void remove(Path removed) throws IOException {
        if (!Files.isDirectory(removed, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(removed);
            return;
        }
        Files.walkFileTree(removed, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                try {
                    Files.deleteIfExists(visited);
                } catch (DirectoryNotEmptyException late) {
                    throw new StoreException(visited + " cannot be removed: something else is writing to it", late);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Removes what sinks of processes that are gone have left below a directory. */
    static void removeOrphans(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (FileSink.isOrphan(String.valueOf(file.getFileName()))) {
                    Files.deleteIfExists(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
