package dev.rechunker.io;

import dev.rechunker.store.ChunkStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A format of stores: its names, and methods that create stores. {@link Stores} lists all formats. */
public sealed interface StoreFormat permits KeyFormat, FileFormat, DirectoryFormat {
    /** {@return the name in descriptors and identities of stores, such as {@code ome-zarr}} */
    String kind();

    /** {@return the name in messages, such as {@code OME-Zarr}} */
    String title();

    /** {@return the endings of the names of stores, such as {@code .ome.zarr}} */
    List<String> endings();

    /** {@return the names by which versions are requested, such as {@code ome-zarr} and {@code ome-zarr-0.4}} */
    List<String> versions();

    /** {@return whether stores can be created on this machine only, as files or directories} */
    boolean isLocal();

    /** {@return whether a store that is created at a path or URI is a single file, such as a zip file} */
    boolean isFile(String place);

    /** {@return a store to write to, of the default version} */
    ChunkStore create(Path place);

    /**
     * {@return a store to write to, of the default version}
     *
     * @param place a path, or a URI in the form of {@link Stores#keys}
     * @throws dev.rechunker.store.StoreException if stores of this format cannot be written there
     */
    ChunkStore create(String place) throws IOException;

    /**
     * {@return a store to write to, of a requested version}
     *
     * @param place a path, or a URI in the form of {@link Stores#keys}
     * @param version one of {@link #versions}
     * @throws dev.rechunker.store.StoreException if stores of this format cannot be written there
     * @throws IllegalArgumentException if there is no such version
     */
    ChunkStore create(String place, String version) throws IOException;
}
