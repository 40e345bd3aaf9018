package dev.rechunker.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A directory that belongs to one run at a time: it holds a lock, the journal, and what else the run puts there.
 *
 * <p>Every run that wants it makes a file {@code lock-PROCESS-ID} with a lock of the operating system on it, and looks
 * at those of others. Processes that do tasks of the run that has begun there have files {@code tasks-PROCESS-ID},
 * which keep out everybody but each other. A process that is killed loses its lock; then the file means nothing and is
 * removed. On a file system that has no locks there is none. A process never opens a lock file of its own a second
 * time: on POSIX, closing it would end the lock. When two come at the same moment, both may be turned away.
 *
 * <p>When it is closed, what is empty of what it has made is removed.
 */
public final class RunDirectory implements Closeable {
    private static final String LOCK = "lock-";
    private static final String TASKS = "tasks-";
    private static final String JOURNAL = "journal";

    private final Path directory;
    private final Deque<Path> made;
    private final Path lockFile;
    private final FileChannel lock;

    private RunDirectory(Path directory, Deque<Path> made, Path lockFile, FileChannel lock) {
        this.directory = directory;
        this.made = made;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /** {@return the directory, made if need be; or empty if another run is using it} */
    public static Optional<RunDirectory> lock(Path directory) throws IOException {
        Deque<Path> made = new ArrayDeque<>();
        for (Path p = directory; p != null && Files.notExists(p); p = p.getParent()) {
            made.push(p);
        }
        return take(directory, made, LOCK, List.of(LOCK, TASKS));
    }

    /** {@return the directory, for tasks of the run that has begun there; or empty if somebody has it alone} */
    public static Optional<RunDirectory> join(Path directory) throws IOException {
        return take(directory, new ArrayDeque<>(), TASKS, List.of(LOCK));
    }

    private static Optional<RunDirectory> take(Path directory, Deque<Path> made, String kind, List<String> excluded)
            throws IOException {
        Path file = directory.resolve(kind + process() + "-" + UUID.randomUUID());
        FileChannel lock = Directories.in(
                directory, () -> FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        RunDirectory taken = new RunDirectory(directory, made, file, lock);
        try {
            boolean alone = isLocked(taken.lock) && !taken.hasOthers(excluded) && Files.exists(file);
            if (!alone) {
                taken.close();
            }
            return alone ? Optional.of(taken) : Optional.empty();
        } catch (IOException | RuntimeException e) {
            taken.close();
            throw e;
        }
    }

    /** {@return this process, told from one that had its number before} */
    private static String process() {
        ProcessHandle process = ProcessHandle.current();
        return process.pid() + "."
                + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** {@return whether others use the directory in such ways; what dead ones have left of theirs is removed} */
    private boolean hasOthers(List<String> kinds) throws IOException {
        for (String kind : kinds) {
            for (Path other : Directories.list(directory, kind + "*")) {
                if (other.equals(lockFile)) {
                    continue;
                }
                if (isAlive(other, kind)) {
                    return true;
                }
                Files.deleteIfExists(other);
            }
        }
        return false;
    }

    private static boolean isAlive(Path other, String kind) throws IOException {
        return name(other).startsWith(kind + process() + "-") || !isDead(other);
    }

    private static boolean isDead(Path other) throws IOException {
        try (FileChannel channel = FileChannel.open(other, StandardOpenOption.WRITE)) {
            return isLocked(channel);
        } catch (NoSuchFileException e) {
            return true; // it has just ended
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (IOException e) {
            return true; // there are no locks here
        }
    }

    /** {@return who uses a directory, for messages} */
    public static String user(Path directory) throws IOException {
        List<Path> users = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            users.addAll(Directories.list(directory, LOCK + "*"));
            users.addAll(Directories.list(directory, TASKS + "*"));
        }
        return users.isEmpty()
                ? "another process"
                : "process " + name(users.get(0)).split("[-.]", 3)[1];
    }

    /** Has the names that are in a directory on the device; where a directory cannot be opened, the system does it. */
    public static void forceNames(Path directory) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(directory, StandardOpenOption.READ);
        } catch (IOException e) {
            return;
        }
        try (channel) {
            channel.force(true);
        }
    }

    /** {@return where it is} */
    public Path path() {
        return directory;
    }

    /** {@return whether it has not been removed by somebody else} */
    public boolean isThere() {
        return Files.exists(lockFile);
    }

    /** {@return whether an earlier run has left a journal} */
    public boolean hasJournal() {
        return Files.exists(directory.resolve(JOURNAL));
    }

    /** {@return the journal that an earlier run has left, or empty if there is none that can be read} */
    public Optional<Journal> journal(boolean durable) throws IOException {
        return hasJournal() ? Journal.open(directory.resolve(JOURNAL), durable) : Optional.empty();
    }

    /** {@return the journal in a directory as it is now, if there is one that can be read, whoever uses it} */
    public static Optional<Journal> read(Path directory) throws IOException {
        try {
            return Journal.read(directory.resolve(JOURNAL));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** {@return whether a run, or a process of one, has a directory at this moment} */
    public static boolean isUsed(Path directory) throws IOException {
        try {
            for (String kind : List.of(LOCK, TASKS)) {
                for (Path other : Directories.list(directory, kind + "*")) {
                    if (isAlive(other, kind)) {
                        return true;
                    }
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return false; // there is none, or it has just ended
        }
        return false;
    }

    /** {@return a new journal, instead of one that was there} */
    public Journal begin(String header, boolean durable) throws IOException {
        Journal journal = Journal.create(directory.resolve(JOURNAL), header, durable);
        if (durable) {
            forceNames(directory);
            for (Path p = directory.getParent(); p != null && made.contains(p); p = p.getParent()) {
                forceNames(p);
            }
            Path above = made.isEmpty() ? null : made.getFirst().getParent();
            if (above != null) {
                forceNames(above);
            }
        }
        return journal;
    }

    /** Removes the journal. */
    public void forget() throws IOException {
        Files.deleteIfExists(directory.resolve(JOURNAL));
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            Files.deleteIfExists(lockFile);
        }
        try {
            Files.deleteIfExists(directory);
            while (!made.isEmpty()) {
                Files.deleteIfExists(made.removeLast());
            }
        } catch (FileSystemException e) {
            return; // it is not empty, or its path ends in a way by which nothing can be removed
        }
    }
}
