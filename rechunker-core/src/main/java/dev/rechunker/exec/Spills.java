package dev.rechunker.exec;

import dev.rechunker.journal.Directories;
import dev.rechunker.plan.SpillCompression;
import dev.rechunker.resource.CostModel;
import dev.rechunker.store.Advice;
import dev.rechunker.store.SpillCodec;
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
 * Where the files of a spill are.
 *
 * @param directory where
 * @param run what begins the names of the files of a run that can be gone on with; null if the files go with the run,
 *     however it ends
 * @param codec what compresses them, if the plan says so; null if it never does
 */
public record Spills(
        Path directory, @Nullable String run, @Nullable SpillCodec codec) implements SpillPlace {
    /** What the names of all runs begin with. */
    private static final String ANY_RUN = "rechunk";

    private static final String SUFFIX = ".spill";

    /** {@return files that are gone when the run ends} */
    public static Spills temporary(Path directory, @Nullable SpillCodec codec) {
        return new Spills(directory, null, codec);
    }

    /** {@return what can compress files, if the model knows how well they compress and there is a codec} */
    public static Optional<SpillCodec> codec(CostModel model) {
        return model.spillRatio() > 1 ? SpillCodec.find() : Optional.empty();
    }

    /** {@return what a plan has to know of a codec for elements of so many bytes} */
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

    /** Makes a file longer. Several processes may do so at once with one that is kept, while others write to it. */
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
                    "the spill cannot be written to " + directory + ": " + existing
                            + " is no directory that may be written to",
                    Advice.SPILL_ELSEWHERE,
                    Advice.NO_SPILL);
        }
    }

    /** {@return a path, or as much of its beginning as there is; null if there is nothing of it} */
    public static @Nullable Path existing(Path path) {
        Path existing = path.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }

    /** {@return the bytes of all files of this run} */
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

    /** Deletes the files of all runs in a directory that nobody else uses. */
    public static void deleteAll(Path directory) throws IOException {
        delete(directory, ANY_RUN);
    }

    private static void delete(Path directory, String run) throws IOException {
        try {
            for (Path file : Directories.list(directory, run + "-*" + SUFFIX)) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return; // there never was a file of it
        }
    }
}
