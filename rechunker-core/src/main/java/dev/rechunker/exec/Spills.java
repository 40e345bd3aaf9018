package dev.rechunker.exec;

import dev.rechunker.journal.Directories;
import dev.rechunker.plan.SpillCompression;
import dev.rechunker.resource.CostModel;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A temporary copy in files of a directory.
 *
 * @param directory the directory
 * @param run the first part of the names of the files of a run that can be resumed; null if the files are deleted when
 *     the run ends in any way
 * @param codec the codec that compresses the files if the plan compresses them; null if there is none
 */
public record Spills(
        Path directory, @Nullable String run, @Nullable SpillCodec codec) implements SpillPlace {
    /** The first part of the names of the files of all runs. */
    private static final String ANY_RUN = "rechunk";

    private static final String SUFFIX = ".spill";

    /** {@return files that are deleted when the run ends} */
    public static Spills temporary(Path directory, @Nullable SpillCodec codec) {
        return new Spills(directory, null, codec);
    }

    /** {@return a codec for the files; empty if there is none, or the model does not say how well it compresses} */
    public static Optional<SpillCodec> codec(CostModel model) {
        return model.spillRatio() > 1 ? SpillCodec.find() : Optional.empty();
    }

    /** {@return the numbers of a codec that a plan needs, for elements of a size} */
    public static SpillCompression traits(SpillCodec codec, int itemSize) {
        return CompressedPieces.traits(codec, itemSize);
    }

    boolean areKept() {
        return run != null;
    }

    /** {@return the path of one of the files of a block} */
    Path file(String block, int number) throws IOException {
        return run == null
                ? Files.createTempFile(directory, ANY_RUN + "-", SUFFIX)
                : directory.resolve(run + "-" + block + "-" + number + SUFFIX);
    }

    FileChannel open(Path file) throws IOException {
        return run == null
                ? FileChannel.open(
                        file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)
                : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    /** Makes a file longer. Several processes may do this at the same time, while others write to the file. */
    void extend(Path file, FileChannel channel, long bytes) throws IOException {
        if (run == null || !file.getFileSystem().equals(FileSystems.getDefault())) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        } else {
            try (RandomAccessFile sized = new RandomAccessFile(file.toFile(), "rw")) {
                sized.setLength(bytes);
            }
        }
    }

    @Override
    public Optional<Path> localDirectory() {
        return Optional.of(directory);
    }

    @Override
    public void tryOut() throws IOException {
        Path existing = existing(directory);
        if (existing != null && !(Files.isDirectory(existing) && Files.isWritable(existing))) {
            throw new StoreException(
                    "the spill cannot be written to " + directory + ": " + existing + " is not a writable directory",
                    Advice.SPILL_ELSEWHERE,
                    Advice.NO_SPILL);
        }
    }

    /** {@return the longest beginning of a path that exists; null if there is none} */
    public static @Nullable Path existing(Path path) {
        Path existing = path.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }

    /** {@return the size of all files of this run in bytes} */
    @Override
    public long bytes() throws IOException {
        long bytes = 0;
        if (run != null && Files.isDirectory(directory)) {
            for (Path file : Directories.list(directory, run + "-*" + SUFFIX)) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Override
    public void delete() throws IOException {
        if (run != null) {
            delete(directory, run);
        }
    }

    /** Deletes the files of all runs in a directory that has no other use. */
    public static void deleteAll(Path directory) throws IOException {
        delete(directory, ANY_RUN);
    }

    private static void delete(Path directory, String run) throws IOException {
        try {
            for (Path file : Directories.list(directory, run + "-*" + SUFFIX)) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return; // there was no file
        }
    }
}
