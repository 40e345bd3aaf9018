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
 * The door to N5 in directories, in other places that keep values under keys, such as object stores, and, for reading,
 * in zip files.
 *
 * <p>Shapes, chunks and dimension names of a {@code dev.rechunker.array.ArraySpec} are in C order, as everywhere: the
 * reverse of what stands in {@code attributes.json}. An array that N5 calls {@code [x, y, z] = [1024, 512, 80]} has the
 * shape {@code (80, 512, 1024)}. No element changes its place by that.
 *
 * <p>Elements are integers and floats of 8 to 64 bits, big-endian; the fill value is zero; {@code codecs} are one
 * compressor or none: {@code gzip}, {@code zlib}, {@code zstd}, {@code blosc}, {@code bz2}, {@code lzma} (which N5
 * calls xz) or {@code lz4block} (which N5 calls lz4). Dimension names are the attribute {@code axes}. The store's
 * {@code adopt} says what becomes of an array of another format.
 */
public final class N5 {
    private N5() {}

    /**
     * {@return what is in a directory or zip file; arrays can be added to a directory}
     *
     * @throws StoreException if there is no such directory, the file is not a zip file, or it is N5 of a version that
     *     is not understood, or Zarr
     */
    public static ChunkStore open(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new StoreException(path + " does not exist");
        }
        return open(Files.isDirectory(path) ? new DirectoryKeys(path) : ZipKeys.open(path));
    }

    /**
     * {@return what is in a key store, which is closed with it; arrays can be added if it can be written to}
     *
     * @throws StoreException if it is N5 of a version that is not understood, or Zarr
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
     * {@return a directory to write to, which need not exist}
     *
     * <p>Nothing is written before the first array or group is created. What is there already, of N5 or not, is refused
     * then, unless it is an array that may be overwritten.
     */
    public static ChunkStore create(Path directory) {
        return create(new DirectoryKeys(directory));
    }

    /** {@return a key store to write to, as {@link #create(Path)}; it is closed with the result} */
    public static ChunkStore create(KeyStore keys) {
        return new N5Store(keys);
    }
}
