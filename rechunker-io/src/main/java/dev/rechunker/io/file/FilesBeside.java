package dev.rechunker.io.file;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Finds files by the names that a file has for them, in its directory and those below.
 *
 * <p>If the file is a link, the directory of what it leads to is the second to be searched. The HDF5 library also
 * searches the working directory and directories in environment variables; this class does not, so that a file has the
 * same contents wherever it is read.
 */
final class FilesBeside {
    private final Path file;
    private final boolean followLinks;

    /** @param followLinks whether files in other directories are read */
    FilesBeside(Path file, boolean followLinks) {
        this.file = file;
        this.followLinks = followLinks;
    }

    Optional<FileBytes> find(String name) throws IOException {
        Path given;
        try {
            given = Path.of(name);
        } catch (InvalidPathException e) {
            throw new StoreException("\"" + name + "\" cannot be the name of a file: " + e.getReason(), e);
        }
        Set<Path> directories = new LinkedHashSet<>();
        for (Path place : new Path[] {file.toAbsolutePath(), file.toRealPath()}) {
            directories.add(parent(place.normalize()));
        }
        if (given.isAbsolute()) {
            Optional<FileBytes> there = read(directories, given.normalize(), name);
            Path last = given.getFileName();
            if (there.isPresent() || last == null) {
                return there;
            }
            given = last;
        }
        for (Path directory : directories) {
            Optional<FileBytes> there =
                    read(directories, directory.resolve(given).normalize(), name);
            if (there.isPresent()) {
                return there;
            }
        }
        return Optional.empty();
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
    }

    private Optional<FileBytes> read(Set<Path> directories, Path path, String name) throws IOException {
        for (Path directory : directories) {
            if (path.startsWith(directory)) {
                return read(directory, directory.relativize(path));
            }
        }
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        if (!followLinks) {
            throw new StoreException("\"" + name + "\" is outside of the directory of " + file
                    + ", and is only read with --follow-links or, in Java, Stores.openFollowingLinks");
        }
        Path directory = parent(path);
        return read(directory, directory.relativize(path));
    }

    private Optional<FileBytes> read(Path directory, Path inside) throws IOException {
        String key = StreamSupport.stream(inside.spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
        if (key.isEmpty()) {
            return Optional.empty();
        }
        return KeyedFile.find(
                followLinks ? DirectoryKeys.followingLinks(directory) : new DirectoryKeys(directory), key);
    }
}
