package dev.rechunker.io.file;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.journal.PrivateFiles;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file that is being written as {@code NAME.part}, and is renamed to {@code NAME} when it is complete.
 *
 * <p>Any number of threads can allocate space and write at the same time, without a lock. If the file is closed before
 * it is published, it is deleted. A file that another run is writing is refused. A file that a killed run has left is
 * reused. A lock of the operating system distinguishes the two.
 *
 * <p>When a thread is interrupted, the JDK closes the channel, which releases the lock. The next use of the channel
 * reopens the file and locks it again. If the file was replaced, or another process has the lock, the file is lost: it
 * is not written, published or deleted any more.
 */
public final class PartFile implements Closeable {
    /**
     * The files that this process is writing. They are not opened a second time, because on POSIX closing one channel
     * releases all locks of the process on the file.
     */
    private static final Set<Path> WRITING = ConcurrentHashMap.newKeySet();

    private final AtomicLong end;
    private final long reserved;
    private final Path file;
    private final Path part;
    private final @Nullable Object key;
    private volatile FileChannel channel;
    private volatile boolean published;
    private volatile boolean closed;
    private @Nullable FileLock lock;
    private @Nullable StoreException lost;

    private PartFile(
            Path file, Path part, long reserved, @Nullable Object key, FileChannel channel, @Nullable FileLock lock) {
        this.end = new AtomicLong(reserved);
        this.reserved = reserved;
        this.file = file;
        this.part = part;
        this.key = key;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Starts a file that becomes {@code file}, or replaces it.
     *
     * @param reserved the size of what is written at the start of the file in the end, in bytes
     */
    public static PartFile begin(Path file, long reserved) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Path place = place(file);
        Path part = part(place);
        if (!WRITING.add(part)) {
            throw beingWritten(part, null);
        }
        PartFile taken;
        try {
            taken = take(place, part, reserved);
        } catch (IOException | RuntimeException | Error e) {
            WRITING.remove(part);
            throw e;
        }
        try {
            taken.clear();
            return taken;
        } catch (IOException | RuntimeException | Error e) {
            taken.close();
            throw e;
        }
    }

    private static PartFile take(Path place, Path part, long reserved) throws IOException {
        PrivateFiles.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                .close();
        Object key;
        try {
            key = key(part);
        } catch (NoSuchFileException e) {
            throw beingWritten(part, e);
        }
        FileChannel channel = PrivateFiles.open(part, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = lock(channel, part);
            if (!hasKey(part, key)) {
                throw beingWritten(part, null); // the opened file was finished or deleted meanwhile
            }
            return new PartFile(place, part, reserved, key, channel, lock);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /**
     * {@return the file key, which distinguishes a file from others with the same name; null if the file system has
     * none}
     */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** {@return whether a file exists and has a key, if the file system has keys} */
    private static boolean hasKey(Path path, @Nullable Object key) throws IOException {
        try {
            return Objects.equals(key, key(path));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static Path place(Path file) throws IOException {
        DirectoryKeys.requireNoDeadLink(file);
        Path absolute = file.toAbsolutePath();
        Path parent = absolute.getParent();
        if (Files.exists(file)) {
            return file.toRealPath();
        }
        return parent != null && Files.exists(parent) ? parent.toRealPath().resolve(absolute.getFileName()) : absolute;
    }

    private static Path part(Path place) {
        return place.resolveSibling(place.getFileName() + ".part");
    }

    /** Refuses a file that cannot be started, because its directory is not writable or another run is writing it. */
    public static void requireCanBegin(Path file) throws IOException {
        Path place = place(file);
        Path existing = place.getParent();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing != null && !(Files.isDirectory(existing) && Files.isWritable(existing))) {
            throw new StoreException(
                    file + " cannot be written: " + existing + " is not a writable directory; write elsewhere");
        }
        requireNotBeingWritten(part(place));
    }

    private static void requireNotBeingWritten(Path part) throws IOException {
        if (WRITING.contains(part)) {
            throw beingWritten(part, null);
        }
        try (FileChannel left = PrivateFiles.open(part, StandardOpenOption.WRITE)) {
            lock(left, part);
        } catch (NoSuchFileException e) {
            return; // the file does not exist, or was just finished or deleted
        }
    }

    /** Locks a file; {@return the lock, or null if the file system does not support locks} */
    private static @Nullable FileLock lock(FileChannel channel, Path part) throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            throw beingWritten(part, e);
        } catch (IOException e) {
            return null;
        }
        if (lock == null) {
            throw beingWritten(part, null);
        }
        return lock;
    }

    private static StoreException beingWritten(Path part, @Nullable Throwable cause) {
        return new StoreException(part + " is being written by another run; wait for it, or write elsewhere", cause);
    }

    /**
     * Allocates bytes.
     *
     * @return their address, a multiple of 8
     */
    public long allocate(long bytes) {
        long aligned = Math.addExact(bytes, 7) & ~7L;
        return end.getAndAdd(aligned);
    }

    /**
     * Extends the file to the end of all allocated bytes.
     *
     * @return its size
     */
    public synchronized long seal() throws IOException {
        long size = end.get();
        if (channel().size() < size) {
            write(size - 1, ByteBuffer.allocate(1));
        }
        return size;
    }

    /** Makes the file as large as a number of bytes. */
    public synchronized void setSize(long size) throws IOException {
        if (channel().size() > size) {
            channelToWrite().truncate(size);
        } else if (channel().size() < size) {
            write(size - 1, ByteBuffer.allocate(1));
        }
    }

    /** Frees all space. No thread may be writing. */
    public synchronized void clear() throws IOException {
        channel().truncate(0);
        end.set(reserved);
    }

    /** Writes the remaining bytes of a buffer at an address. */
    public void write(long address, ByteBuffer bytes) throws IOException {
        Transfers.write(channelToWrite(), address, bytes);
    }

    /** Fills a buffer from an address. */
    public void read(long address, ByteBuffer bytes) throws IOException {
        Transfers.read(channel(), place().toString(), address, bytes);
    }

    private FileChannel channelToWrite() throws IOException {
        if (published) {
            throw new IllegalStateException(file + " is finished");
        }
        return channel();
    }

    private FileChannel channel() throws IOException {
        FileChannel current = channel;
        return current.isOpen() ? current : reopen();
    }

    /** Reopens the channel if it was closed by the interrupt of a thread; {@return the channel} */
    private synchronized FileChannel reopen() throws IOException {
        if (closed) {
            throw new IllegalStateException(file + " was closed");
        }
        if (lost != null) {
            throw new StoreException(String.valueOf(lost.getMessage()), lost);
        }
        if (!channel.isOpen()) {
            try {
                openAndLock();
            } catch (StoreException e) {
                lost = e;
                throw e;
            }
        }
        return channel;
    }

    private void openAndLock() throws IOException {
        FileChannel again;
        try {
            again = PrivateFiles.open(place(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            throw replaced(e);
        }
        try {
            FileLock taken = published ? null : lock(again, part);
            if (!hasKey(place(), key)) {
                throw replaced(null);
            }
            channel = again;
            lock = taken;
        } catch (IOException | RuntimeException | Error e) {
            again.close();
            throw e;
        }
    }

    private StoreException replaced(@Nullable Throwable cause) {
        return new StoreException(
                place() + " was deleted or replaced by another program while it was being written", cause);
    }

    private Path place() {
        return published ? file : part;
    }

    /**
     * Publishes the file under its name. It can still be read, but no longer written.
     *
     * @param replace whether an existing file may be replaced
     */
    public synchronized void publish(boolean replace) throws IOException {
        channel().force(true);
        if (!hasKey(part, key)) {
            throw replaced(null);
        }
        if (!replace && Files.exists(file)) {
            throw new StoreException(
                    file + " was created meanwhile by another program, and is not replaced; write elsewhere");
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        published = true;
        WRITING.remove(part);
        if (lock != null && lock.isValid()) {
            lock.release();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        try {
            if (!published) {
                delete();
            }
        } finally {
            closed = true;
            try {
                channel.close();
            } finally {
                if (!published) {
                    WRITING.remove(part);
                }
            }
        }
    }

    /** Deletes the file, unless it is lost. */
    private void delete() throws IOException {
        try {
            channel();
        } catch (StoreException e) {
            return;
        }
        if (hasKey(part, key)) {
            Files.deleteIfExists(part);
        }
    }
}
