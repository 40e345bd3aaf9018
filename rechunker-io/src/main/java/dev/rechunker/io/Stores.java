package dev.rechunker.io;

import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.io.ome.OmeZarr;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.ZipFile;

/** The door that opens what is at a path, whatever format it is of. */
public final class Stores {
    private static final List<String> ZARR = List.of("zarr.json", ".zgroup", ".zarray", ".zmetadata", ".zattrs");
    private static final String N5_DOCUMENT = "attributes.json";
    private static final byte[] HDF5_SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
    private static final byte[] ZIP_SIGNATURE = {'P', 'K', 3, 4};
    private static final int DEPTH = 3;
    private static final int VISITS = 1000;

    private Stores() {}

    /** The formats that are told apart. */
    private enum Format {
        ZARR,
        N5,
        HDF5
    }

    /**
     * {@return what is in a directory, zip file or HDF5 file, to be read; to directories arrays can be added too}
     *
     * <p>A directory is of the format whose documents it holds, itself or, where it has none, some levels below; so is
     * a zip file. A file is HDF5 by its signature, whatever its name.
     *
     * @throws StoreException if there is nothing, or nothing that is recognised; the message lists what was looked for
     */
    public static ChunkStore open(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new StoreException(path + " does not exist");
        }
        Format format = detect(path).orElseThrow(() -> unknown(path));
        return switch (format) {
            case ZARR -> Zarr.open(path);
            case N5 -> N5.open(path);
            case HDF5 -> Hdf5.open(path);
        };
    }

    /**
     * {@return a store to write to, in the format that the ending of the path says: {@code .zarr}, {@code .ome.zarr},
     * {@code .n5}, {@code .h5} or {@code .hdf5}}
     *
     * @throws StoreException if the ending is another one
     */
    public static ChunkStore create(Path path) throws StoreException {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        if (name.endsWith(".ome.zarr")) {
            return OmeZarr.create(path);
        } else if (name.endsWith(".zarr")) {
            return Zarr.create(path);
        } else if (name.endsWith(".n5")) {
            return N5.create(path);
        } else if (name.endsWith(".h5") || name.endsWith(".hdf5")) {
            return Hdf5.create(path);
        }
        throw new StoreException(path + " does not say its format; let it end with .zarr, .ome.zarr, .n5, .h5 or .hdf5,"
                + " or create the store by the door of its format");
    }

    /** {@return whether there is something at a path that {@link #open} recognises} */
    public static boolean isStore(Path path) throws IOException {
        return Files.exists(path) && detect(path).isPresent();
    }

    private static StoreException unknown(Path path) {
        return new StoreException(
                Files.isDirectory(path)
                        ? path + " is no store: neither it nor what is below has one of " + ZARR + " (Zarr) or "
                                + N5_DOCUMENT + " (N5)"
                        : path + " is no store: it has neither the signature of HDF5, at byte 0, 512, 1024, ..., nor is"
                                + " it a zip file with one of " + ZARR + " (Zarr) or " + N5_DOCUMENT + " (N5) in it");
    }

    private static Optional<Format> detect(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return detectDirectory(path, DEPTH, new int[1]);
        }
        if (startsWith(path, 0, ZIP_SIGNATURE)) {
            return detectZip(path);
        }
        long size = Files.size(path);
        if (startsWith(path, 0, HDF5_SIGNATURE)) {
            return Optional.of(Format.HDF5);
        }
        for (long at = 512; at + HDF5_SIGNATURE.length <= size; at *= 2) {
            if (startsWith(path, at, HDF5_SIGNATURE)) {
                return Optional.of(Format.HDF5);
            }
        }
        return Optional.empty();
    }

    private static Optional<Format> detectDirectory(Path directory, int depth, int[] visits) throws IOException {
        if (ZARR.stream().anyMatch(name -> Files.exists(directory.resolve(name)))) {
            return Optional.of(Format.ZARR);
        }
        if (Files.exists(directory.resolve(N5_DOCUMENT))) {
            return Optional.of(Format.N5);
        }
        if (depth == 0 || ++visits[0] > VISITS) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> below = Files.newDirectoryStream(directory, Files::isDirectory)) {
            for (Path child : below) {
                Optional<Format> format = detectDirectory(child, depth - 1, visits);
                if (format.isPresent() || visits[0] > VISITS) {
                    return format;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return Optional.empty();
    }

    /** {@return the format of the document that is nearest to the root} */
    private static Optional<Format> detectZip(Path path) throws IOException {
        try (ZipFile zip = new ZipFile(path.toFile())) {
            Format found = null;
            long least = Long.MAX_VALUE;
            for (String entry : (Iterable<String>) zip.stream().map(e -> e.getName())::iterator) {
                String name = entry.substring(entry.lastIndexOf('/') + 1);
                long depth = entry.chars().filter(c -> c == '/').count();
                boolean zarr = ZARR.contains(name);
                if (depth < least && (zarr || name.equals(N5_DOCUMENT))) {
                    found = zarr ? Format.ZARR : Format.N5;
                    least = depth;
                }
            }
            return Optional.ofNullable(found);
        }
    }

    private static boolean startsWith(Path path, long at, byte[] signature) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(path)) {
            ByteBuffer bytes = ByteBuffer.allocate(signature.length);
            channel.position(at);
            int got = 0;
            while (bytes.hasRemaining() && got >= 0) {
                got = channel.read(bytes);
            }
            return Arrays.equals(signature, bytes.array());
        }
    }
}
