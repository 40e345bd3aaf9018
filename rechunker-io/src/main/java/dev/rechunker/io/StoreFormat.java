package dev.rechunker.io;

import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A format of stores: what it is called, and how stores of it are created. A row of the table of formats, in which
 * {@link Stores} looks formats up.
 */
public sealed interface StoreFormat permits KeyFormat, FileFormat {
    /** {@return the name in descriptors and identities of stores: {@code ome-zarr}} */
    String kind();

    /** {@return the name in sentences: {@code OME-Zarr}} */
    String title();

    /** {@return how names of stores of this format end: {@code .ome.zarr}} */
    List<String> endings();

    /** {@return the names of its versions, by which they are asked for: {@code ome-zarr}, {@code ome-zarr-0.4}} */
    List<String> versions();

    /** {@return whether a store is one file, so that it can be created in directories of this machine only} */
    boolean isFile();

    /** {@return a store to write to, of the usual version} */
    ChunkStore create(Path place);

    /**
     * {@return a store to write to, of the usual version}
     *
     * @param place a path, or a URI in the form of {@link Stores#keys}
     * @throws dev.rechunker.store.StoreException if stores of this format cannot be written there
     */
    ChunkStore create(String place) throws IOException;

    /**
     * {@return a store to write to, of a version}
     *
     * @param place a path, or a URI in the form of {@link Stores#keys}
     * @param version one of {@link #versions}
     * @throws dev.rechunker.store.StoreException if stores of this format cannot be written there
     * @throws IllegalArgumentException if there is no such version
     */
    ChunkStore create(String place, String version) throws IOException;
}
