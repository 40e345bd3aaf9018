package dev.rechunker.io.hdf5;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.hdf5.format.Signature;
import dev.rechunker.io.hdf5.read.Hdf5Store;
import dev.rechunker.io.hdf5.write.Hdf5Target;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The door to HDF5 files, those of netCDF-4, n5-hdf5 and BigDataViewer among them.
 *
 * <p>Shapes, chunks and dimension names are in C order, as HDF5 has them; n5 counts the other way round. A dataset
 * without chunks is one chunk, of which any part can be read. {@code codecs} of a spec name the filters as other
 * formats know them: deflate is {@code gzip}. Hints of a spec:
 *
 * <table>
 * <caption>Hints</caption>
 * <tr><th>hint</th><th>values</th><th>without it</th></tr>
 * <tr><td>{@code hdf5.layout}</td><td>{@code chunked}, or {@code contiguous} for a dataset without chunks, which is
 * kept if one chunk holds the array and there is no codec; {@code regions}, which is only written, for one in any
 * case</td><td>{@code chunked}</td></tr>
 * <tr><td>{@code hdf5.maxshape}</td><td>how far the dataset may be extended: extents or {@code unlimited}, with commas
 * between; only written</td><td>the shape, or the chunk where it is larger</td></tr>
 * <tr><td>{@code names}</td><td>the names of the values of an enumeration, as a JSON object</td><td>integers</td></tr>
 * <tr><td>{@code hdf5.string}</td><td>how strings of one length end and which characters they have:
 * {@code null-terminated}, {@code null-padded} or {@code space-padded}, a space, and {@code ascii} or {@code utf-8};
 * their bytes stay as they are</td><td>{@code null-padded ascii}</td></tr>
 * <tr><td>{@code hdf5.tag}</td><td>the tag of opaque bytes</td><td>it is empty</td></tr>
 * <tr><td>{@code hdf5.omitted}</td><td>the names of attributes that plain data cannot say, as a JSON list; only
 * read</td><td>there are none</td></tr>
 * <tr><td>{@code no-axes}</td><td>an array of netCDF without axes; only read</td><td></td></tr>
 * </table>
 */
public final class Hdf5 {
    private static final String LIBRARY_CLASS = "io.jhdf.Superblock";

    private Hdf5() {}

    /**
     * {@return what is in an HDF5 file, to be read}
     *
     * @throws StoreException if there is no such file, it is not HDF5, or the library that is needed is not on the
     *     class path
     */
    public static ChunkStore open(Path path) throws IOException {
        requireLibrary();
        return Hdf5Store.open(path);
    }

    /**
     * {@return what is in an HDF5 file that is a value of a key store, such as an object in a bucket, to be read;
     * closes the key store with it, or if it is refused}
     *
     * <p>Chunks are read with a request each, and so is what of a dataset without chunks a copy reads at once. What the
     * file says about itself is read in blocks of 64 KiB.
     *
     * @throws StoreException if there is no such value, it is not HDF5, or the library that is needed is not on the
     *     class path
     */
    public static ChunkStore open(KeyStore keys, String key) throws IOException {
        try {
            requireLibrary();
        } catch (IOException e) {
            keys.close();
            throw e;
        }
        return Hdf5Store.open(keys, key);
    }

    /**
     * {@return an HDF5 file to write to, which need not exist; nothing is written before the first array or group is
     * created}
     *
     * <p>The file comes into being as a whole, when {@code finish} returns. A file that is there is refused, or
     * replaced as a whole if it may be overwritten. Its root is a group, so an array needs a path.
     *
     * @throws IllegalArgumentException if the path has no file name
     */
    public static ChunkStore create(Path file) {
        return Hdf5Target.create(file);
    }

    /** {@return whether there is an HDF5 file at a path: a regular file with the signature} */
    public static boolean isIn(Path path) throws IOException {
        return Signature.isIn(path);
    }

    /** {@return whether a value is an HDF5 file, by the signature; reads a few bytes of it} */
    public static boolean isIn(ByteSource value) throws IOException {
        return Signature.find(value.size(), value::read).isPresent();
    }

    private static void requireLibrary() throws StoreException {
        try {
            Class.forName(LIBRARY_CLASS, false, Hdf5.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new StoreException("HDF5: add io.jhdf:jhdf to the class path", e);
        }
    }
}
