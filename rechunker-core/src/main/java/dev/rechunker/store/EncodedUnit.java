package dev.rechunker.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The stored bytes of one write unit, read without decoding. */
public interface EncodedUnit extends Closeable {
    /** {@return their number} */
    long size();

    /**
     * Reads bytes until the buffer is full.
     *
     * @param offset where to start, counted from the first stored byte
     * @throws java.io.EOFException if fewer are left
     */
    void read(long offset, ByteBuffer target) throws IOException;
}
