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
 * Opens and creates HDF5 files, including those of netCDF-4, n5-hdf5 and BigDataViewer.
 *
 * <p>Shapes, chunks and dimension names are in C order, as in HDF5; the order of n5 is the reverse. A dataset without
 * chunks is read as one chunk, of which any part can be read. The {@code codecs} of a spec name filters as other
 * formats do: deflate is {@code gzip}. An {@link dev.rechunker.array.ArraySpec} can have these hints:
 *
 * <table>
 * <caption>Hints</caption>
 * <tr><th>hint</th><th>values</th><th>default</th></tr>
 * <tr><td>{@code hdf5.layout}</td><td>{@code chunked}; {@code contiguous}: without chunks, if one chunk covers the
 * array and there is no codec, otherwise chunked; {@code regions} (write only): without chunks in any
 * case</td><td>{@code chunked}</td></tr>
 * <tr><td>{@code hdf5.maxshape}</td><td>the largest shape to which HDF5 may extend the dataset: extents or
 * {@code unlimited}, separated by commas</td><td>the shape, or the chunk where it is larger; unlimited axes
 * are always unlimited</td></tr>
 * <tr><td>{@code hdf5.fill}</td><td>{@code default}: the dataset states no fill value, so that it is zero; without
 * effect if the fill value is another one</td><td>the fill value is stated if it is defined, but zero is not for bytes
 * of fixed length, at which netCDF-C crashes</td></tr>
 * <tr><td>{@code names}</td><td>the names of the values of an enumeration, as a JSON object</td><td>integers</td></tr>
 * <tr><td>{@code type.name}</td><td>the name of the type, if it is an object of the file: a path relative to the group of
 * the array</td><td>a type without a name</td></tr>
 * <tr><td>{@code hdf5.string}</td><td>the padding and the character set of fixed-length strings:
 * {@code null-terminated}, {@code null-padded} or {@code space-padded}, a space, and {@code ascii} or {@code utf-8};
 * the bytes of strings are not changed</td><td>{@code null-padded ascii}</td></tr>
 * <tr><td>{@code type.tag}</td><td>the tag of opaque bytes</td><td>empty</td></tr>
 * <tr><td>{@code type.bits}</td><td>which bits of unsigned integers are a bit field, such as {@code 12 bits from bit
 * 2}</td><td>the elements are numbers</td></tr>
 * <tr><td>{@code type.fields}</td><td>the hints of the fields of records: a JSON object of objects</td><td>none</td></tr>
 * <tr><td>{@code hdf5.omitted}</td><td>the names of attributes that cannot be represented as plain data, as a JSON
 * list; read only</td><td>none</td></tr>
 * <tr><td>{@code no-axes}</td><td>present if the array is a netCDF variable without axes; read only</td><td></td></tr>
 * </table>
 */
public final class Hdf5 {
    private static final String LIBRARY_CLASS = "io.jhdf.Superblock";

    private Hdf5() {}

    /**
     * {@return a read-only store with the contents of an HDF5 file}
     *
     * @throws StoreException if the file does not exist or is not an HDF5 file, or if jhdf is not on the class path
     */
    public static ChunkStore open(Path path) throws IOException {
        requireLibrary();
        return Hdf5Store.open(path);
    }

    /**
     * {@return a read-only store as {@link #open(Path)}, which also reads files outside of the directory of the file,
     * if the file names them as those of a virtual dataset or of external storage}
     *
     * <p>For files that one trusts: one that another user has made may name any file of the one who runs this.
     *
     * @throws StoreException if the file does not exist or is not an HDF5 file, or if jhdf is not on the class path
     */
    public static ChunkStore openFollowingLinks(Path path) throws IOException {
        requireLibrary();
        return Hdf5Store.open(path, true);
    }

    /**
     * {@return a read-only store with the contents of an HDF5 file that is a value of a key store, such as an object in
     * a bucket}
     *
     * <p>Each chunk is read with one request. So is each region of a dataset without chunks. Metadata is read in blocks
     * of 64 KiB. Closing the store closes the key store, which is also closed if this method fails.
     *
     * @throws StoreException if the value does not exist or is not an HDF5 file, or if jhdf is not on the class path
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
     * {@return a store that writes a new HDF5 file}
     *
     * <p>Nothing is written before the first array or group is created, and the file does not exist before
     * {@code finish} returns. An existing file is refused, or replaced completely if overwriting is allowed. The root
     * of an HDF5 file is a group, so an array needs a path.
     *
     * @throws IllegalArgumentException if the path has no file name
     */
    public static ChunkStore create(Path file) {
        return Hdf5Target.create(file, Hdf5::open);
    }

    /**
     * {@return a store that writes a new netCDF-4 file, as {@link #create} writes one of HDF5}
     *
     * <p>The file has what netCDF requires, so that its libraries can read it and append to it. Types that netCDF does
     * not have are refused: complex numbers, half-precision floats, dates, records and text in UTF-32. Texts of a fixed
     * length are stored as characters with a further axis, and booleans as int8 with an attribute, both as xarray
     * stores them.
     *
     * @throws IllegalArgumentException if the path has no file name
     */
    public static ChunkStore createNetcdf4(Path file) {
        return Hdf5Target.createNetcdf4(file, Hdf5::open);
    }

    /** {@return whether a path is that of a regular file with the signature of HDF5} */
    public static boolean isIn(Path path) throws IOException {
        return Signature.isIn(path);
    }

    /** {@return whether a value has the signature of HDF5; reads only a few bytes} */
    public static boolean isIn(ByteSource value) throws IOException {
        return Signature.find(value.size(), value::read).isPresent();
    }

    private static void requireLibrary() throws StoreException {
        try {
            Class.forName(LIBRARY_CLASS, false, Hdf5.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new StoreException(
                    "reading HDF5 needs a library that is missing: add io.jhdf:jhdf to the class path", e);
        }
    }
}
