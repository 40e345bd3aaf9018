package dev.rechunker.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The stored bytes of one write unit, or of one chunk of it, read without decoding. */
public interface EncodedUnit extends Closeable {
    /** {@return the number of stored bytes} */
    long size();

    /**
     * Reads bytes from an offset until the buffer is full.
     *
     * @throws java.io.EOFException if fewer bytes are left
     */
    void read(long offset, ByteBuffer target) throws IOException;
}
