package dev.rechunker.cli;

import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files that a copy writes in addition to its target. They must differ, and must not be inside source or target.
 */
final class FilesBeside {
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
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new UsageException(named + " cannot be a file: " + e.getMessage());
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
