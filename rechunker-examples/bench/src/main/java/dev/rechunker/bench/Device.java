package dev.rechunker.bench;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Measurements of the file system through the page cache, with several threads. */
final class Device {
    private static final int PIECE = 4 << 20;
    private static final long PART = 16 << 20;
    private static final long MOST_SEQUENTIAL = 1L << 30;
    /** The most files that are measured to find a rate; more files are assumed to have the same rate. */
    private static final int MOST_FILES = 100_000;

    private static final int FILES_PER_DIRECTORY = 128;
    private static final Pattern METADATA = Pattern.compile("\\..*|zarr\\.json");

    private final Scrap scrap;
    private final int threads;
    private int measurements;

    Device(Scrap scrap, int threads) {
        this.scrap = scrap;
        this.threads = threads;
    }

    /** {@return the seconds to write a number of bytes to one file and to read them, sequentially} */
    double writeAndReadBack(long bytes) throws IOException, InterruptedException {
        long size = Math.min(bytes, MOST_SEQUENTIAL);
        if (size == 0) {
            return 0;
        }
        Path directory = scrap.next();
        Path file = directory.resolve("sequential");
        long pieces = (size + PIECE - 1) / PIECE;
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE, READ)) {
            double seconds = Threads.seconds(threads, pieces, () -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
                return piece -> channel.write(piece(buffer, piece, size), piece * PIECE);
            });
            seconds += Threads.seconds(threads, pieces, () -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
                return piece -> channel.read(piece(buffer, piece, size), piece * PIECE);
            });
            return seconds * bytes / size;
        } finally {
            Trees.empty(directory);
        }
    }

    private static ByteBuffer piece(ByteBuffer buffer, long piece, long size) {
        return buffer.clear().limit((int) Math.min(PIECE, size - piece * PIECE));
    }

    /** {@return the seconds to copy the files of a store unchanged} */
    double copy(Path store) throws IOException, InterruptedException {
        Path directory = scrap.next();
        Path target = directory.resolve("copy");
        List<Part> parts = new ArrayList<>();
        long files = 0;
        try (Stream<Path> walk = Files.walk(store)) {
            for (Path path : (Iterable<Path>) walk::iterator) {
                Path copy = target.resolve(store.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(copy);
                } else if (files++ < MOST_FILES) {
                    addParts(path, copy, parts);
                }
            }
        }
        try {
            double seconds = Threads.seconds(
                    threads, parts.size(), () -> part -> parts.get((int) part).copy());
            return seconds * files / Math.min(files, MOST_FILES);
        } finally {
            Trees.empty(directory);
        }
    }

    private static void addParts(Path from, Path to, List<Part> parts) throws IOException {
        long size = Files.size(from);
        for (long start = 0; start < size; start += PART) {
            parts.add(new Part(from, to, start, Math.min(PART, size - start)));
        }
    }

    private record Part(Path from, Path to, long start, long length) {
        void copy() throws IOException {
            try (FileChannel in = FileChannel.open(from, READ);
                    FileChannel out = FileChannel.open(to, CREATE, WRITE)) {
                out.position(start);
                for (long done = 0; done < length; ) {
                    done += in.transferTo(start + done, length - done, out);
                }
            }
        }
    }

    /** {@return the number of files of a size that can be created and written per second, in several directories} */
    double createsPerSecond(long files, int bytes) throws IOException, InterruptedException {
        long count = Math.min(files, MOST_FILES);
        Path directory = scrap.next();
        for (long i = 0; i < count; i += FILES_PER_DIRECTORY) {
            Files.createDirectories(parent(directory, i));
        }
        try {
            return count
                    / Threads.seconds(threads, count, () -> {
                        ByteBuffer data = ByteBuffer.allocateDirect(bytes);
                        return i -> {
                            try (FileChannel channel = FileChannel.open(file(directory, i), CREATE, WRITE)) {
                                channel.write(data.clear());
                            }
                        };
                    });
        } finally {
            Trees.empty(directory);
        }
    }

    /**
     * {@return the number of files of a store that can be opened and read per second}
     *
     * <p>At most {@link #MOST_FILES} are read, in directories that are spread over the store, in other ones each time.
     * So the system's cache has as many of them as it has of all files.
     */
    double readsPerSecond(Path store) throws IOException, InterruptedException {
        List<Path> directories = new ArrayList<>();
        addDirectories(store, directories);
        long all = (long) directories.size() * names(directories.get(0)).size();
        int step = (int) Math.max(1, (all + MOST_FILES - 1) / MOST_FILES);
        List<Path> files = new ArrayList<>();
        for (int i = measurements++ % step; i < directories.size(); i += step) {
            files.addAll(names(directories.get(i)));
        }
        return files.size()
                / Threads.seconds(threads, files.size(), () -> {
                    ByteBuffer data = ByteBuffer.allocateDirect(PIECE);
                    return i -> {
                        try (FileChannel channel = FileChannel.open(files.get((int) i), READ)) {
                            channel.read(data.clear());
                        }
                    };
                });
    }

    /** Adds the directories of chunks. Only one file of each is looked at, so that the others stay out of the cache. */
    private static void addDirectories(Path directory, List<Path> directories) throws IOException {
        List<Path> below = names(directory);
        if (!below.isEmpty() && Files.isRegularFile(below.get(below.size() - 1))) {
            directories.add(directory);
            return;
        }
        for (Path each : below) {
            addDirectories(each, directories);
        }
    }

    /** {@return the chunks or directories in a directory, without metadata} */
    private static List<Path> names(Path directory) throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            return list.filter(path ->
                            !METADATA.matcher(path.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    private static Path file(Path directory, long number) {
        return parent(directory, number).resolve(Long.toString(number));
    }

    private static Path parent(Path directory, long number) {
        return directory.resolve(Long.toString(number / FILES_PER_DIRECTORY));
    }
}
