package dev.rechunker.io.n5;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens and creates N5 containers: in directories, in other key stores such as object stores, and, for reading, in zip
 * files.
 *
 * <p>Shapes, chunks and dimension names of an {@code ArraySpec} are in C order, as everywhere: the reverse of the order
 * in {@code attributes.json}. An array with N5's dimensions {@code [x, y, z] = [1024, 512, 80]} has the shape
 * {@code (80, 512, 1024)}. The order of elements in memory is the same.
 *
 * <p>Elements are integers and floats of 8 to 64 bits, big-endian. The fill value is zero. {@code codecs} are empty or
 * one compressor: {@code gzip}, {@code zlib}, {@code zstd}, {@code blosc}, {@code bz2}, {@code lzma} (xz in N5) or
 * {@code lz4block} (lz4 in N5). Dimension names are in the attribute {@code axes}. The store's {@code adopt} documents
 * how arrays of other formats are converted.
 */
public final class N5 {
    private N5() {}

    /**
     * {@return the container in a directory or zip file; arrays can be added to a directory}
     *
     * @throws StoreException if there is no such directory, the file is not a zip file, or the container is Zarr or N5
     *     of an unknown version
     */
    public static ChunkStore open(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new StoreException(path + " does not exist");
        }
        return open(Files.isDirectory(path) ? new DirectoryKeys(path) : ZipKeys.open(path));
    }

    /**
     * {@return the container in a key store, which is closed with it; arrays can be added if the key store is writable}
     *
     * @throws StoreException if the container is Zarr or N5 of an unknown version
     */
    public static ChunkStore open(KeyStore keys) throws IOException {
        try {
            N5Store store = new N5Store(keys);
            store.requireReadable();
            return store;
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
    }

    /**
     * {@return a container to write to, in a directory that need not exist}
     *
     * <p>Nothing is written before the first array or group is created. A node is refused if other data exist at its
     * path, except an array that may be overwritten.
     */
    public static ChunkStore create(Path directory) {
        return create(new DirectoryKeys(directory));
    }

    /** {@return a container to write to, as by {@link #create(Path)}, in a key store that is closed with it} */
    public static ChunkStore create(KeyStore keys) {
        return new N5Store(keys);
    }
}
