package dev.rechunker.io.zarr;

import dev.rechunker.io.bytes.AssembledKeys;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.bytes.ZipKeys;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Opens and creates Zarr stores of versions 2 and 3: in directories, in object stores and other key-value stores
 * ({@link KeyStore}), and in zip files.
 *
 * <p>Shapes, chunks and dimension names are in C order, as in Zarr. These hints of a
 * {@code dev.rechunker.array.ArraySpec} select how an array is stored; {@link ChunkStore#resolve} adds those that are
 * missing:
 *
 * <table>
 * <caption>Hints</caption>
 * <tr><th>hint</th><th>values</th><th>without it</th></tr>
 * <tr><td>{@code zarr.format}</td><td>{@code 2}, {@code 3}</td><td>3, unless the store is of one version</td></tr>
 * <tr><td>{@code zarr.separator}</td><td>{@code .}, {@code /}</td><td>{@code .} in version 2, {@code /} in 3</td></tr>
 * <tr><td>{@code zarr.keys}</td><td>{@code v2}</td><td>version 3 keys start with {@code c}</td></tr>
 * <tr><td>{@code zarr.shard.index}</td><td>{@code end} or {@code start}, {@code ,little} or {@code ,big}, and
 * {@code ,crc32c} or nothing</td><td>{@code end,little,crc32c}</td></tr>
 * <tr><td>{@code zarr.type}</td><td>{@code registered}: raw bytes have the type {@code r8}, {@code r16} and so on in
 * version 3, and records {@code struct}, which zarr-python 3.1 does not open</td><td>they have its types
 * {@code raw_bytes} and, if they are not big-endian, {@code structured}</td></tr>
 * </table>
 *
 * <p>The {@code codecs} of a spec are the steps from the elements to the stored bytes. In version 3 they are the codecs
 * of the array without {@code bytes}, and without the prefix {@code numcodecs.} of codecs that only the Python package
 * numcodecs has. In version 2 they are a {@code transpose} if the order of the array is F, then its filters, then its
 * compressor.
 */
public final class Zarr {
    /** The setting of a descriptor that has the version, if every node is of one. */
    private static final String FORMAT = "format";

    private Zarr() {}

    /**
     * {@return the store in an existing directory or zip file; arrays can be added to a directory}
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
     * {@return a store to write to in a directory, which need not exist; the hints of each array select its version, by
     * default 3}
     *
     * <p>Nothing is written before the first array or group is created. That is refused if anything exists at its path,
     * Zarr or not, except for an array that may be overwritten.
     */
    public static ChunkStore create(Path directory) {
        return create(new DirectoryKeys(directory));
    }

    /** {@return a store to write to in a directory, as {@link #create(Path)}, with arrays and groups of one version} */
    public static ChunkStore create(Path directory, ZarrFormat format) {
        return create(new DirectoryKeys(directory), format);
    }

    /**
     * {@return the store in a key-value store, which it closes; arrays can be added unless the key-value store is read
     * only}
     */
    public static ChunkStore open(KeyStore keys) {
        return new ZarrStore(keys, null);
    }

    /** {@return a store to write to in a key-value store, which it closes; see {@link #create(Path)}} */
    public static ChunkStore create(KeyStore keys) {
        return store(keys, null);
    }

    /**
     * {@return a store to write to in a key-value store, as {@link #create(KeyStore)}, with arrays and groups of one
     * version}
     */
    public static ChunkStore create(KeyStore keys, ZarrFormat format) {
        return store(keys, format);
    }

    private static ChunkStore store(KeyStore keys, @Nullable ZarrFormat format) {
        ZarrStore store = new ZarrStore(keys, format);
        return keys instanceof AssembledKeys zip && zip.kind() == AssembledKeys.Kind.ZIP
                ? new ZippedStore(zip, store)
                : store;
    }

    /**
     * {@return a store that writes a new zip file; the hints of each array select its version, by default 3}
     *
     * <p>Arrays and groups are written to the directory {@code NAME.part}, and moved into the zip file {@code NAME}
     * when everything is complete. Nothing can be added to a zip file that exists; it can be replaced as a whole.
     */
    public static ChunkStore createZip(Path file) {
        return create(AssembledKeys.zip(file));
    }

    /** {@return a store that writes a new zip file, as {@link #createZip(Path)}, with nodes of one version} */
    public static ChunkStore createZip(Path file, ZarrFormat format) {
        return create(AssembledKeys.zip(file), format);
    }

    /**
     * {@return the store that a descriptor of {@link ChunkStore#descriptor()} describes}
     *
     * @param keys the key-value store that contains it
     * @throws StoreException if the descriptor names an unknown version of Zarr
     */
    public static ChunkStore create(KeyStore keys, StoreDescriptor descriptor) throws StoreException {
        if (!descriptor.settings().containsKey(FORMAT)) {
            return create(keys);
        }
        String name = descriptor.text(FORMAT);
        try {
            return create(keys, ZarrFormat.valueOf(name));
        } catch (IllegalArgumentException e) {
            throw new StoreException("\"" + name + "\" is not a version of Zarr; known are V2 and V3", e);
        }
    }
}
