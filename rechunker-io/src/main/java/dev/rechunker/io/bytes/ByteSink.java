package dev.rechunker.io.bytes;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A value in the making; not for use by two threads at once. Closing it without a commit leaves no trace. */
public interface ByteSink extends Closeable {
    /**
     * Writes the remaining bytes of {@code bytes} at a place counted from the start of the value.
     *
     * <p>What is written runs forward, but for two things: it may begin anew at the start, and single bytes near the
     * start may be written late. A store that sends a value on before it is complete may refuse anything else.
     */
    void write(long position, ByteBuffer bytes) throws IOException;

    /** Makes the value visible under its key, in the place of the one that was there. */
    void commit() throws IOException;
}
