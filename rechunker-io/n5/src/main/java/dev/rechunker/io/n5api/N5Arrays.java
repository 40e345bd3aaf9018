package dev.rechunker.io.n5api;

import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import org.janelia.saalfeldlab.n5.Compression;
import org.janelia.saalfeldlab.n5.GzipCompression;
import org.janelia.saalfeldlab.n5.N5Reader;
import org.janelia.saalfeldlab.n5.N5Writer;

/**
 * The door to the N5 API: datasets of an {@code N5Reader} as sources, and of an {@code N5Writer} as targets.
 *
 * <pre>{@code
 * N5Reader reader = new N5FSReader("scan.n5");
 * N5Writer writer = new N5ZarrWriter("scan.zarr");
 * Rechunker.from(N5Arrays.of(reader, "raw/s0"))
 *         .to(N5Arrays.create(writer, "raw/s0", new GzipCompression()))
 *         .chunks(16, 64, 64).maxMem("256MB").execute();
 * }</pre>
 *
 * <p>n5 counts axes x first, everything else here in C order: a dataset of dimensions {@code [1024, 512, 80]} (x, y, z)
 * is an array of shape {@code (80, 512, 1024)}, and {@code chunks(16, 64, 64)} are blocks of {@code [64, 64, 16]}.
 *
 * <p>Elements are {@code int8} to {@code int64}, {@code uint8} to {@code uint64}, {@code float32} and {@code float64}.
 * Strings and serialised objects are refused by name. A block has at most 2^31 - 2^16 bytes.
 *
 * <p>Readers and writers are the caller's: the stores that this door returns do not close them.
 */
public final class N5Arrays {
    private N5Arrays() {}

    /**
     * {@return a dataset as a source, a store of one array at its root}
     *
     * <p>If the container is a directory on this machine that holds N5 or Zarr, and this library reads the dataset as
     * n5 does, its chunks are read by this library; else by n5, each with {@code readChunk}. Several threads read at
     * once, but of containers other than N5 and Zarr one at a time.
     *
     * @param path where it is in the container; {@code ""} and {@code "/"} are the root
     * @throws StoreException if there is no dataset, or one that cannot be understood, naming what
     */
    public static ChunkStore of(N5Reader reader, String path) throws IOException {
        return new N5Source(new Place(reader, path));
    }

    /**
     * {@return a dataset to be made, in blocks compressed by gzip; see {@link #create(N5Writer, String, Compression)}}
     */
    public static ChunkStore create(N5Writer writer, String path) throws StoreException {
        return create(writer, path, new GzipCompression());
    }

    /**
     * {@return a dataset to be made, a store of one array at its root}
     *
     * <p>Nothing is written before the plan is executed. Blocks are written by n5, each once, and each shard, where the
     * container has shards, by one thread; the dataset's attributes come last. If a run fails, what it began is
     * removed; {@code overwrite()} removes a dataset with everything below it.
     *
     * <p>The compression is what is given here; {@code codec(...)} is refused. Zarr keeps fill values, byte order and
     * names of axes; N5 and HDF5 have none but zero, big-endian in N5 and little-endian in HDF5, and names of axes are
     * the attribute {@code axes}.
     *
     * @param path where it will be in the container, not its root; groups above it are made
     * @param compression how blocks are compressed
     * @throws StoreException if the path is the root
     */
    public static ChunkStore create(N5Writer writer, String path, Compression compression) throws StoreException {
        return new N5Target(new Place(writer, path), writer, compression);
    }
}
