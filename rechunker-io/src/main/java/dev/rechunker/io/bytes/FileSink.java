package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes a temporary file, and moves it to its final name in one step. */
final class FileSink implements ByteSink {
    private final Path file;
    private final Path temporary;
    private final FileChannel channel;
    private final boolean durable;
    private boolean committed;

    /** Creates the temporary file; {@code durable} if the commit must put the file and its name on their device. */
    FileSink(Path file, boolean durable) throws IOException {
        this.file = file;
        this.temporary = TemporaryName.beside(file);
        this.durable = durable;
        this.channel = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        Transfers.write(channel, position, bytes);
    }

    @Override
    public void commit() throws IOException {
        if (durable) {
            channel.force(true);
        }
        channel.close();
        TemporaryName.replace(temporary, file, durable);
        committed = true;
    }

    @Override
    public void close() throws IOException {
        if (!committed) {
            try {
                channel.close();
            } finally {
                Files.deleteIfExists(temporary);
            }
        }
    }
}
