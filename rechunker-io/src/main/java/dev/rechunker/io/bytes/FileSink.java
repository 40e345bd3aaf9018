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
    private final boolean durable;
    private boolean committed;

    /** Creates it; {@code durable} if the file, and its name, are to be on the device when it is committed. */
    FileSink(Path file, boolean durable) throws IOException {
        this.file = file;
        this.temporary = temporary(file);
        this.durable = durable;
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

    /** {@return whether a file was left by a sink of a process that is gone, by its name} */
    static boolean isOrphan(String name) {
        if (!name.startsWith(Keys.TEMPORARY)) {
            return false;
        }
        String[] parts = name.substring(Keys.TEMPORARY.length()).split("-", 2);
        try {
            return parts.length == 2
                    && ProcessHandle.of(Long.parseLong(parts[0])).isEmpty();
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    public void commit() throws IOException {
        if (durable) {
            channel.force(true);
        }
        channel.close();
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        committed = true;
        if (durable) {
            Transfers.forceNames(DirectoryKeys.parent(file));
        }
    }

    @Override
    public void close() throws IOException {
        if (!committed) {
            channel.close();
            Files.deleteIfExists(temporary);
        }
    }
}
