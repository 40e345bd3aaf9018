package dev.rechunker.exec;

import static java.util.Objects.requireNonNull;

import dev.rechunker.journal.PrivateFiles;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One of the files of a {@link SpillFile}, with the number of its unfinished windows. */
final class SpillPart implements Closeable {
    private final AtomicLong windowsLeft = new AtomicLong();
    private boolean kept;
    private @Nullable Path path;
    private @Nullable FileChannel channel;
    /** The range of the file in the block, in bytes. */
    long start = Long.MAX_VALUE;

    long end;

    /** Counts one more window that has to be read. */
    void expectWindow() {
        windowsLeft.incrementAndGet();
    }

    /** Counts a window as done; {@return whether it was the last} */
    boolean countDownWindows() {
        return windowsLeft.decrementAndGet() == 0;
    }

    /** {@return whether all windows are done} */
    boolean isDone() {
        return windowsLeft.get() == 0;
    }

    /**
     * Opens the file. It is created in its full length, or must have that already.
     *
     * @throws StoreException if the file must exist, and does not or is too short
     */
    void open(Spills spills, Path file, long bytes, SpillFile.Opening opening) throws IOException {
        kept = spills.areKept();
        path = file;
        if (windowsLeft.get() == 0) {
            Files.deleteIfExists(file);
        } else if (opening.creates()) {
            Files.deleteIfExists(file);
            FileChannel created = kept
                    ? PrivateFiles.create(file, StandardOpenOption.READ)
                    : PrivateFiles.create(file, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
            channel = created;
            write(ByteBuffer.allocate(1), start + bytes - 1);
        } else {
            channel = openExisting(file, bytes, opening);
        }
    }

    private static FileChannel openExisting(Path file, long bytes, SpillFile.Opening opening) throws IOException {
        OpenOption[] access = switch (opening) {
            case WRITE_SHARED -> new OpenOption[] {StandardOpenOption.WRITE};
            case READ_SHARED -> new OpenOption[] {StandardOpenOption.READ};
            default -> new OpenOption[] {StandardOpenOption.READ, StandardOpenOption.WRITE};
        };
        FileChannel opened;
        try {
            opened = PrivateFiles.open(file, access);
        } catch (NoSuchFileException e) {
            throw lost(file, "is missing", e);
        } catch (FileSystemException e) {
            throw lost(file, StoreException.reasonWithoutFile(e), e);
        }
        if (opened.size() < bytes) {
            opened.close();
            throw lost(file, "is incomplete", null);
        }
        return opened;
    }

    private static StoreException lost(Path file, String how, @Nullable Throwable cause) {
        return new StoreException("the spill " + file + " of the unfinished run " + how, cause, Advice.RESTART);
    }

    @Nullable
    Path path() {
        return path;
    }

    /** Fills the rest of a buffer from an offset in the block. */
    void read(ByteBuffer target, long at) throws IOException {
        long from = at - start;
        while (target.hasRemaining()) {
            int read;
            try {
                read = channel().read(target, from);
            } catch (IOException e) {
                throw named(e);
            }
            if (read < 0) {
                throw new EOFException(
                        "the spill " + path + " ends at " + channel().size() + ", before " + from);
            }
            from += read;
        }
    }

    /** Writes the rest of a buffer to an offset in the block. */
    void write(ByteBuffer data, long at) throws IOException {
        long to = at - start;
        try {
            while (data.hasRemaining()) {
                to += channel().write(data, to);
            }
        } catch (IOException e) {
            throw named(e);
        }
    }

    /** {@return a failure with the name of the file, which exceptions of channels do not contain} */
    private IOException named(IOException e) {
        return e.getMessage() == null ? e : new IOException("the spill " + path + ": " + StoreException.reason(e), e);
    }

    private FileChannel channel() {
        return requireNonNull(channel, "the windows of this file are done");
    }

    void force() throws IOException {
        if (channel != null && channel.isOpen()) {
            try {
                channel.force(false);
            } catch (IOException e) {
                throw named(e);
            }
        }
    }

    void delete() throws IOException {
        if (channel != null) {
            channel.close();
        }
        if (path != null) {
            Files.deleteIfExists(path);
        }
    }

    /** Closes the file, and deletes it unless it is kept for a later run. */
    @Override
    public void close() throws IOException {
        if (!kept) {
            delete();
        } else if (channel != null) {
            channel.close();
        }
    }
}
