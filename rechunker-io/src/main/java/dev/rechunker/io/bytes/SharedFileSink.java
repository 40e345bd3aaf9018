package dev.rechunker.io.bytes;

import dev.rechunker.journal.PrivateFiles;
import dev.rechunker.journal.RunDirectory;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Writes a temporary file, by any number of threads, and moves it to its final name in one step. The file is open only
 * while a piece is written, so there may be more such sinks than open files are allowed.
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

    /**
     * {@return a sink with a temporary file of its own; {@code durable} if the commit must put the file on its device}
     */
    static SharedFileSink unique(Path file, boolean durable) throws IOException {
        return new SharedFileSink(file, Files.createFile(TemporaryName.beside(file)), durable);
    }

    /**
     * {@return a sink whose temporary file has a name that follows from that of the file, so that it can be resumed}
     *
     * @param kept if this sink resumes an earlier one: the least number of bytes that the earlier one has written
     * @param durable whether the commit must put the file and its name on their device
     */
    static SharedFileSink resumable(Path file, OptionalLong kept, boolean durable) throws IOException {
        Path temporary = file.resolveSibling(Keys.TEMPORARY + "unit-" + file.getFileName());
        if (kept.isEmpty()) {
            Files.deleteIfExists(temporary);
            Files.createFile(temporary);
        } else if (!Files.exists(temporary) || Files.size(temporary) < kept.getAsLong()) {
            throw new StoreException(
                    "the part of " + file + " that an unfinished run has written "
                            + (Files.exists(temporary) ? "was truncated" : "is missing"),
                    Advice.RESTART);
        }
        return new SharedFileSink(file, temporary, durable);
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = PrivateFiles.open(temporary, StandardOpenOption.WRITE)) {
            Transfers.write(channel, position, bytes);
        }
    }

    @Override
    public void force() throws IOException {
        try (FileChannel channel = PrivateFiles.open(temporary, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        RunDirectory.forceNames(DirectoryPaths.parent(file));
    }

    @Override
    public ByteSource read() throws IOException {
        FileChannel channel = PrivateFiles.open(temporary, StandardOpenOption.READ);
        return new FileSource(temporary.toString(), channel, channel.size());
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
