package dev.rechunker.io.hdf5.read;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreDescriptor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** The bytes of a file, wherever it lies; many threads read at once, each at its own places. */
interface FileBytes extends Closeable {
    /** {@return where it is, for messages} */
    String name();

    /** {@return its place} */
    DataPlace place();

    /** {@return what another process opens it by; empty if none can} */
    Optional<StoreDescriptor> descriptor();

    /** {@return a directory on the same device, for temporary files; empty if there is none} */
    Optional<Path> localDirectory();

    /** {@return whether a request takes long, however few bytes it moves} */
    boolean isRemote();

    /** {@return the number of bytes, as it was when the file was opened} */
    long size();

    /** {@return what it holds as long as it is open, in bytes, at most} */
    default long heldBytes() {
        return 0;
    }

    /** {@return what one thread holds besides the caller's buffers while it reads, in bytes, at most} */
    long readingBytes();

    /**
     * {@return the file for reads of one thread, which run forward from a place}
     *
     * @param length how many bytes from there will be read first
     * @throws dev.rechunker.store.StoreException if the file ends before
     * @throws ClosedFileException if the file was closed, by the first read at the latest
     */
    ByteSource open(long offset, long length) throws IOException;

    /**
     * Reads from a place until the buffer is full.
     *
     * @throws dev.rechunker.store.StoreException if the file ends before
     * @throws ClosedFileException if the file was closed
     */
    default void read(long offset, ByteBuffer target) throws IOException {
        if (target.hasRemaining()) {
            try (ByteSource source = open(offset, target.remaining())) {
                source.read(offset, target);
            }
        }
    }
}
