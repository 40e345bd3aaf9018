package dev.rechunker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Directories of what is thrown away. Files are emptied when they are not needed any more, but removed only at the end
 * of everything: ext4 for one takes longer to create files for minutes after others were removed, which would be
 * counted against whoever runs next.
 */
final class Scrap {
    private final Path root;
    private int made;

    /** Makes directories below this one. */
    Scrap(Path root) {
        this.root = root;
    }

    /** {@return a new directory} */
    Path next() throws IOException {
        return Files.createDirectories(root.resolve(Integer.toString(++made)));
    }
}
