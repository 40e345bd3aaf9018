package dev.rechunker.io;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.Span;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The formats of stores, told apart by what they hold: documents of their own, or a signature. */
enum Format {
    ZARR,
    N5,
    HDF5;

    private static final List<String> ZARR_DOCUMENTS =
            List.of("zarr.json", ".zgroup", ".zarray", ".zmetadata", ".zattrs");
    private static final String N5_DOCUMENT = "attributes.json";
    private static final String DOCUMENTS = "one of " + ZARR_DOCUMENTS + " (Zarr) or " + N5_DOCUMENT + " (N5)";
    private static final byte[] ZIP_SIGNATURE = {'P', 'K', 3, 4};
    private static final int FIRST_BYTES = 1 << 12;
    private static final int DEPTH = 3;
    private static final int VISITS = 1000;

    /**
     * {@return that of a file or directory; empty if it is of none}
     *
     * @throws StoreException if it is neither
     */
    static Optional<Format> of(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return of(new DirectoryKeys(path));
        }
        if (!Files.isRegularFile(path)) {
            throw new StoreException(path + " is no file, but a pipe or a device, and is not read");
        }
        if (isZip(path)) {
            return ofZip(path);
        }
        return Hdf5.isIn(path) ? Optional.of(HDF5) : Optional.empty();
    }

    /** {@return that of a hierarchy under keys: Zarr or N5; empty if it is neither} */
    static Optional<Format> of(KeyStore keys) throws IOException {
        return find(keys, "", DEPTH, new int[1]);
    }

    /** {@return whether there is an HDF5 file under a key} */
    static boolean isHdf5(KeyStore keys, String key) throws IOException {
        Optional<ByteSource> found = keys.open(key, new Span(0, FIRST_BYTES));
        if (found.isEmpty()) {
            return false;
        }
        try (ByteSource source = found.get()) {
            return Hdf5.isIn(source);
        }
    }

    /** {@return what a file or directory of no format would need to be of one} */
    static String missing(Path path) {
        return Files.isDirectory(path)
                ? "neither it nor what is below has " + DOCUMENTS
                : "it has neither the signature of HDF5, at byte 0, 512, 1024, ..., nor is it a zip file with "
                        + DOCUMENTS + " in it";
    }

    /** {@return what a place of no format would need to be of one} */
    static String missing(KeyStore keys) {
        return (keys.isListable() ? "neither it nor what is below has " : "it has not ") + DOCUMENTS
                + ", nor has it the signature of HDF5";
    }

    private static Optional<Format> find(KeyStore keys, String prefix, int depth, int[] visits) throws IOException {
        for (String name : ZARR_DOCUMENTS) {
            if (exists(keys, prefix + name)) {
                return Optional.of(ZARR);
            }
        }
        if (exists(keys, prefix + N5_DOCUMENT)) {
            return Optional.of(N5);
        }
        if (depth == 0 || ++visits[0] > VISITS || !keys.isListable()) {
            return Optional.empty();
        }
        for (String child : keys.list(prefix.replaceAll("/$", "")).directories()) {
            Optional<Format> format = findBelow(keys, prefix + child + "/", depth - 1, visits);
            if (format.isPresent() || visits[0] > VISITS) {
                return format;
            }
        }
        return Optional.empty();
    }

    /** Passes over what is no part of a store on this machine, such as a link that leads elsewhere. */
    private static Optional<Format> findBelow(KeyStore keys, String prefix, int depth, int[] visits)
            throws IOException {
        try {
            return find(keys, prefix, depth, visits);
        } catch (StoreException e) {
            if (keys.isRemote()) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static boolean exists(KeyStore keys, String key) throws IOException {
        Optional<ByteSource> source = keys.open(key);
        if (source.isPresent()) {
            source.get().close();
        }
        return source.isPresent();
    }

    private static boolean isZip(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer start = ByteBuffer.allocate(ZIP_SIGNATURE.length);
            while (start.hasRemaining() && channel.read(start) > 0) {}
            return start.flip().equals(ByteBuffer.wrap(ZIP_SIGNATURE));
        }
    }

    /** {@return the format of the document that is nearest to the root} */
    private static Optional<Format> ofZip(Path path) throws IOException {
        try (ZipKeys zip = ZipKeys.open(path)) {
            Format found = null;
            long least = Long.MAX_VALUE;
            for (String entry : (Iterable<String>) zip.entries()::iterator) {
                String name = entry.substring(entry.lastIndexOf('/') + 1);
                long depth = entry.chars().filter(c -> c == '/').count();
                boolean zarr = ZARR_DOCUMENTS.contains(name);
                if (depth < least && (zarr || name.equals(N5_DOCUMENT))) {
                    found = zarr ? ZARR : N5;
                    least = depth;
                }
            }
            return Optional.ofNullable(found);
        }
    }
}
