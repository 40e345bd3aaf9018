package dev.rechunker.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Where a page that shows the plan goes, if anywhere. */
final class PageOption {
    private final Arg<Path> page;

    PageOption(Command command) {
        page = command.value(
                Path.class, "--html", "FILE", "Write a page that shows the plan, and what the run did; replaces FILE.");
    }

    /** Refuses a place where no file can be, before anything is copied. */
    void requireWritable() {
        Path file = page.value();
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            throw new UsageException("--html " + file + " is no place for a file; name one in a directory that exists");
        }
    }

    /** Writes the page, if it is asked for. */
    void write(Supplier<String> text) throws IOException {
        requireWritable();
        Path file = page.value();
        if (file != null) {
            Files.writeString(file, text.get());
        }
    }
}
