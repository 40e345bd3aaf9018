package dev.rechunker.job;

import dev.rechunker.run.RefusedException;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreException;
import dev.rechunker.store.StoreLocation;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The file for the checksums of write units. Its exceptions name it, as they are not failures of the copy. */
final class ChecksumFile implements Closeable {
    /** A line of {@link dev.rechunker.verify.UnitChecksums}. */
    private static final Pattern LINE = Pattern.compile("[0-9a-f]{8} \\d+ .*");

    private final Path path;
    private final Writer writer;

    /** Creates the file, or makes it empty. */
    ChecksumFile(Path path) throws ChecksumFileException {
        this.path = path;
        try {
            DataPlace.keepOtherNames(path);
            writer = Files.newBufferedWriter(path);
        } catch (IOException e) {
            throw new ChecksumFileException(path, e);
        }
    }

    /**
     * Checks that the file is not a part of a node.
     *
     * @throws StoreException if it is inside of one of the places of the node
     */
    static void requireApart(Optional<Path> file, StoreLocation node, List<DataPlace> places) throws StoreException {
        if (file.isPresent()
                && !Files.isDirectory(file.get())
                && places.stream().anyMatch(place -> place.overlaps(DataPlace.ofFile(file.get())))) {
            throw new StoreException("checksums cannot be written to " + file.get() + ", which is inside " + node
                    + "; name a file outside of it");
        }
    }

    /**
     * Checks that the file can be written, as far as that is known in advance.
     *
     * @throws RefusedException if it cannot
     */
    static void requireWritable(Optional<Path> path) throws RefusedException {
        if (path.isEmpty()) {
            return;
        }
        Path file = path.get();
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            throw new RefusedException("checksums cannot be written to " + file
                    + ", which cannot be a file; name one in an existing directory");
        }
        if (!Files.isWritable(Files.exists(file) ? file : directory)) {
            throw new RefusedException("checksums cannot be written to " + file + ": permission denied");
        }
    }

    /**
     * Checks that nothing is replaced but checksums: the plan of several processes may have been changed since it was
     * saved.
     *
     * @throws RefusedException if there is another file
     */
    static void requireReplaceable(Optional<Path> path) throws RefusedException {
        if (path.isEmpty() || Files.notExists(path.get(), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path file = path.get();
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && hasChecksumsOnly(file)) {
                return;
            }
        } catch (IOException e) {
            throw new RefusedException(
                    "checksums cannot be written to " + file + ": " + StoreException.reasonWithoutFile(e), e);
        }
        throw new RefusedException("checksums cannot be written to " + file
                + ", which exists and contains something else; name another file, or remove it");
    }

    private static boolean hasChecksumsOnly(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.allMatch(line -> LINE.matcher(line).matches());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    void write(String line) throws ChecksumFileException {
        try {
            writer.write(line);
        } catch (IOException e) {
            throw new ChecksumFileException(path, e);
        }
    }

    @Override
    public void close() throws ChecksumFileException {
        try {
            writer.close();
        } catch (IOException e) {
            throw new ChecksumFileException(path, e);
        }
    }
}
