package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.Fixtures;
import io.jhdf.checksum.ChecksumUtils;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Datasets written by h5py, with every layout, every chunk index and every filter.
 *
 * @param directory the directory of the files
 * @param datasets the datasets in the files
 */
record Corpus(Path directory, List<Expected> datasets) {
    /**
     * A dataset and its expected contents.
     *
     * @param dtype the name of the type in NumPy
     */
    record Expected(String file, String path, String dtype, List<Long> extents, Path bytes) {
        long[] shape() {
            return extents.stream().mapToLong(n -> n).toArray();
        }

        byte[] elements() throws IOException {
            return Files.readAllBytes(bytes);
        }
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(Corpus.class.getResourceAsStream("/hdf5/" + name), name);
    }

    /** {@return a copy of a file that is a test resource} */
    static Path copy(String name, Path directory) throws IOException {
        return Fixtures.resource("hdf5/" + name, directory);
    }

    /** Writes the checksum of a range of bytes after it. */
    static void putChecksum(byte[] bytes, int from, int to) {
        int checksum = ChecksumUtils.checksum(Arrays.copyOfRange(bytes, from, to));
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(to, checksum);
    }

    static Corpus unpack(Path directory) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(open("corpus.tar.xz")))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = directory.resolve(entry.getName()).normalize();
                if (!file.startsWith(directory)) {
                    throw new IOException(entry.getName());
                }
                if (!entry.isDirectory()) {
                    Files.createDirectories(Objects.requireNonNull(file.getParent()));
                    Files.copy(tar, file);
                }
            }
        }
        Path files = directory.resolve("t");
        List<Expected> datasets = new ArrayList<>();
        for (String line : Files.readAllLines(files.resolve("exp.txt"))) {
            String[] fields = line.split("\t", -1);
            List<Long> shape = fields[4].isEmpty()
                    ? List.of()
                    : Arrays.stream(fields[4].split("x", -1)).map(Long::valueOf).toList();
            Path bytes = files.resolve("exp").resolve(fields[2] + ".bin");
            datasets.add(new Expected(fields[0], fields[1], fields[3], shape, bytes));
        }
        return new Corpus(files, datasets);
    }
}
