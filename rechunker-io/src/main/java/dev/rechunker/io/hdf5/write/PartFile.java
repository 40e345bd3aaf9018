package dev.rechunker.io.hdf5.write;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
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
 * A file under construction: {@code NAME.part}, which becomes {@code NAME} in one step when it is whole.
 *
 * <p>Any number of threads take space and write at once, without a lock. Closing the file before it is published
 * removes it. What a killed run has left is taken over by the next one; what another run is writing is refused. A lock
 * of the operating system says which it is.
 *
 * <p>The interrupt of a thread closes the channel, as the JDK has it, and that ends the lock. Who needs the channel
 * next opens the same file again and takes the lock again. If either is somebody else's by then, the file is lost:
 * nothing is written to it, published or removed any more.
 */
final class PartFile implements Closeable {
    /** What this process is writing. It is not opened a second time: on POSIX, closing it would end the lock. */
    private static final Set<Path> WRITING = ConcurrentHashMap.newKeySet();

    private final AtomicLong end = new AtomicLong(Superblock.SIZE);
    private final Path file;
    private final Path part;
    private final @Nullable Object key;
    private volatile FileChannel channel;
    private volatile boolean published;
    private volatile boolean closed;
    private @Nullable FileLock lock;
    private @Nullable StoreException lost;

    private PartFile(Path file, Path part, @Nullable Object key, FileChannel channel, @Nullable FileLock lock) {
        this.file = file;
        this.part = part;
        this.key = key;
        this.channel = channel;
        this.lock = lock;
    }

    /** Begins a file that will be, or replace, {@code file}. */
    static PartFile begin(Path file) throws IOException {
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
            taken = take(place, part);
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

    private static PartFile take(Path place, Path part) throws IOException {
        FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                .close();
        Object key;
        try {
            key = key(part);
        } catch (NoSuchFileException e) {
            throw beingWritten(part, e);
        }
        FileChannel channel = FileChannel.open(part, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = lock(channel, part);
            if (!is(part, key)) {
                throw beingWritten(part, null); // what was opened is finished or removed by now
            }
            return new PartFile(place, part, key, channel, lock);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** {@return what tells the file from others that have had its name, where the file system knows} */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** {@return whether a file is there, and the one of a key, as far as the file system knows} */
    private static boolean is(Path path, @Nullable Object key) throws IOException {
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

    /** Refuses a file that cannot be begun: no directory takes it, or somebody is writing it at this moment. */
    static void requireCanBegin(Path file) throws IOException {
        Path place = place(file);
        Path existing = place.getParent();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing != null && !(Files.isDirectory(existing) && Files.isWritable(existing))) {
            throw new StoreException(file + " cannot be written: " + existing
                    + " is no directory that may be written to; write elsewhere");
        }
        requireLeft(part(place));
    }

    private static void requireLeft(Path part) throws IOException {
        if (WRITING.contains(part)) {
            throw beingWritten(part, null);
        }
        try (FileChannel left = FileChannel.open(part, StandardOpenOption.WRITE)) {
            lock(left, part);
        } catch (NoSuchFileException e) {
            return; // there is none, or it has just been finished or removed
        }
    }

    /** {@return the lock, or null if the file system has none} */
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
        return new StoreException(part + " is being written by somebody else; wait, or write elsewhere", cause);
    }

    /** {@return the address of so many bytes that nobody else has, a multiple of 8} */
    long allocate(long bytes) {
        long aligned = Math.addExact(bytes, 7) & ~7L;
        return end.getAndAdd(aligned);
    }

    /** {@return the address behind everything, up to which the file now has bytes} */
    synchronized long seal() throws IOException {
        long size = end.get();
        if (channel().size() < size) {
            write(size - 1, ByteBuffer.allocate(1));
        }
        return size;
    }

    /** Gives all space back; nobody may be writing. */
    synchronized void clear() throws IOException {
        channel().truncate(0);
        end.set(Superblock.SIZE);
    }

    /** Writes the remaining bytes of a buffer at an address. */
    void write(long address, ByteBuffer bytes) throws IOException {
        Transfers.write(channelToWrite(), address, bytes);
    }

    /** Fills a buffer from an address. */
    void read(long address, ByteBuffer bytes) throws IOException {
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
        return current.isOpen() ? current : openAgain();
    }

    /** {@return the channel, which the interrupt of a thread that was using it has closed} */
    private synchronized FileChannel openAgain() throws IOException {
        if (closed) {
            throw new IllegalStateException(file + " was closed");
        }
        if (lost != null) {
            throw new StoreException(String.valueOf(lost.getMessage()), lost);
        }
        if (!channel.isOpen()) {
            try {
                takeAgain();
            } catch (StoreException e) {
                lost = e;
                throw e;
            }
        }
        return channel;
    }

    private void takeAgain() throws IOException {
        FileChannel again;
        try {
            again = FileChannel.open(place(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            throw replaced(e);
        }
        try {
            FileLock taken = published ? null : lock(again, part);
            if (!is(place(), key)) {
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
        return new StoreException(place() + " was removed or replaced by somebody else while it was in use", cause);
    }

    private Path place() {
        return published ? file : part;
    }

    /**
     * Makes it the file; the last write was the superblock. It can still be read.
     *
     * @param replace whether a file that is there may be replaced
     */
    synchronized void publish(boolean replace) throws IOException {
        channel().force(true);
        if (!is(part, key)) {
            throw replaced(null);
        }
        if (!replace && Files.exists(file)) {
            throw new StoreException(file + " has come into being meanwhile, and is not replaced");
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
                remove();
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

    /** Removes what was written, under the lock, unless it is lost. */
    private void remove() throws IOException {
        try {
            channel();
        } catch (StoreException e) {
            return;
        }
        if (is(part, key)) {
            Files.deleteIfExists(part);
        }
    }
}
