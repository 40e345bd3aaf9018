package dev.rechunker.journal;

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
 * A directory that is used by one run at a time. It contains lock files, the journal, and other files of the run.
 *
 * <p>A run that wants to use the directory creates a file {@code lock-PROCESS-ID}, locks it with a lock of the
 * operating system, and checks the lock files of others. Processes that work on tasks of a shared run create files
 * {@code tasks-PROCESS-ID}, which exclude other runs but not each other. A process that is killed loses its lock; its
 * file is then ignored and deleted. On a file system without locks, runs are not excluded. If two runs start at the
 * same moment, both may be refused.
 *
 * <p>A process never opens one of its own lock files twice, as on POSIX closing the second one would release the lock.
 *
 * <p>Closing it deletes its lock file, and the directories that it created if they are empty.
 */
public final class RunDirectory implements RunPlace {
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

    /** {@return the directory, locked and created if necessary, or empty if another run is using it} */
    public static Optional<RunDirectory> lock(Path directory) throws IOException {
        Deque<Path> made = new ArrayDeque<>();
        for (Path p = directory; p != null && Files.notExists(p); p = p.getParent()) {
            made.push(p);
        }
        return take(directory, made, LOCK, List.of(LOCK, TASKS));
    }

    /** {@return the directory, opened for tasks of a shared run, or empty if a run has locked it for itself} */
    public static Optional<RunDirectory> join(Path directory) throws IOException {
        return take(directory, new ArrayDeque<>(), TASKS, List.of(LOCK));
    }

    private static Optional<RunDirectory> take(Path directory, Deque<Path> made, String kind, List<String> excluded)
            throws IOException {
        Path file = directory.resolve(kind + process() + "-" + UUID.randomUUID());
        FileChannel lock = Directories.createIn(
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

    /** {@return an identifier of this process that differs from that of an earlier process with the same number} */
    private static String process() {
        ProcessHandle process = ProcessHandle.current();
        return process.pid() + "."
                + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Deletes files of processes that have ended. {@return whether others use the directory in one of these ways} */
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
            return true; // the other process has just ended
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
            return true; // the file system has no locks
        }
    }

    /** {@return a description of the process that uses a directory, for messages} */
    public static String describeUser(Path directory) throws IOException {
        List<Path> users = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            users.addAll(Directories.list(directory, LOCK + "*"));
            users.addAll(Directories.list(directory, TASKS + "*"));
        }
        return users.isEmpty()
                ? "another process"
                : "process " + name(users.get(0)).split("[-.]", 3)[1];
    }

    /** Forces the names of files in a directory to the device. Does nothing on systems that cannot open directories. */
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

    @Override
    public String name() {
        return directory.toString();
    }

    /** {@return the path of the directory} */
    public Path path() {
        return directory;
    }

    /** {@return whether the directory and its lock file still exist} */
    @Override
    public boolean exists() {
        return Files.exists(lockFile);
    }

    @Override
    public boolean hasJournal() {
        return Files.exists(directory.resolve(JOURNAL));
    }

    @Override
    public Optional<Journal> journal(boolean durable) throws IOException {
        return hasJournal() ? Journal.open(directory.resolve(JOURNAL), durable) : Optional.empty();
    }

    /** {@return the current journal in a directory, read-only, or empty if there is none that can be read} */
    public static Optional<Journal> read(Path directory) throws IOException {
        try {
            return Journal.read(directory.resolve(JOURNAL));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** {@return whether a process is using a directory} */
    public static boolean isInUse(Path directory) throws IOException {
        try {
            for (String kind : List.of(LOCK, TASKS)) {
                for (Path other : Directories.list(directory, kind + "*")) {
                    if (isAlive(other, kind)) {
                        return true;
                    }
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return false; // there is no such directory, or it was just deleted
        }
        return false;
    }

    @Override
    public Journal createJournal(String header, boolean durable) throws IOException {
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

    @Override
    public void deleteJournal() throws IOException {
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
            return; // it is not empty, or the path cannot be deleted, such as one that ends in ".."
        }
    }
}
