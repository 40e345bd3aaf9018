package dev.rechunker.io.bytes;

import dev.rechunker.store.EncodedUnit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A value that is open for reading, by one thread at a time. */
public interface ByteSource extends EncodedUnit {
    /** {@return the size of the value, in bytes, at the time when it was opened} */
    @Override
    long size();

    /** {@return a text that changes when the value is replaced; empty if the store has none} */
    default Optional<String> tag() {
        return Optional.empty();
    }

    /**
     * Reads from a position in the value until the buffer is full.
     *
     * @param offset the position of the first byte to read
     * @throws java.io.EOFException if the value ends before the buffer is full
     */
    @Override
    void read(long offset, ByteBuffer target) throws IOException;
}
