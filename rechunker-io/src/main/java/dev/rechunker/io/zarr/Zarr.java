package dev.rechunker.io.zarr;

import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The door to Zarr, versions 2 and 3, in directories, in other places that keep values under keys, such as object
 * stores, and, for reading, in zip files.
 *
 * <p>Shapes, chunks and dimension names are in C order, as Zarr has them. Where a {@code dev.rechunker.array.ArraySpec}
 * leaves a choice, its hints decide, and {@code resolve} of the store fills them in:
 *
 * <table>
 * <caption>Hints</caption>
 * <tr><th>hint</th><th>values</th><th>without it</th></tr>
 * <tr><td>{@code zarr.format}</td><td>{@code 2}, {@code 3}</td><td>3, unless the store is of one version</td></tr>
 * <tr><td>{@code zarr.separator}</td><td>{@code .}, {@code /}</td><td>{@code .} in version 2, {@code /} in 3</td></tr>
 * <tr><td>{@code zarr.keys}</td><td>{@code v2}</td><td>version 3 keys start with {@code c}</td></tr>
 * <tr><td>{@code zarr.shard.index}</td><td>{@code end} or {@code start}, {@code ,little} or {@code ,big}, and
 * {@code ,crc32c} or nothing</td><td>{@code end,little,crc32c}</td></tr>
 * </table>
 *
 * <p>{@code codecs} of a spec are the steps between the elements in their byte order and the stored bytes: version 3's
 * without {@code bytes}, those that numcodecs alone has without the prefix {@code numcodecs.}; version 2's order F,
 * filters and compressor in this order, order F being a {@code transpose}.
 */
public final class Zarr {
    /** The setting of a descriptor that has the version, if every node is of one. */
    private static final String FORMAT = "format";

    private Zarr() {}

    /**
     * {@return what is in a directory or zip file; arrays can be added to a directory}
     *
     * @throws StoreException if there is no such directory, or the file is not a zip file
     */
    public static ChunkStore open(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return new ZarrStore(new DirectoryKeys(path), null);
        }
        if (!Files.exists(path)) {
            throw new StoreException(path + " does not exist");
        }
        return new ZarrStore(ZipKeys.open(path), null);
    }

    /**
     * {@return a directory to write to, which need not exist; each array is of the version that its hints ask for}
     *
     * <p>Nothing is written before the first array or group is created. What is there already, of Zarr or not, is
     * refused then, unless it is an array that may be overwritten.
     */
    public static ChunkStore create(Path directory) {
        return create(new DirectoryKeys(directory));
    }

    /** {@return a directory to write to, as {@link #create(Path)}, with every node of one version} */
    public static ChunkStore create(Path directory, ZarrFormat format) {
        return create(new DirectoryKeys(directory), format);
    }

    /** {@return what is in a key store, which is closed with it; arrays can be added if it can be written to} */
    public static ChunkStore open(KeyStore keys) {
        return new ZarrStore(keys, null);
    }

    /** {@return a key store to write to, as {@link #create(Path)}; it is closed with the result} */
    public static ChunkStore create(KeyStore keys) {
        return new ZarrStore(keys, null);
    }

    /** {@return a key store to write to, as {@link #create(KeyStore)}, with every node of one version} */
    public static ChunkStore create(KeyStore keys, ZarrFormat format) {
        return new ZarrStore(keys, format);
    }

    /**
     * {@return the store that a descriptor describes}
     *
     * @param keys its place
     * @throws StoreException if it is of a version that is not known
     */
    public static ChunkStore create(KeyStore keys, StoreDescriptor descriptor) throws StoreException {
        if (!descriptor.settings().containsKey(FORMAT)) {
            return create(keys);
        }
        String name = descriptor.text(FORMAT);
        try {
            return create(keys, ZarrFormat.valueOf(name));
        } catch (IllegalArgumentException e) {
            throw new StoreException("a version of Zarr is called \"" + name + "\", which is not known", e);
        }
    }
}
