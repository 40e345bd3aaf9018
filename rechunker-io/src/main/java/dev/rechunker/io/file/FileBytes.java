package dev.rechunker.io.file;

import dev.rechunker.io.bytes.ByteSource;
import dev.rechunker.store.DataPlace;
import dev.rechunker.store.StoreDescriptor;
import dev.rechunker.store.StoreException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** The bytes of a file, local or remote. Thread-safe. */
public interface FileBytes extends Closeable {
    /** {@return the name of the file, for messages} */
    String name();

    /** {@return the location of the file} */
    DataPlace place();

    /**
     * {@return a descriptor with which another process can open the file; empty if no other process can}
     *
     * @param kind the kind of the store that the file is
     */
    Optional<StoreDescriptor> descriptor(String kind);

    /** {@return a directory for temporary files on the same device; empty if there is none} */
    Optional<Path> localDirectory();

    /**
     * {@return another file, by its name relative to the directory of this one; empty if it does not exist}
     *
     * <p>As in HDF5, a file with an absolute name that does not exist is looked for in the directory. The file has no
     * open handle, and closing it has no effect.
     *
     * @throws StoreException if the file is in another directory, unless links are followed
     */
    Optional<FileBytes> beside(String name) throws IOException;

    /** {@return whether each request takes long, even for a few bytes} */
    boolean isRemote();

    /** {@return the size of the file in bytes, at the time it was opened} */
    long size();

    /** {@return the memory in use as long as the file is open, at most, in bytes} */
    default long heldBytes() {
        return 0;
    }

    /** {@return the memory that one thread uses for reading in addition to the caller's buffers, at most, in bytes} */
    long readingBytes();

    /**
     * {@return a source for one thread that reads forward from a position}
     *
     * @param length the number of bytes that will be read first
     * @throws StoreException if the file ends before {@code offset + length}
     * @throws ClosedFileException if the file was closed; the first read may throw it instead
     */
    ByteSource open(long offset, long length) throws IOException;

    /**
     * Reads from a position until the buffer is full.
     *
     * @throws StoreException if the file ends before the buffer is full
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
