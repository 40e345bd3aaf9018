package dev.rechunker.io.reference;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.zarr.Zarr;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Opens documents of references, in the JSON of kerchunk and VirtualiZarr (versions 0 and 1), also compressed with
 * zstd. They are only read.
 *
 * <p>A document has the metadata of a Zarr hierarchy, and says for each chunk in which file its bytes are, such as a
 * netCDF, HDF5 or TIFF file. Files are named by paths, relative ones to the document, or by URIs in the form of
 * {@code dev.rechunker.io.Stores.keys}. Only the bytes of chunks are read from them. A chunk that the document does not
 * have is empty; one whose file is missing is an error.
 */
public final class References {
    /** The name of the format in descriptors of stores. */
    public static final String KIND = "references";

    private References() {}

    /**
     * {@return a read-only store with the arrays of a document}
     *
     * @throws StoreException if the document does not exist or is malformed, or if it names files outside of its
     *     directory, or in places that are not supported
     */
    public static ChunkStore open(Path path) throws IOException {
        return open(path, false, "");
    }

    /**
     * {@return a read-only store as {@link #open(Path)}, which also reads files outside of the directory of the
     * document}
     *
     * @throws StoreException if the document does not exist or is malformed, or if it names files in places that are
     *     not supported
     */
    public static ChunkStore openFollowingLinks(Path path) throws IOException {
        return open(path, true, "");
    }

    /**
     * {@return a read-only store as {@link #open(Path)}}
     *
     * @param file a URI {@code file:///path/refs.json?anonymous=true}, whose settings are those of the buckets that the
     *     document names
     * @param followLinks whether files outside of the directory of the document are read
     */
    public static ChunkStore open(URI file, boolean followLinks) throws IOException {
        Path path;
        try {
            path = Path.of(new URI(file.getScheme(), file.getHost(), file.getPath(), null));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new StoreException("a URI that starts with file: is not the path of a file", e);
        }
        return open(path, followLinks, Objects.requireNonNullElse(file.getRawQuery(), ""));
    }

    private static ChunkStore open(Path path, boolean followLinks, String settings) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new StoreException(path + (Files.exists(path) ? " is not a file" : " does not exist"));
        }
        return Zarr.open(ReferenceKeys.open(new Origin.Local(path, followLinks, settings)));
    }

    /**
     * {@return a read-only store with the arrays of a document that is a value of a key store, such as an object in a
     * bucket}
     *
     * <p>Closing the store closes the key store, which is also closed if this method fails. The document can name files
     * next to it and in other buckets and servers, but none of this machine.
     *
     * @throws StoreException if the document does not exist or is malformed, or if it names files that must not be read
     */
    public static ChunkStore open(KeyStore keys, String key) throws IOException {
        try {
            return Zarr.open(ReferenceKeys.open(new Origin.Remote(keys, key)));
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
    }

    /** {@return whether a path is that of a regular file that starts like a document of references} */
    public static boolean isIn(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] first = in.readNBytes(ReferenceSignature.FIRST);
            if (!ReferenceSignature.mayBe(first)) {
                return false;
            }
        }
        try (InputStream in = Files.newInputStream(path)) {
            return ReferenceSignature.isIn(in.readNBytes(ReferenceSignature.START));
        }
    }

    /** {@return whether a value starts like a document of references; reads more than a few bytes only of JSON} */
    public static boolean isIn(ByteSource value) throws IOException {
        return ReferenceSignature.mayBe(start(value, ReferenceSignature.FIRST))
                && ReferenceSignature.isIn(start(value, ReferenceSignature.START));
    }

    private static byte[] start(ByteSource value, int most) throws IOException {
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(most, value.size()));
        value.read(0, start);
        return start.array();
    }
}
