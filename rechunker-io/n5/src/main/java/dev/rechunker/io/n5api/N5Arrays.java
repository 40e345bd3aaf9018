package dev.rechunker.io.n5api;

import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.N5Writer;

/**
 * Opens datasets of an {@code N5Reader} as sources, and creates datasets of an {@code N5Writer} as targets.
 *
 * <pre>{@code
 * N5Reader reader = new N5FSReader("scan.n5");
 * N5Writer writer = new N5ZarrWriter("scan.zarr");
 * Rechunker.from(N5Arrays.of(reader, "raw/s0"))
 *         .to(N5Arrays.create(writer, "raw/s0", new GzipCompression()))
 *         .chunks(16, 64, 64).maxMem("256MB").execute();
 * }</pre>
 *
 * <p>n5 lists axes with x first, this library in C order. A dataset with dimensions {@code [1024, 512, 80]} (x, y, z)
 * is an array of shape {@code (80, 512, 1024)}, and {@code chunks(16, 64, 64)} makes blocks of {@code [64, 64, 16]}.
 *
 * <p>The types of elements are {@code int8} to {@code int64}, {@code uint8} to {@code uint64}, {@code float32} and
 * {@code float64}. Strings and serialised objects are refused. A block has at most 2^31 - 2^16 bytes.
 *
 * <p>The stores do not close the reader or writer.
 */
public final class N5Arrays {
    private N5Arrays() {}

    /**
     * {@return a store with one array, at its root: an existing dataset}
     *
     * <p>If the container is N5 or Zarr in a local directory, and this library sees the same array as n5, this library
     * reads the chunks itself. Otherwise n5 reads each chunk with {@code readChunk}. Several threads read at the same
     * time, except from containers other than N5 and Zarr.
     *
     * @param path the path in the container; {@code ""} and {@code "/"} are the root
     * @throws StoreException if there is no dataset, or it has a feature that is not supported
     */
    public static ChunkStore of(N5Reader reader, String path) throws IOException {
        return new N5Source(new N5Location(reader, path));
    }

    /**
     * {@return a store to write one array to, compressed by gzip; see {@link #create(N5Writer, String, Compression)}}
     */
    public static ChunkStore create(N5Writer writer, String path) throws StoreException {
        return create(writer, path, new GzipCompression());
    }

    /**
     * {@return a store to write one array to, at its root: a new dataset}
     *
     * <p>Nothing is written before the plan is executed. n5 writes each block once, and each shard in one call. The
     * attributes of the dataset are written last. If a run fails, the incomplete dataset is removed.
     * {@code overwrite()} removes an existing dataset and everything below it.
     *
     * <p>{@code codec(...)} is refused, because {@code compression} states how blocks are compressed. Zarr keeps fill
     * values, byte order and names of axes. In N5 and HDF5 the fill value is zero, the byte order is big-endian (N5) or
     * little-endian (HDF5), and names of axes are in the attribute {@code axes}.
     *
     * @param path the path in the container, which must not be the root; groups above it are created
     * @param compression the compression of blocks
     * @throws StoreException if the path is the root
     */
    public static ChunkStore create(N5Writer writer, String path, Compression compression) throws StoreException {
        return new N5Target(new N5Location(writer, path), writer, compression);
    }
}
