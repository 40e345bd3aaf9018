package dev.rechunker.io.bytes;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A value that is being written, by one thread at a time. Closing it without a commit discards it. */
public interface ByteSink extends Closeable {
    /**
     * Writes the remaining bytes of a buffer at a position in the value.
     *
     * <p>Positions increase, with two exceptions: a caller may start again at position 0, and may write single bytes
     * near the start late. A store that transfers a value before it is complete may refuse all other positions.
     */
    void write(long position, ByteBuffer bytes) throws IOException;

    /** Makes the value visible under its key, and replaces the previous one. */
    void commit() throws IOException;
}
