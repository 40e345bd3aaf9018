package dev.rechunker.io.tiff;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.io.bytes.KeyStore;
import dev.rechunker.io.file.FileBytes;
import dev.rechunker.io.file.KeyedFile;
import dev.rechunker.io.file.SharedFile;
import dev.rechunker.store.ChunkStore;
import dev.rechunker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens TIFF and BigTIFF files, among them OME-TIFF, stacks of ImageJ, GeoTIFF and Cloud Optimized GeoTIFF. They are
 * only read.
 *
 * <p>Tiles and strips are the chunks, and only what is needed of a file is read. Pages of the same size and type are
 * one array, with rows and columns as its last axes; samples of pixels, such as red, green and blue, are an axis before
 * them. A file with one image is a group with the array {@code 0}, and smaller versions {@code 1}, {@code 2} and so on;
 * one with several images has a group for each. A GeoTIFF file is a group with the array {@code band_data} and its
 * coordinates. The documentation of the format has the details.
 */
public final class Tiff {
    private static final int SIGNATURE = 8;

    private Tiff() {}

    /**
     * {@return a read-only store with the images of a file}
     *
     * @throws StoreException if the file does not exist, is not TIFF, or is damaged
     */
    public static ChunkStore open(Path path) throws IOException {
        return open(path, false);
    }

    /**
     * {@return a read-only store as {@link #open(Path)}, which also reads files outside of the directory of the file,
     * if the file names them as parts of its image}
     *
     * @throws StoreException if the file does not exist, is not TIFF, or is damaged
     */
    public static ChunkStore openFollowingLinks(Path path) throws IOException {
        return open(path, true);
    }

    private static ChunkStore open(Path path, boolean followLinks) throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new StoreException(path + (Files.exists(path) ? " is not a file" : " does not exist"));
        }
        return TiffStore.open(SharedFile.open(path, followLinks));
    }

    /**
     * {@return a read-only store with the images of a file that is a value of a key store, such as an object in a
     * bucket}
     *
     * <p>Each chunk is read with one request. Tags are read in blocks of 64 KiB. Closing the store closes the key
     * store, which is also closed if this method fails.
     *
     * @throws StoreException if the value does not exist, is not TIFF, or is damaged
     */
    public static ChunkStore open(KeyStore keys, String key) throws IOException {
        FileBytes file;
        try {
            file = KeyedFile.open(keys, key);
        } catch (IOException | RuntimeException e) {
            keys.close();
            throw e;
        }
        return TiffStore.open(file);
    }

    /** {@return whether a path is that of a regular file with the signature of TIFF} */
    public static boolean isIn(Path path) throws IOException {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer start = ByteBuffer.allocate(SIGNATURE);
            while (start.hasRemaining() && channel.read(start) > 0) {}
            return TiffFile.isHeader(start.flip());
        }
    }

    /** {@return whether a value has the signature of TIFF; reads only a few bytes} */
    public static boolean isIn(ByteSource value) throws IOException {
        ByteBuffer start = ByteBuffer.allocate((int) Math.min(SIGNATURE, value.size()));
        value.read(0, start);
        return TiffFile.isHeader(start.flip());
    }
}
