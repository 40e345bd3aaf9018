package dev.rechunker.io.microscopy;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.DirectoryKeys;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.hdf5.Hdf5;
import dev.rechunker.io.n5.N5;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Opens data sets of BigDataViewer: an XML document that describes images in HDF5 or N5 beside it. Setups that differ
 * in their channel only are one image; several images are the groups {@code 0}, {@code 1} and so on.
 */
public final class BigDataViewer {
    private static final String KIND = "bigdataviewer";
    private static final String ROOT = "<SpimData";
    private static final int START = 1 << 12;

    /** The largest document, in bytes. */
    private static final int LARGEST = 64 << 20;

    private BigDataViewer() {}

    /** {@return whether a file is the description of a data set} */
    public static boolean isIn(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return isStart(in.readNBytes(START));
        }
    }

    /** {@return whether a value is the description of a data set; reads only a few bytes} */
    public static boolean isIn(ByteSource value) throws IOException {
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(START, value.size()));
        value.read(0, start);
        return isStart(start.array());
    }

    private static boolean isStart(byte[] start) {
        return new String(start, StandardCharsets.ISO_8859_1).contains(ROOT);
    }

    /**
     * {@return a read-only store with the images of a data set}
     *
     * @param file the XML document; images are read from its directory only
     * @throws StoreException if the document is malformed, or its images are of a format that is not supported
     */
    public static ChunkStore open(Path file) throws IOException {
        return open(file, false);
    }

    /**
     * {@return a read-only store as {@link #open(Path)}, whose images may be anywhere, and which follows links}
     *
     * <p>For documents that one trusts: one that another user has made may name any file of the one who runs this.
     */
    public static ChunkStore openFollowingLinks(Path file) throws IOException {
        return open(file, true);
    }

    private static ChunkStore open(Path file, boolean followLinks) throws IOException {
        String where = file.toString();
        if (Files.size(file) > LARGEST) {
            throw tooLarge(where, Files.size(file));
        }
        SpimData data = SpimData.parse(where, Files.readAllBytes(file));
        SpimData.Place place = requirePlace(where, data);
        Path directory = file.toAbsolutePath().getParent();
        StoreDescriptor descriptor = StoreDescriptor.of(KIND, file.toUri().toString());
        if (followLinks) {
            descriptor = descriptor.with("links", true);
        } else {
            requireInside(where, place);
        }
        Path images = directory == null ? Path.of(place.path()) : directory.resolve(place.path());
        if (place.name().equals("hdf5")) {
            ChunkStore store = followLinks ? Hdf5.openFollowingLinks(images) : Hdf5.open(images);
            return view(where, data, store, "", descriptor);
        }
        if (followLinks) {
            return view(where, data, N5.open(DirectoryKeys.followingLinks(images)), "", descriptor);
        }
        DirectoryKeys keys = new DirectoryKeys(directory == null ? Path.of("") : directory);
        return view(where, data, N5.open(keys), place.path(), descriptor);
    }

    /**
     * {@return a read-only store with the images of a data set whose description is a value of a key store}
     *
     * <p>Closing the store closes the key store, which is also closed if this method fails.
     *
     * @throws StoreException if there is no such value, the document is malformed, or its images are of a format that
     *     is not supported
     */
    public static ChunkStore open(KeyStore keys, String key) throws IOException {
        String where = keys.name() + "/" + key;
        try {
            SpimData data = SpimData.parse(where, read(keys, key, where));
            SpimData.Place place = requirePlace(where, data);
            requireInside(where, place);
            Optional<StoreDescriptor> descriptor = keys.address()
                    .map(address -> StoreDescriptor.of(KIND, address).with("key", key));
            return place.name().equals("hdf5")
                    ? view(where, data, Hdf5.open(keys, place.path()), "", descriptor)
                    : view(where, data, N5.open(keys), place.path(), descriptor);
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
    }

    private static byte[] read(KeyStore keys, String key, String where) throws IOException {
        Optional<ByteSource> found = keys.open(key);
        if (found.isEmpty()) {
            throw new StoreException(where + " does not exist");
        }
        try (ByteSource source = found.get()) {
            if (source.size() > LARGEST) {
                throw tooLarge(where, source.size());
            }
            ByteBuffer document = ByteBuffer.allocate((int) source.size());
            source.read(0, document);
            return document.array();
        }
    }

    private static StoreException tooLarge(String where, long size) {
        return new StoreException(
                where + " is larger than descriptions of data sets are: " + size + " bytes, not at most " + LARGEST);
    }

    private static SpimData.Place requirePlace(String where, SpimData data) throws StoreException {
        boolean known = (data.format().equals("bdv.hdf5") && data.place().name().equals("hdf5"))
                || (data.format().equals("bdv.n5") && data.place().name().equals("n5"));
        if (!known || data.place().path().isBlank()) {
            throw new StoreException(where + " describes images of the format \"" + data.format()
                    + "\", but only bdv.hdf5 and bdv.n5 are read; if they are in a store, name that store");
        }
        return data.place();
    }

    /** Refuses images outside of the directory of the document. */
    private static void requireInside(String where, SpimData.Place place) throws StoreException {
        try {
            if (place.isRelative()) {
                ChunkStore.requirePath(place.path());
                return;
            }
        } catch (IllegalArgumentException e) {
            // is refused like an absolute path
        }
        throw new StoreException(where + " names images at " + place.path()
                + ", outside of its directory; if you trust it, follow links (--follow-links, openFollowingLinks)");
    }

    private static ChunkStore view(
            String where, SpimData data, ChunkStore images, String prefix, StoreDescriptor descriptor) {
        return view(where, data, images, prefix, Optional.of(descriptor));
    }

    private static ChunkStore view(
            String where, SpimData data, ChunkStore images, String prefix, Optional<StoreDescriptor> descriptor) {
        return new ImageStore(
                images, prefix, descriptor, () -> new BdvImages(where, data, images.at(prefix)).contents());
    }
}
