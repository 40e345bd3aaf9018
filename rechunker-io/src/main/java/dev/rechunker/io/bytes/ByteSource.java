package dev.rechunker.io.bytes;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One value, open for reading; not for use by two threads at once. */
public interface ByteSource extends Closeable {
    /** {@return the number of bytes, as it was when the source was opened} */
    long size();

    /**
     * Reads from a place in the value until the buffer is full.
     *
     * @param offset where to start, counted in bytes from the start of the value
     * @throws java.io.EOFException if the value ends before
     */
    void read(long offset, ByteBuffer target) throws IOException;
}
