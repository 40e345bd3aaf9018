package dev.rechunker.io.bytes;

import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** One value, open for reading; not for use by two threads at once. */
public interface ByteSource extends EncodedUnit {
    /** {@return the number of bytes, as it was when the source was opened} */
    @Override
    long size();

    /** {@return what changes when the value is replaced; empty if the store does not tell} */
    default Optional<String> tag() {
        return Optional.empty();
    }

    /**
     * Reads from a place in the value until the buffer is full.
     *
     * @param offset where to start, counted in bytes from the start of the value
     * @throws java.io.EOFException if the value ends before
     */
    @Override
    void read(long offset, ByteBuffer target) throws IOException;
}
