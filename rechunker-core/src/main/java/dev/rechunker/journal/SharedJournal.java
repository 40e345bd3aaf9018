package dev.rechunker.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What several processes have done of one run: a directory in which each of them writes a journal of its own, and reads
 * those of the others once, when it begins. Nobody waits for anybody; what two do at the same time is done twice.
 *
 * <p>The directory has to be the same for all of them, on a file system where a file that was closed is seen by others.
 */
public final class SharedJournal implements Closeable {
    private static final String PREFIX = "journal-";

    private final Path directory;
    private final Path file;
    private final Journal own;

    private SharedJournal(Path directory, Path file, Journal own) {
        this.directory = directory;
        this.file = file;
        this.own = own;
    }

    /**
     * {@return a journal of this process that knows what all others have recorded by now}
     *
     * @param directory made if need be
     * @param run names the run; journals of others mean nothing here
     * @param durable whether what is recorded survives a loss of power
     */
    public static SharedJournal join(Path directory, String run, boolean durable) throws IOException {
        Path file = directory.resolve(PREFIX + UUID.randomUUID());
        Journal own = Directories.in(directory, () -> Journal.create(file, run, durable));
        try {
            for (Path other : files(directory)) {
                Optional<Journal> journal = other.equals(file) ? Optional.empty() : read(other);
                if (journal.isPresent() && journal.get().header().equals(run)) {
                    own.know(journal.get());
                }
            }
            return new SharedJournal(directory, file, own);
        } catch (IOException | RuntimeException e) {
            own.close();
            throw e;
        }
    }

    /** {@return another's journal, or empty if its process has ended without having done anything} */
    private static Optional<Journal> read(Path other) throws IOException {
        try {
            return Journal.read(other);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        return Directories.list(directory, PREFIX + "*").stream()
                .filter(file -> !String.valueOf(file.getFileName()).endsWith(Journal.UNFINISHED))
                .toList();
    }

    /** {@return what is done of the array with this number, by whomever; what is recorded in it is recorded here} */
    public TaskLog array(int number) {
        return own.array(number);
    }

    /** Removes what all processes have recorded, and the directory, if nothing else is in it. */
    public static void forget(Path directory) throws IOException {
        try {
            for (Path file : Directories.list(directory, PREFIX + "*")) {
                Files.deleteIfExists(file);
            }
            if (Directories.list(directory, "*").isEmpty()) {
                Files.deleteIfExists(directory);
            }
        } catch (NoSuchFileException e) {
            return; // it is not there
        }
    }

    /** Ends it; a journal in which nothing was recorded is removed, and so is the directory, if it was the only one. */
    @Override
    public void close() throws IOException {
        own.close();
        if (own.isEmpty()) {
            Files.deleteIfExists(file);
            try {
                Files.deleteIfExists(directory);
            } catch (DirectoryNotEmptyException e) {
                return; // others have recorded something
            }
        }
    }
}
