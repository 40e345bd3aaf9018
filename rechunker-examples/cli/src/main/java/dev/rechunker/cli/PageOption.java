package dev.rechunker.cli;

import dev.rechunker.store.Failures;
import dev.rechunker.store.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
        if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            throw new UsageException("--html " + file + " cannot be written: permission denied");
        }
    }

    /** {@return where it goes, as it was written, or null} */
    @Nullable
    String file() {
        Path file = page.value();
        return file == null ? null : file.toString();
    }

    /** Writes the page of a plan, if it is asked for. */
    void write(Supplier<String> text) throws IOException {
        write(text, "");
    }

    /** Writes the page of a copy that is complete, if it is asked for. */
    void writeAfterCopy(Supplier<String> text) throws IOException {
        write(text, "; the copy is complete");
    }

    private void write(Supplier<String> text, String done) throws IOException {
        requireWritable();
        Path file = page.value();
        if (file != null) {
            String written = text.get();
            try {
                Places.leaveOtherNames(file);
                Files.writeString(file, written);
            } catch (IOException e) {
                throw new IOException("--html " + file + " cannot be written: " + Failures.why(e) + done, e);
            }
        }
    }
}
