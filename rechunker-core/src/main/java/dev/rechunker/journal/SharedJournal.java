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
 * The journals of several processes that share one run. Each process writes its own journal into a common directory,
 * and reads those of the others once, when it starts. Processes do not wait for each other; a task that two of them do
 * at the same time is done twice.
 *
 * <p>All processes must use the same directory, on a file system on which closed files are visible to the others.
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
     * {@return a new journal of this process, with everything that other processes have recorded so far}
     *
     * @param directory the common directory, created if necessary
     * @param run the description of the run; journals of other runs in the directory are ignored
     * @param durable whether each record is forced to the device
     */
    public static SharedJournal join(Path directory, String run, boolean durable) throws IOException {
        Path file = directory.resolve(PREFIX + UUID.randomUUID());
        Journal own = Directories.createIn(directory, () -> Journal.create(file, run, durable));
        try {
            for (Path other : files(directory)) {
                Optional<Journal> journal = other.equals(file) ? Optional.empty() : read(other);
                if (journal.isPresent() && journal.get().header().equals(run)) {
                    own.addAll(journal.get());
                }
            }
            return new SharedJournal(directory, file, own);
        } catch (IOException | RuntimeException e) {
            own.close();
            throw e;
        }
    }

    /** {@return the journal of another process, or empty if that has ended and deleted it} */
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

    /** {@return the log of the array with this number: tasks done by any process, and a recorder for this one} */
    public TaskLog array(int number) {
        return own.array(number);
    }

    /** Makes everything that was recorded visible to processes that join later, also on other machines. */
    public void force() throws IOException {
        own.force();
    }

    /** Deletes the journals of all processes, and the directory if it is then empty. */
    public static void deleteAll(Path directory) throws IOException {
        try {
            for (Path file : Directories.list(directory, PREFIX + "*")) {
                Files.deleteIfExists(file);
            }
            if (Directories.list(directory, "*").isEmpty()) {
                Files.deleteIfExists(directory);
            }
        } catch (NoSuchFileException e) {
            return; // there is no such directory
        }
    }

    /** Closes the journal. Deletes it if it has no records, and then the directory if that is empty. */
    @Override
    public void close() throws IOException {
        own.close();
        if (own.isEmpty()) {
            Files.deleteIfExists(file);
            try {
                Files.deleteIfExists(directory);
            } catch (DirectoryNotEmptyException e) {
                return; // other processes have journals
            }
        }
    }
}
