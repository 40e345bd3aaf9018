package dev.rechunker.cli;

import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files that a copy writes in addition to its target. They must differ, and must not be inside source or target.
 */
final class FilesBeside {
    /** The most characters of a name that any usual file system allows. */
    private static final int LONGEST_NAME = 255;

    /** The most bytes of a name that every usual file system allows, encrypted ones included. */
    private static final int LONG_NAME = 140;

    /** The most characters of a path that every usual file system allows. */
    private static final int LONGEST_PATH = 1000;

    /** The options with their files, by the location of the file. */
    private final Map<DataPlace, String> files = new LinkedHashMap<>();

    /**
     * Adds the file of an option, if there is one. A directory is ignored here, as writing to it is refused later.
     *
     * @throws UsageException if an earlier option has the same file
     */
    FilesBeside with(String option, @Nullable String file) {
        if (file == null || file.isEmpty()) {
            return this;
        }
        String named = option + " " + file;
        Path path = path(named, file);
        String other = Files.isDirectory(path) ? null : files.putIfAbsent(DataPlace.ofFile(path), named);
        if (other != null) {
            throw new UsageException(other + " and " + named + " are the same file; name different ones");
        }
        return this;
    }

    private static Path path(String named, String file) {
        try {
            Path path = Path.of(file);
            requireShortNames(path);
            return path;
        } catch (InvalidPathException e) {
            throw new UsageException(named + " cannot be a file: " + e.getMessage());
        }
    }

    /**
     * Checks that the file system does not refuse a path for the length of its names.
     *
     * @throws UsageException if it does
     */
    static void requireShortNames(Path path) {
        List<String> names = List.of(path.toString().split("[/\\\\]"));
        boolean tooLong = names.stream().anyMatch(name -> name.length() > LONGEST_NAME);
        try {
            Files.readAttributes(path, BasicFileAttributes.class);
        } catch (IOException e) { // its subclasses have other reasons
            tooLong |= e.getClass() == FileSystemException.class
                    && (path.toString().length() > LONGEST_PATH
                            || names.stream()
                                    .anyMatch(name -> name.getBytes(StandardCharsets.UTF_8).length > LONG_NAME));
        }
        if (tooLong) {
            throw new UsageException(path + " has a name that is too long for a file; choose shorter names");
        }
    }

    /**
     * Checks that no file is inside a node or would replace a part of it.
     *
     * @throws UsageException if one is
     */
    void requireApart(StoreLocation... nodes) throws IOException {
        for (StoreLocation node : nodes) {
            for (DataPlace part : node.store().places(node.path())) {
                for (Map.Entry<DataPlace, String> file : files.entrySet()) {
                    if (part.overlaps(file.getKey())) {
                        throw new UsageException(
                                file.getValue() + " is inside " + node + "; name a file outside of it");
                    }
                }
            }
        }
    }
}
