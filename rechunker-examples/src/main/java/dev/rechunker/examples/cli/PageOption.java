package dev.rechunker.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a page that shows the plan goes, if anywhere. */
final class PageOption {
    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a page that shows the plan, and what the run did; replaces FILE.")
    private @Nullable Path file;

    /** Refuses a place where no file can be, before anything is copied. */
    void requireWritable() {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            throw new UsageException("--html " + file + " is no place for a file; name one in a directory that exists");
        }
    }

    /** Writes the page, if it is asked for. */
    void write(Supplier<String> page) throws IOException {
        requireWritable();
        if (file != null) {
            Files.writeString(file, page.get());
        }
    }
}
