package dev.rechunker.io.file;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.Transfers;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A local file that many threads can read at once.
 *
 * <p>When a thread is interrupted while it reads, the JDK closes the channel for all threads. A thread that finds the
 * channel closed reopens it, unless it was interrupted itself.
 */
public final class SharedFile implements FileBytes {
    /** The setting of a descriptor of a file that may name files outside of its directory: {@link #FOLLOWED}. */
    private static final String LINKS = "links";

    private static final String FOLLOWED = "follow";

    private final Path path;
    private final boolean followLinks;
    private final long size;
    private final @Nullable Object key;
    private volatile FileChannel channel;
    private volatile boolean closed;

    private SharedFile(Path path, boolean followLinks, FileChannel channel, BasicFileAttributes attributes) {
        this.path = path;
        this.followLinks = followLinks;
        this.channel = channel;
        this.size = attributes.size();
        this.key = attributes.fileKey();
    }

    /** {@return an existing file, open for reading, which cannot name files outside of its directory} */
    public static SharedFile open(Path path) throws IOException {
        return open(path, false);
    }

    /**
     * {@return an existing file, open for reading}
     *
     * @param followLinks whether files outside of its directory are read if it names them
     */
    public static SharedFile open(Path path, boolean followLinks) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new SharedFile(path, followLinks, FileChannel.open(path, StandardOpenOption.READ), attributes);
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public DataPlace place() {
        return DataPlace.ofFile(path);
    }

    @Override
    public Optional<StoreDescriptor> descriptor(String kind) {
        StoreDescriptor descriptor = StoreDescriptor.of(
                kind, path.toAbsolutePath().normalize().toUri().toString());
        return Optional.of(followLinks ? descriptor.with(LINKS, FOLLOWED) : descriptor);
    }

    @Override
    public Optional<Path> localDirectory() {
        return Optional.ofNullable(path.toAbsolutePath().getParent());
    }

    @Override
    public Optional<FileBytes> beside(String name) throws IOException {
        return new FilesBeside(path, followLinks).find(name);
    }

    @Override
    public boolean isRemote() {
        return false;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long readingBytes() {
        return Transfers.PIECE;
    }

    @Override
    public ByteSource open(long offset, long length) {
        return new DirectSource(this);
    }

    @Override
    public void read(long offset, ByteBuffer target) throws IOException {
        int start = target.position();
        int end = target.limit();
        try {
            while (target.position() < end) {
                long at = offset + (target.position() - start);
                Transfers.limitPiece(target, end);
                if (at < 0 || readSome(target, at) < 0) {
                    throw new StoreException(path + " is cut off: it ends at byte " + size + ", but "
                            + (end - target.position()) + " bytes are needed at byte " + at);
                }
            }
        } finally {
            target.limit(end);
        }
    }

    private int readSome(ByteBuffer target, long at) throws IOException {
        FileChannel current = channel;
        try {
            return current.read(target, at);
        } catch (ClosedChannelException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            reopen(current);
            return 0;
        }
    }

    private synchronized void reopen(FileChannel closedChannel) throws IOException {
        if (closed) {
            throw new ClosedFileException(this);
        }
        if (channel == closedChannel) {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (!Objects.equals(key, attributes.fileKey()) || attributes.size() < size) {
                throw new StoreException(path + " was replaced while it was read");
            }
            channel = FileChannel.open(path, StandardOpenOption.READ);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        channel.close();
    }
}
