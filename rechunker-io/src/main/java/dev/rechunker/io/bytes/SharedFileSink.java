package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file beside its place, by many threads, and moves it there in one step. The file is open only while a piece
 * is written, so that there may be more such sinks than files may be open.
 */
final class SharedFileSink implements ByteSink {
    private final Path file;
    private final Path temporary;
    private final boolean durable;
    private volatile boolean committed;

    /** Creates it; {@code durable} if the file, and its name, are to be on the device when it is committed. */
    SharedFileSink(Path file, boolean durable) throws IOException {
        this.file = file;
        this.durable = durable;
        this.temporary = FileSink.temporary(file);
        Files.createFile(temporary);
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            Transfers.write(channel, position, bytes);
        }
    }

    @Override
    public void commit() throws IOException {
        if (durable) {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        committed = true;
        if (durable) {
            Transfers.forceNames(DirectoryKeys.parent(file));
        }
    }

    @Override
    public void close() throws IOException {
        if (!committed) {
            Files.deleteIfExists(temporary);
        }
    }
}
