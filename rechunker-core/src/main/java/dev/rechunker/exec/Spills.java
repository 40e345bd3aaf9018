package dev.rechunker.exec;

import dev.rechunker.array.ArraySpec;
import dev.rechunker.geometry.ChunkGrid;
import dev.rechunker.geometry.Region;
import dev.rechunker.journal.Directories;
import dev.rechunker.journal.PrivateFiles;
import dev.rechunker.order.Odometer;
import dev.rechunker.plan.CopyPlan;
import dev.rechunker.plan.SpillCompression;
import dev.rechunker.resource.CostModel;
import dev.rechunker.run.RefusedException;
import dev.rechunker.store.Advice;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A temporary copy in files. Those of a run that can be resumed are in a directory of their own, with the name of the
 * run, which cannot be guessed. Those of another run have no name while they are open, where the system allows that.
 *
 * @param directory the directory in which all of them are
 * @param run the name of a run that can be resumed; null if the files are deleted when the run ends in any way
 * @param codec the codec that compresses the files if the plan compresses them; null if there is none
 */
public record Spills(
        Path directory, @Nullable String run, @Nullable SpillCodec codec) implements SpillPlace {
    /** The first part of the names of all runs. */
    private static final String ANY_RUN = "rechunk-";

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

    /** {@return the directory that contains the files} */
    public Path place() {
        return run == null ? directory : directory.resolve(run);
    }

    /** {@return the path of one of the files of a block} */
    Path file(String block, int number) {
        String name = run == null ? ANY_RUN + UUID.randomUUID() : block + "-" + number;
        return place().resolve(name + SUFFIX);
    }

    /** Creates the directories of the files, unless they exist. */
    void createPlace() throws IOException {
        Files.createDirectories(directory);
        if (run != null && !exists()) {
            PrivateFiles.createDirectory(place());
        }
    }

    /** Refuses to use a directory of an earlier run that is not there, or is a link. */
    void requirePlace() throws StoreException {
        if (!exists()) {
            throw new StoreException("the spill " + place() + " of the unfinished run is missing", Advice.RESTART);
        }
    }

    boolean exists() {
        return Files.isDirectory(place(), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void begin() throws IOException {
        Files.createDirectories(directory);
        PrivateFiles.createDirectory(place());
    }

    @Override
    public void createBlocks(int array, CopyPlan plan, ArraySpec source) throws IOException {
        for (int copy = 0; copy < plan.strategy().copies().size(); copy++) {
            ChunkGrid blocks = plan.strategy().copies().get(copy).blocks();
            SpillFile.Copy of = new SpillFile.Copy(array, plan, copy, source);
            Odometer block = new Odometer(Region.whole(blocks.counts()));
            while (block.next()) {
                Region region = blocks.region(block.index());
                SpillFile.open(this, of, region, Resident.none(), SpillFile.Opening.CREATE_SHARED, window -> false)
                        .close();
            }
        }
    }

    @Override
    public void requireBegun() throws RefusedException {
        if (!exists()) {
            throw new RefusedException(
                    "the spill " + place() + " of this run is missing. It was made with the plan: " + directory
                            + " must be the same directory for every process, and nothing may be removed from it",
                    Advice.RESTART);
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
        if (run != null && exists()) {
            for (Path file : Directories.list(place(), "*" + SUFFIX)) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Override
    public void delete() throws IOException {
        if (run != null) {
            delete(place());
        }
    }

    /** Deletes the files of all runs in a directory that has no other use. */
    public static void deleteAll(Path directory) throws IOException {
        for (Path place : Directories.list(directory, ANY_RUN + "*")) {
            delete(place);
        }
    }

    private static void delete(Path place) throws IOException {
        if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            for (Path file : Directories.list(place, "*" + SUFFIX)) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(place);
        } catch (NoSuchFileException e) {
            return; // another process has deleted it
        }
    }
}
