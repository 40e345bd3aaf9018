package dev.rechunker.io.classic;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.io.file.KeyedFile;
import dev.rechunker.io.file.SharedFile;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Opens and creates netCDF files of the classic format: CDF-1, CDF-2 with 64-bit offsets, and CDF-5 with 64-bit data.
 *
 * <p>A file is a group with a variable for each array. A variable is one chunk, of which any part can be read, and only
 * what is needed of a file is read. The documentation of the format has the details.
 */
public final class NetcdfClassic {
    /** The kind of stores in descriptors. */
    static final String KIND = "netcdf-classic";

    static final int SIGNATURE = 4;

    /** The format of a file of the first kind that fits. */
    static final String ANY = "netcdf3";

    /** The names of kinds by the formats that select them, as nccopy has them too; empty for any kind. */
    static final Map<String, String> FORMATS = formats();

    private NetcdfClassic() {}

    private static Map<String, String> formats() {
        Map<String, String> formats = new LinkedHashMap<>();
        formats.put(ANY, "");
        formats.put("nc3", Kind.CDF1.name());
        formats.put("nc6", Kind.CDF2.name());
        formats.put("cdf5", Kind.CDF5.name());
        return Collections.unmodifiableMap(formats);
    }

    /**
     * {@return a store that writes a new file}
     *
     * <p>Nothing is written before the first array or group is created, and the file does not exist before
     * {@code finish} returns. An existing file is refused, or replaced completely if overwriting is allowed. The kind
     * is the first of CDF-1, CDF-2 and CDF-5 that has all types and lengths; the formats {@code nc3}, {@code nc6} and
     * {@code cdf5} ask for one of them.
     *
     * <p>Groups, texts and sequences of variable length, and types that the classic format does not have, are refused.
     * Texts of a fixed length are stored as characters with a further axis, and booleans as int8 with an attribute, as
     * in netCDF-4.
     *
     * @throws IllegalArgumentException if the path has no file name
     */
    public static ChunkStore create(Path file) {
        return new ClassicTarget(file, ANY);
    }

    /**
     * {@return a store that writes a new file as {@link #create(Path)}, of a format}
     *
     * @param format {@code netcdf3}, {@code nc3}, {@code nc6} or {@code cdf5}
     * @throws IllegalArgumentException if it is another one, or the path has no file name
     */
    public static ChunkStore create(Path file, String format) {
        if (!FORMATS.containsKey(format)) {
            throw new IllegalArgumentException(
                    "\"" + format + "\" is no classic format of netCDF; choose one of " + FORMATS.keySet());
        }
        return new ClassicTarget(file, format);
    }

    /**
     * {@return a read-only store with the variables of a file}
     *
     * @throws StoreException if the file does not exist, is not of the classic format, or is damaged
     */
    public static ChunkStore open(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new StoreException(path + (Files.exists(path) ? " is not a file" : " does not exist"));
        }
        return ClassicStore.open(SharedFile.open(path));
    }

    /**
     * {@return a read-only store with the variables of a file that is a value of a key store, such as an object in a
     * bucket}
     *
     * <p>The header is read in blocks of 64 KiB, and each region of a variable with as few requests as possible.
     * Closing the store closes the key store, which is also closed if this method fails.
     *
     * @throws StoreException if the value does not exist, is not of the classic format, or is damaged
     */
    public static ChunkStore open(KeyStore keys, String key) throws IOException {
        FileBytes file;
        try {
            file = KeyedFile.open(keys, key);
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
        return ClassicStore.open(file);
    }

    /** {@return whether a path is that of a regular file with the signature of the classic format} */
    public static boolean isIn(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer start = ByteBuffer.allocate(SIGNATURE);
            while (start.hasRemaining() && channel.read(start) > 0) {}
            return kind(start.flip()).isPresent();
        }
    }

    /** {@return whether a value has the signature of the classic format; reads only a few bytes} */
    public static boolean isIn(ByteSource value) throws IOException {
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(SIGNATURE, value.size()));
        value.read(0, start);
        return kind(start.flip()).isPresent();
    }

    /** {@return the kind of a file that starts with some bytes; empty if it is not of the classic format} */
    static Optional<Kind> kind(ByteBuffer start) {
        boolean isClassic =
                start.remaining() >= SIGNATURE && start.get(0) == 'C' && start.get(1) == 'D' && start.get(2) == 'F';
        return isClassic ? Kind.of(start.get(3)) : Optional.empty();
    }
}
