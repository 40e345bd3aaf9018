package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Directories for files that are discarded.
 *
 * <p>Files that are no longer needed are emptied, and removed only at the end of the benchmark. Some file systems, such
 * as ext4, create files more slowly for minutes after others were removed, which would affect the next tool.
 */
final class Scrap {
    private final Path root;
    private int made;

    /** Creates directories below this one. */
    Scrap(Path root) {
        this.root = root;
    }

    /** {@return a new directory} */
    Path next() throws IOException {
        return Files.createDirectories(root.resolve(Integer.toString(++made)));
    }
}
