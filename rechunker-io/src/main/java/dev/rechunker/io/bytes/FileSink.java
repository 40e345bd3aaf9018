package dev.rechunker.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Writes a file beside its place, and moves it there in one step. */
final class FileSink implements ByteSink {
    private final Path file;
    private final Path temporary;
    private final FileChannel channel;
    private boolean committed;

    FileSink(Path file) throws IOException {
        this.file = file;
        this.temporary = temporary(file);
        this.channel = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    /** {@return a name beside a file that nobody else uses} */
    static Path temporary(Path file) {
        String unique = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        return file.resolveSibling(Keys.TEMPORARY + ProcessHandle.current().pid() + "-" + unique);
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        Transfers.write(channel, position, bytes);
    }

    @Override
    public void commit() throws IOException {
        channel.close();
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        committed = true;
    }

    @Override
    public void close() throws IOException {
        if (!committed) {
            channel.close();
            Files.deleteIfExists(temporary);
        }
    }
}
