package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Deletes files and directories below a directory. Links are deleted, not followed. */
final class Removal {
    private Removal() {}

    /** Deletes a directory if nothing is in it. */
    static void deleteIfEmpty(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException stays) {
            return; // the files of a run are in it
        }
    }

    /** Deletes the files whose names are accepted, at any depth. */
    static void deleteFiles(Path directory, Predicate<String> names) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (names.test(String.valueOf(file.getFileName()))) {
                    Files.deleteIfExists(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /**
     * Deletes files and directories of which every name below the directory is accepted, and uncommitted files among
     * them.
     */
    static void deleteBelow(Path directory, Predicate<String> names) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            private boolean isDeleted(Path path) {
                String name = String.valueOf(path.getFileName());
                return name.startsWith(Keys.TEMPORARY) || names.test(name);
            }

            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
                return visited.equals(directory) || isDeleted(visited)
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (isDeleted(file)) {
                    Files.deleteIfExists(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                try {
                    if (!visited.equals(directory)) {
                        Files.deleteIfExists(visited);
                    }
                } catch (DirectoryNotEmptyException stays) {
                    return FileVisitResult.CONTINUE; // it contains other files
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
