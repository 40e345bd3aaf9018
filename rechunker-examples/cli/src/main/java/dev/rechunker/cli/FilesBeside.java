package dev.rechunker.cli;

import dev.rechunker.store.Places;
import dev.rechunker.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files that a copy writes beside its target: none is a part of what is read or written, and no two are one. */
final class FilesBeside {
    /** Options with their files, by the places of these. */
    private final Map<String, String> files = new LinkedHashMap<>();

    /**
     * Adds the file of an option, if it names one; a directory is refused by who would write to it.
     *
     * @throws UsageException if an option before names the same
     */
    FilesBeside with(String option, @Nullable String file) {
        if (file == null || file.isEmpty()) {
            return this;
        }
        String named = option + " " + file;
        Path path = path(named, file);
        String other = Files.isDirectory(path) ? null : files.putIfAbsent(Places.of(path), named);
        if (other != null) {
            throw new UsageException(other + " and " + named + " are one file; name two");
        }
        return this;
    }

    private static Path path(String named, String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new UsageException(named + " is no place for a file: " + e.getMessage());
        }
    }

    /** Refuses a file that is inside a node, or would replace a part of it. */
    void requireApart(StoreLocation... nodes) throws IOException {
        for (StoreLocation node : nodes) {
            for (String part : node.store().places(node.path())) {
                for (Map.Entry<String, String> file : files.entrySet()) {
                    if (Places.overlap(part, file.getKey())) {
                        throw new UsageException(file.getValue() + " is inside " + node + "; name a file beside it");
                    }
                }
            }
        }
    }
}
