package dev.rechunker.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A directory that belongs to one run at a time: it holds a lock, the journal, and what else the run puts there.
 *
 * <p>The lock is one of the operating system on a file, so that a process that is killed leaves none behind. On a file
 * system that has no locks there is none. When it is closed, what is empty of what it has made is removed.
 */
public final class RunDirectory implements Closeable {
    private static final String LOCK = "lock";
    private static final String JOURNAL = "journal";

    private final Path directory;
    private final Deque<Path> made;
    private final FileChannel lock;

    private RunDirectory(Path directory, Deque<Path> made, FileChannel lock) {
        this.directory = directory;
        this.made = made;
        this.lock = lock;
    }

    /** {@return the directory, made if need be; or empty if another run is using it} */
    public static Optional<RunDirectory> lock(Path directory) throws IOException {
        Deque<Path> made = new ArrayDeque<>();
        for (Path p = directory; p != null && Files.notExists(p); p = p.getParent()) {
            made.push(p);
        }
        Path file = directory.resolve(LOCK);
        while (true) {
            Files.createDirectories(directory);
            FileChannel channel;
            try {
                channel = FileChannel.open(
                        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            } catch (NoSuchFileException e) {
                continue; // the run before has just removed it
            }
            if (!isLocked(channel)) {
                channel.close();
                return Optional.empty();
            }
            String mark = ProcessHandle.current().pid() + " " + UUID.randomUUID();
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(mark.getBytes(StandardCharsets.UTF_8)), 0);
            if (mark.equals(marked(directory))) {
                return Optional.of(new RunDirectory(directory, made, channel));
            }
            channel.close(); // the run before has removed the file that is locked now
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true; // there are no locks here
        }
    }

    private static @Nullable String marked(Path directory) {
        try {
            return Files.readString(directory.resolve(LOCK));
        } catch (IOException e) {
            return null;
        }
    }

    /** {@return who uses a directory, for messages} */
    public static String user(Path directory) {
        String mark = marked(directory);
        String process = mark == null ? "" : mark.split(" ", 2)[0];
        return process.isEmpty() ? "another process" : "process " + process;
    }

    /** Has the names that are in a directory on the device; where a directory cannot be opened, the system does it. */
    public static void force(Path directory) throws IOException {
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

    /** {@return whether an earlier run has left a journal} */
    public boolean hasJournal() {
        return Files.exists(directory.resolve(JOURNAL));
    }

    /** {@return the journal that an earlier run has left, or empty if there is none that can be read} */
    public Optional<Journal> journal(boolean durable) throws IOException {
        return hasJournal() ? Journal.open(directory.resolve(JOURNAL), durable) : Optional.empty();
    }

    /** {@return a new journal, instead of one that was there} */
    public Journal begin(String header, boolean durable) throws IOException {
        Journal journal = Journal.create(directory.resolve(JOURNAL), header, durable);
        if (durable) {
            force(directory);
            for (Path p = directory.getParent(); p != null && made.contains(p); p = p.getParent()) {
                force(p);
            }
            Path above = made.isEmpty() ? null : made.getFirst().getParent();
            if (above != null) {
                force(above);
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
        Files.deleteIfExists(directory.resolve(LOCK));
        lock.close();
        try {
            Files.deleteIfExists(directory);
            while (!made.isEmpty()) {
                Files.deleteIfExists(made.removeLast());
            }
        } catch (DirectoryNotEmptyException e) {
            return;
        }
    }
}
