package dev.rechunker.cli;

import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The option {@code --html}, the file for a page that shows the plan. */
final class PageOption {
    private final Arg<Path> page;

    PageOption(Command command) {
        page = command.value(
                Path.class,
                "--html",
                "FILE",
                "Write an HTML page that shows the plan and the run to FILE, which is replaced.");
    }

    /**
     * Checks that the file can be written, before anything is copied.
     *
     * @throws UsageException if it cannot
     */
    void requireWritable() {
        Path file = page.value();
        if (file == null) {
            return;
        }
        FilesBeside.requireShortNames(file);
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            throw new UsageException("--html " + file + " cannot be a file; name one in an existing directory");
        }
        if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            throw new UsageException("--html " + file + " cannot be written: permission denied");
        }
    }

    /** {@return the file as it was given, or null} */
    @Nullable
    String file() {
        Path file = page.value();
        return file == null ? null : file.toString();
    }

    /** Writes the page of a plan, if the option is given. */
    void write(Supplier<String> text) throws IOException {
        write(text, "");
    }

    /** Writes the page of a complete copy, if the option is given. */
    void writeAfterCopy(Supplier<String> text) throws IOException {
        write(text, "; the copy is complete");
    }

    private void write(Supplier<String> text, String done) throws IOException {
        requireWritable();
        Path file = page.value();
        if (file != null) {
            String written = text.get();
            try {
                DataPlace.keepOtherNames(file);
                Files.writeString(file, written);
            } catch (IOException e) {
                throw new IOException(
                        "--html " + file + " cannot be written: " + StoreException.reasonWithoutFile(e) + done, e);
            }
        }
    }
}
