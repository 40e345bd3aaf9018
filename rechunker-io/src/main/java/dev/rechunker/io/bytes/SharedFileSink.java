package dev.rechunker.io.bytes;

import dev.rechunker.journal.RunDirectory;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Writes a file beside its place, by many threads, and moves it there in one step. The file is open only while a piece
 * is written, so that there may be more such sinks than files may be open.
 */
final class SharedFileSink implements SharedSink {
    private final Path file;
    private final Path temporary;
    private final boolean durable;
    private volatile boolean committed;

    private SharedFileSink(Path file, Path temporary, boolean durable) {
        this.file = file;
        this.temporary = temporary;
        this.durable = durable;
    }

    /** {@return one that nobody else writes to; {@code durable} if the file is to be on the device when committed} */
    static SharedFileSink unique(Path file, boolean durable) throws IOException {
        return new SharedFileSink(file, Files.createFile(TemporaryName.beside(file)), durable);
    }

    /**
     * {@return one with a name that follows from that of the file}
     *
     * @param kept the bytes that an earlier one has written, at least, if this one goes on with it
     * @param durable whether the file, and its name, are to be on the device when it is committed
     */
    static SharedFileSink lasting(Path file, OptionalLong kept, boolean durable) throws IOException {
        Path temporary = file.resolveSibling(Keys.TEMPORARY + "unit-" + file.getFileName());
        if (kept.isEmpty()) {
            Files.deleteIfExists(temporary);
            Files.createFile(temporary);
        } else if (!Files.exists(temporary) || Files.size(temporary) < kept.getAsLong()) {
            throw new StoreException("what an unfinished run has put together of " + file
                    + (Files.exists(temporary) ? " was cut off" : " is gone") + "; begin anew with overwrite()");
        }
        return new SharedFileSink(file, temporary, durable);
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            Transfers.write(channel, position, bytes);
        }
    }

    @Override
    public void force() throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        RunDirectory.forceNames(DirectoryPaths.parent(file));
    }

    @Override
    public void commit() throws IOException {
        if (durable) {
            force();
        }
        TemporaryName.replace(temporary, file, durable);
        committed = true;
    }

    @Override
    public void close() throws IOException {
        if (!committed) {
            Files.deleteIfExists(temporary);
        }
    }
}
